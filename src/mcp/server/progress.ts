import type { Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import type { RunEvent, RunListener } from "../../contract/events.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { isComposed } from "../../tools/all.ts";
import type { McpCall } from "./call.ts";

/** Tells a client how far its call is: of `ax_workflow` each step, else what the operation says. */
export function heard(tool: string, args: ToolArguments, call: McpCall): RunListener {
  const { steps } = args;
  if (!isComposed(tool) || steps === undefined || !isList(steps)) {
    return (event) => said(event, call);
  }
  const total = steps.length;
  const tell = (path: string, attempt = 1) => {
    const number = Number(/^\d+\.(\d+)$/.exec(path)?.[1]);
    const step = steps[number - 1];
    if (step === undefined) return;
    const tries = isMap(step) && typeof step["retry"] === "number" ? step["retry"] + 1 : 1;
    const more = tries === 1 ? "" : ` (attempt ${attempt}/${tries})`;
    call.progress(`Step ${number}/${total}: ${shownStep(step)}${more}`, number, total);
  };
  return (event: RunEvent) => {
    if (event.event === "step-started") tell(event.path);
    if (event.event === "step-retried") tell(event.path, event.attempt + 1);
    if (event.event === "rollback-started") call.progress("Rolling back");
    said(event, call);
  };
}

/** What the operation says of long work, and that a call waits for a person to let go of keyboard and pointer. */
function said(event: RunEvent, call: McpCall): void {
  if (event.event === "step-progress" || event.event === "note") call.progress(event.message);
}

/** The tool and what it is about; never what is typed. */
export function shownStep(step: Json): string {
  if (!isMap(step)) return "";
  const { tool, args } = step;
  return shownCall(String(tool), isMap(args) ? args : {});
}

/** A call in one line: the tool, the element, the chord of a command. Never what is typed, set or copied. */
export function shownCall(tool: string, args: ToolArguments): string {
  const { query, key, modifiers, app } = args;
  const keys = typeof key === "string" ? chordOf(key, modifiers) : undefined;
  if (keys !== undefined) return `${tool} (${keys})`;
  const about = typeof query === "string"
    ? query
    : query === undefined && key === undefined
    ? app
    : undefined;
  return `${tool}${typeof about === "string" ? ` '${about.slice(0, 60)}'` : ""}`;
}

/** "Cmd+S"; undefined: it may be a character of something that is typed key by key. */
function chordOf(key: string, modifiers: Json | undefined): string | undefined {
  const held = modifiers !== undefined && isList(modifiers) ? modifiers.map(String) : [];
  const commands = held.some((one) => one !== "shift");
  if (!commands && [...key].length === 1) return undefined;
  return [...held, key].map((one) => one.slice(0, 20)).map((one) =>
    one.charAt(0).toUpperCase() + one.slice(1)
  )
    .join("+");
}
