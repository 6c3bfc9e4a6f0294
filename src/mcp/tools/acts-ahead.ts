import { Deadline } from "../../base/call.ts";
import { BackstepError, type Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import type { Act, Gate } from "../../contract/gate.ts";
import { invocationOf } from "./arguments.ts";

/** Milliseconds for all steps of a workflow, and for one of them: what is not there yet is seen when its step comes. */
const ALL = 3_000, EACH = 300;

/**
 * The acts of a workflow whose targets are there already, as they would be done now. Reads only. Steps that take what an
 * earlier one answers, or whose target is not there, are left out.
 */
export async function actsAhead(steps: Json | undefined, gate: Gate, signal: AbortSignal): Promise<Act[]> {
  const deadline = Deadline.after(ALL, signal);
  const acts: Act[] = [];
  for (const step of isList(steps) ? steps : []) {
    if (deadline.passed) break;
    const tool = isMap(step) ? step["tool"] : undefined;
    const args = isMap(step) ? step["args"] ?? {} : {};
    if (typeof tool !== "string" || !isMap(args)) continue;
    const invocation = invocationOf(tool, args);
    if (!invocation || gate.operation(invocation.operation).hints.readOnly) continue;
    try {
      acts.push(await gate.look(invocation, { timeout: Math.min(EACH, deadline.remaining()), signal }));
    } catch (thrown) {
      // Whatever is wrong with it is said when it is done: by then it may be there.
      if (!(thrown instanceof BackstepError) || thrown.code === "cancelled") throw thrown;
    }
  }
  return acts;
}
