import type { Json } from "../../base/error.ts";
import { asList } from "../../base/json.ts";
import { COMMAND } from "../../desktop/keys.ts";
import { defineTool, type ToolArguments } from "../tool.ts";
import { elementOrApp } from "../inputs.ts";
import { ACTED, WHICH, WRITES } from "../parts.ts";
import { done } from "../results.ts";
import { queryOrApp } from "../wording.ts";

/** Presses a key. */
export const axKeyPress = defineTool({
  name: "ax_key_press",
  title: "Send keyboard shortcut",
  description:
    "Presses a key, with modifiers or without. cmd is the key of shortcuts on every platform (Control where there is " +
    "no Command), opt is Alt.",
  inputSchema: {
    type: "object",
    properties: {
      app: { type: "string", description: "The application that comes to the front first" },
      key: { type: "string", description: "For example 'return', 'escape', 'a', 'F5'" },
      modifiers: { type: "array", items: { type: "string", enum: ["cmd", "ctrl", "opt", "shift"] } },
      query: { type: "string", description: "The element that gets the focus first" },
      ...WHICH,
    },
    required: ["key"],
  },
  outputSchema: ACTED,
  annotations: WRITES,
  toolset: "action",
  ours: { input: ["query", "nth", "within"] },
  step: {
    kind: "operation",
    operation: "press",
    literal: ["modifiers"],
    toInput: ({ key, modifiers, ...args }) => ({
      keys: chord(key, modifiers),
      ...elementOrApp("into", args),
    }),
    toArguments: ({ keys, into, app }) => ({ ...queryOrApp(into, app), ...keyOf(keys) }),
    toResult: done("key_press"),
  },
});

const MODIFIERS: Readonly<Record<string, string>> = {
  cmd: COMMAND,
  ctrl: "ctrl",
  opt: "alt",
  shift: "shift",
};

/** macOS modifiers by what they are for: `cmd` is the key of shortcuts, which elsewhere is `ctrl`. */
function chord(key: Json | undefined, modifiers: Json | undefined): string {
  const names = asList(modifiers).flatMap((one) => typeof one === "string" ? [MODIFIERS[one] ?? one] : []);
  // Between chords stands a space, so the key itself is named.
  return [...new Set(names), key === " " ? "space" : String(key)].join("+");
}

const SAID: Readonly<Record<string, string>> = {
  ctrl: "ctrl",
  alt: "opt",
  shift: "shift",
  ...(COMMAND === "super" ? { super: "cmd" } : {}),
};

/** One chord as "ctrl+s"; of several, and of other modifiers, the tool has no words. */
function keyOf(keys: Json | undefined): ToolArguments {
  const [first = "", ...others] = typeof keys === "string" ? keys.split(" ") : [];
  // A plus sign at the end is the plus key.
  const names = first.endsWith("+")
    ? [...first.slice(0, -1).split("+").filter((name) => name !== ""), "+"]
    : first.split("+");
  const modifiers = names.slice(0, -1).flatMap((name) => SAID[name] ?? []);
  if (others.length > 0) return {};
  return { key: names.at(-1) ?? "", ...(modifiers.length === 0 ? {} : { modifiers }) };
}
