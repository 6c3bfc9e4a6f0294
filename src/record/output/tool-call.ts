import { BackstepError, type Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { asMap, isMap, toJson } from "../../base/json.ts";
import { equalJson } from "../../contract/participant.ts";
import { milliseconds } from "../../operations/duration.ts";
import { parseKeys } from "../../operations/keys.ts";
import { toolNamed } from "../../tools/all.ts";
import { argumentsOf } from "../../tools/arguments.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import type { FileInput } from "./model.ts";

/** A call of a tool. */
export interface Call {
  readonly tool: string;
  readonly args: ToolArguments;
}

/** The tool of an operation, and the arguments that say its input, as far as they can. */
type Wording = readonly [tool: string, args: (input: FileInput) => ToolArguments];

const ASSERTIONS = ["exists", "enabled", "focused", "value", "title", "role", "visible", "contains_text"];

const WORDINGS: ReadonlyMap<string, Wording> = new Map<string, Wording>([
  ["click", ["ax_click", (input) => ({ ...element(input["target"]), ...clickType(input), ...mode(input) })]],
  ["click-at", ["ax_click_at", ({ x, y, ...input }) => defined({ x, y, ...clickType(input) })]],
  ["type", ["ax_type", ({ into, app, text, clear, shows, background }) =>
    defined({
      ...(into === undefined ? { app } : element(into)),
      text,
      clear_first: clear,
      shows,
      ...mode(defined({ background })),
    })]],
  ["set", ["ax_set_value", ({ target, value }) => defined({ ...element(target), value: worded(value) })]],
  ["press", ["ax_key_press", ({ keys, app }) => defined({ app, ...chord(keys) })]],
  ["scroll", [
    "ax_scroll",
    ({ target, app, direction, amount }) =>
      defined({ ...(target === undefined ? { app } : element(target)), direction, amount }),
  ]],
  ["drag", [
    "ax_drag",
    ({ from, to, duration }) =>
      defined({ ...end("from", from), ...end("to", to), duration_ms: time(duration) }),
  ]],
  ["launch", ["launch_application", ({ app }) => defined({ bundleId: app })]],
  ["quit", ["quit_application", ({ app, unsaved }) => defined({ bundleId: app, unsaved })]],
  ["assert", ["ax_assert", ({ target, timeout, ...input }) =>
    defined({
      ...element(target),
      assertions: Object.fromEntries(
        ASSERTIONS.flatMap((key) => input[key] === undefined ? [] : [[key, input[key]]]),
      ),
      timeout_ms: time(timeout),
    })]],
  ["find", ["ax_find", ({ target }) => element(target)]],
  ["value", ["ax_get_value", ({ target }) => element(target)]],
  ["wait-idle", [
    "ax_wait_idle",
    ({ app, timeout_ms, quiet }) => defined({ app, timeout_ms, quiet_ms: quiet }),
  ]],
]);

/** Can a call of a tool be read as this operation, and written again? */
export function hasTool(operation: string): boolean {
  return WORDINGS.has(operation);
}

/**
 * The call that says an input. What it says is read back by the tool itself: `invalid` where that is anything else than the
 * input, with what the tool cannot say.
 */
export function toolCallOf(operation: string, input: FileInput): Call {
  const [tool, wording] = WORDINGS.get(operation) ?? [];
  const view = tool === undefined ? undefined : toolNamed(tool);
  if (tool === undefined || wording === undefined || view?.step?.kind !== "operation") {
    throw new BackstepError("invalid", `no tool of ax_workflow does \`${operation}\``);
  }
  const args = asMap(toJson(wording(input)));
  const meant = plainInput(operation, input);
  const said = plainInput(operation, asMap(view.step.toInput(args)));
  const lost = [...new Set([...Object.keys(meant), ...Object.keys(said)])]
    .filter((key) => !equalJson(meant[key] ?? null, said[key] ?? null));
  const parsed = argumentsOf(view).safeParse(args);
  if (lost.length === 0 && parsed.success) return { tool, args };
  const [issue] = parsed.success ? [] : parsed.error.issues;
  const what = lost.length > 0 ? lost.join(", ") : issue?.path.map(String).join(".") || "this input";
  throw new BackstepError("invalid", `${tool} cannot say \`${what}\` of \`${operation}\` as it is here`);
}

/** An input in one of the ways in which it can be written. */
export function plainInput(operation: string, input: FileInput): FileInput {
  const { background, ...rest } = input;
  const plain: { [key: string]: Json } = { ...rest };
  // A tool in the mode `focus` says so; an operation that says nothing has the mode of the run.
  if (background === true || (background !== undefined && operation !== "type")) {
    plain["background"] = background;
  }
  for (const key of ["duration", "timeout"]) if (key in plain) plain[key] = time(plain[key]) ?? null;
  if (operation === "set") plain["value"] = worded(plain["value"]) ?? null;
  if (operation === "press") plain["keys"] = keysText(plain["keys"]);
  for (const key of ["target", "into", "from", "to"]) {
    const { selector, ...others } = asMap(plain[key]);
    if (selector !== undefined && Object.keys(others).length === 0) plain[key] = selector;
  }
  return plain;
}

/** A target as arguments. */
function element(target: Json | undefined): ToolArguments {
  if (!isMap(target)) return defined({ query: target });
  const { selector, app, strategy, nth, within } = target;
  return defined({ app, query: selector, strategy, nth, within });
}

function end(which: "from" | "to", at: Json | undefined): ToolArguments {
  if (isMap(at) && at["x"] !== undefined) {
    return defined(
      which === "from" ? { from_x: at["x"], from_y: at["y"] } : { to_x: at["x"], to_y: at["y"] },
    );
  }
  const { query, app } = element(at);
  return defined(which === "from" ? { app, from_query: query } : { app, to_query: query });
}

function clickType({ count, button }: FileInput): ToolArguments {
  return button === "right" ? { click_type: "right" } : count === 2 ? { click_type: "double" } : {};
}

function mode({ background }: FileInput): ToolArguments {
  return background === true ? {} : { mode: "focus" };
}

/** The tools take every value as a text, and read numbers and booleans in it. */
function worded(value: Json | undefined): Json | undefined {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

function time(duration: Json | undefined): Json | undefined {
  const text = typeof duration === "string" && /^\d+(\.\d+)?(ms|s|m)$/.test(duration);
  return text ? milliseconds(duration) : duration;
}

const MODIFIERS: Readonly<Record<string, string>> = { ctrl: "ctrl", alt: "opt", shift: "shift" };

/** One chord; of several, and of other modifiers, the tool has no words. */
function chord(keys: Json | undefined): ToolArguments {
  const [names = [], ...others] = typeof keys === "string" ? parseKeys(keys) : [];
  const modifiers = names.slice(0, -1).flatMap((name) => MODIFIERS[name] ?? []);
  if (others.length > 0) return {};
  return { key: names.at(-1) ?? "", ...(modifiers.length === 0 ? {} : { modifiers }) };
}

function keysText(keys: Json | undefined): string {
  return typeof keys === "string" ? parseKeys(keys).map((names) => names.join("+")).join(" ") : "";
}
