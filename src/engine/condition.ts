import { type BackstepError, toBackstepError } from "../base/error.ts";
import { equalJson } from "../contract/participant.ts";
import type { RunContext } from "./run-context.ts";
import type { Scope } from "./scope.ts";
import type { Condition } from "./step.ts";
import { fill } from "./template.ts";

/**
 * Whether a condition holds. An assertion that fails, or whose target is not there, is false; anything else that goes
 * wrong (a dead application, a bad selector) is an error, not an answer.
 */
export async function holds(
  condition: Condition,
  scope: Scope,
  run: RunContext,
  app: string | undefined,
  signal?: AbortSignal,
): Promise<boolean> {
  if (condition.kind === "equals") {
    const equal = equalJson(fill(condition.left, scope), fill(condition.right, scope));
    return equal !== condition.negate;
  }
  try {
    await run.gate.dispatch({ operation: "assert", input: fill(condition.input, scope) }, {
      timeout: Math.max(1, run.deadline.remaining()),
      ...(app === undefined ? {} : { app }),
      ...(signal === undefined ? {} : { signal }),
    });
    return !condition.negate;
  } catch (thrown) {
    if (saysNo(toBackstepError(thrown))) return condition.negate;
    throw thrown;
  }
}

function saysNo(error: BackstepError): boolean {
  return error.code === "assertion" || error.code === "not_found" || error.code === "app_not_running";
}
