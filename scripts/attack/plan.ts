import { stringify } from "yaml";
import type { Json } from "../../src/base/error.ts";

/** The toolkits that nasty applications are drawn with. */
export const TOOLKITS = ["gtk3", "gtk4", "qt5", "qt6", "chromium"] as const;
/** One of them. */
export type ToolkitName = typeof TOOLKITS[number];

/** What bears state in the application. */
export const CONTROLS = [
  "alpha",
  "beta",
  "notes",
  "copies",
  "level",
  "wrap",
  "wifi",
  "colour",
  "language",
  "rows",
] as const;
/** One of them. */
export type Control = typeof CONTROLS[number];

/** The items of the controls that have some; the application starts with the first of the first two, and with no row. */
export const COLOURS = ["Red", "Green", "Blue"] as const;
export const LANGUAGES = ["Ada", "Bob", "Cyd"] as const;
export const ROWS = ["one", "two", "three", "four"] as const;

/**
 * One way in which an application misbehaves. `nth` is the n-th change of this control that comes from outside, each time
 * where it is absent; `at` is the n-th thing of any kind that does; `ms` are milliseconds after it.
 */
export type Trait =
  /** It is as before at once, and as it was wanted later. */
  | { readonly trait: "late"; readonly key: Control; readonly ms: number; readonly nth?: number }
  /** It is as before at once. */
  | { readonly trait: "refuse"; readonly key: Control; readonly nth?: number }
  /** It is as before after a while. */
  | { readonly trait: "revert"; readonly key: Control; readonly ms: number; readonly nth?: number }
  /** It makes another value of it. */
  | {
    readonly trait: "normalise";
    readonly key: Control;
    readonly how: "upper" | "trim" | "group" | "clamp";
    readonly nth?: number;
  }
  | { readonly trait: "couple"; readonly key: Control; readonly to: Control; readonly ms: number }
  | { readonly trait: "submit"; readonly key: "alpha" | "beta"; readonly on: "activate" | "focus-out" }
  /** The window takes these keys for itself, and deletes. */
  | { readonly trait: "accelerate"; readonly chord: string }
  /** It is called otherwise than it is. */
  | { readonly trait: "lie"; readonly key: "alpha" | "beta"; readonly name: string }
  | {
    readonly trait: "reorder";
    readonly what: "rows" | "fields" | "names";
    readonly at: number;
    readonly ms: number;
  }
  | { readonly trait: "recreate"; readonly key: Control; readonly at: number; readonly ms: number }
  | { readonly trait: "pop"; readonly at: number; readonly ms: number }
  | { readonly trait: "hang"; readonly at: number; readonly ms: number }
  | { readonly trait: "crash"; readonly at: number }
  /** The n-th action is done and answered with a refusal. */
  | { readonly trait: "deny"; readonly at: number };

/** A step as a workflow file writes it. */
export type PlanStep = { readonly [key: string]: Json };

/** A nasty application and the workflow that it is driven with: everything that its seed decides. */
export interface Plan {
  readonly seed: number;
  readonly toolkit: ToolkitName;
  readonly traits: readonly Trait[];
  readonly steps: readonly PlanStep[];
}

/** The workflow as a file, on one line: JSON is YAML. */
export function fileOf({ toolkit, steps }: Plan): string {
  // Chromium's processes write over their environment, which would say as what they were launched.
  const app = toolkit === "chromium" ? "chromium" : "attack";
  return JSON.stringify({ name: "attack", app, on_interference: "ignore", steps });
}

/** The plan for people. */
export function planText({ seed, toolkit, traits, steps }: Plan): string {
  const nasty = traits.map((trait) => `#   ${JSON.stringify(trait)}\n`).join("");
  return `# seed ${seed} on ${toolkit}\n# the application:${traits.length === 0 ? " tame" : ""}\n${nasty}${
    stringify({ steps }, { lineWidth: 110 })
  }`;
}
