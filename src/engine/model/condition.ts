import { type BackstepError, type Json, toBackstepError } from "../../base/error.ts";
import { isMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { equalJson } from "../../contract/participant.ts";
import type { Budgeted } from "./budgets.ts";
import type { DesktopAccess } from "./desktop-access.ts";
import type { Scope } from "./scope.ts";
import type { Condition } from "./step.ts";
import { fill } from "./fill.ts";

/**
 * Whether a condition holds. An assertion that fails, or whose target is not there, is false; anything else that goes
 * wrong (a dead application, a bad selector) is an error, not an answer.
 */
export async function holds(
  condition: Condition,
  scope: Scope,
  run: Pick<DesktopAccess, "gate" | "deadline"> & Budgeted,
  app: string | undefined,
  options: {
    /** Look now, whatever the condition says. */
    readonly once?: boolean;
    /** An application that does not run is no answer: what happened in it is not to be seen. */
    readonly alive?: boolean;
  } = {},
): Promise<boolean> {
  if (condition.kind === "equals") {
    const equal = equalJson(fill(condition.left, scope), fill(condition.right, scope));
    return equal !== condition.negate;
  }
  const { deadline } = run;
  const written = fill(condition.input, scope);
  const input = options.once && isMap(written) ? { ...written, timeout: 0 } : written;
  try {
    await run.gate.dispatch({ operation: run.gate.operationWith("condition").name, input }, {
      timeout: Math.max(1, Math.min(deadline.remaining(), patienceOf(input, run.budgets.check))),
      ...defined({ app, signal: deadline.signal }),
    });
    return !condition.negate;
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (saysNo(error) && !(options.alive && error.code === "app_not_running")) return condition.negate;
    throw thrown;
  }
}

/**
 * What it waits, and the budget for looking beside that: a hung application must not cost the whole flow. A parsed
 * condition says in milliseconds how long it waits; written by hand it may say "5s".
 */
function patienceOf(input: Json, look: number): number {
  if (!isMap(input) || !("timeout" in input)) return 2 * look;
  return typeof input["timeout"] === "number" ? input["timeout"] + look : Infinity;
}

function saysNo(error: BackstepError): boolean {
  return error.code === "assertion" || error.code === "not_found" || error.code === "app_not_running";
}
