import { stringify } from "yaml";
import type { Json } from "../../src/base/error.ts";
import type { Fault } from "../../src/desktop/simulated/faults.ts";

/** A step as a workflow file writes it. */
export type StoryStep = { readonly [key: string]: Json };

/** A workflow with all that goes wrong while it runs. */
export interface Story {
  readonly seed: number;
  readonly head: { readonly [key: string]: Json };
  readonly steps: readonly StoryStep[];
  readonly faults: readonly Fault[];
  /** The call to the desktop at which an interrupt comes, counted from 1; and the second one, so many calls later. */
  readonly interrupt?: { readonly at: number; readonly hardAfter?: number };
}

/** The workflow as a file, on one line: JSON is YAML. */
export function fileOf({ head, steps }: Story): string {
  return JSON.stringify({ name: "history", app: "hist.form", ...head, steps });
}

/** The whole story for people. */
export function storyText(story: Story): string {
  const { seed, head, steps, faults, interrupt } = story;
  const workflow = stringify({ name: "history", app: "hist.form", ...head, steps }, { lineWidth: 110 });
  const faultText = faults.map((fault) => `#   ${JSON.stringify(fault)}\n`).join("");
  return `# seed ${seed}\n# faults:${faults.length === 0 ? " none" : ""}\n${faultText}` +
    `# interrupt: ${interrupt ? JSON.stringify(interrupt) : "none"}\n${workflow}`;
}
