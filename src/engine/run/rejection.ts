import { BackstepError, type ErrorJson } from "../../base/error.ts";
import { fill } from "../model/fill.ts";
import type { RejectStep } from "../model/step.ts";
import type { Standing } from "./standing.ts";

/** Characters of a reason. */
const LONGEST = 1_000;

/** The business error that a `reject:` step ends the run with. */
export function rejection({ reason, place }: RejectStep, { scope, path }: Standing): BackstepError {
  const filled = fill(reason, scope);
  const text = typeof filled === "string" ? filled : JSON.stringify(filled);
  // Where a text is cut it says so: a secret whose beginning stands before the cut is found by that.
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return new BackstepError("rejected", `Rejected: ${shown}`, { place, details: { reason: shown, path } });
}

/** The reason of an error that is a rejection; undefined: it is another one. */
export function reasonOf({ code, details }: Pick<ErrorJson, "code" | "details">): string | undefined {
  const reason = details?.["reason"];
  return code === "rejected" ? typeof reason === "string" ? reason : "" : undefined;
}
