import type { Json } from "../base/error.ts";
import { isList, isMap } from "../base/json.ts";
import type { RunEvent, RunListener } from "../contract/events.ts";
import type { McpCall } from "./call.ts";
import type { ToolArguments } from "./tool.ts";

/** Tells a client how far its call is: of `ax_workflow` each step, else what the operation says. */
export function heard(tool: string, args: ToolArguments, call: McpCall): RunListener {
  const { steps } = args;
  if (tool !== "ax_workflow" || steps === undefined || !isList(steps)) {
    return (event) => said(event, call);
  }
  const total = steps.length;
  const tell = (path: string, attempt?: number) => {
    const number = Number(/^\d+\.(\d+)$/.exec(path)?.[1]);
    const step = steps[number - 1];
    if (step === undefined) return;
    const tries = isMap(step) && typeof step["retry"] === "number" ? step["retry"] + 1 : 1;
    const more = attempt === undefined ? "" : ` (attempt ${attempt}/${tries})`;
    call.progress(`Step ${number}/${total}: ${shown(step)}${more}`, number, total);
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
function shown(step: Json): string {
  if (!isMap(step)) return "";
  const { tool, args } = step;
  const query = isMap(args) ? args["query"] : undefined;
  return `${String(tool)}${typeof query === "string" ? ` '${query.slice(0, 60)}'` : ""}`;
}
