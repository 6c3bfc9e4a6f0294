import { isMap, toJson } from "../../base/json.ts";
import type { ActOutcome } from "../../contract/gate.ts";

/** The operation found it as wanted, and sent nothing. */
export function sentNothing(answer: ActOutcome): boolean {
  if (!answer.ok) return false;
  const output = toJson(answer.output);
  return isMap(output) && output["method"] === "none";
}
