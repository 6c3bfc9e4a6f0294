import { BackstepError, type ErrorCode } from "../../base/error.ts";

/** A check that failed without ending the flow. */
export interface SoftFailure {
  readonly path: string;
  /** The step, for people. */
  readonly name: string;
  readonly error: BackstepError;
}

/** What a check says no with; a selector that cannot be, or an interrupt, ends the flow as ever. */
const SAYS_NO: ReadonlySet<ErrorCode> = new Set([
  "assertion",
  "not_found",
  "ambiguous",
  "not_actionable",
  "stale",
  "timeout",
  "app_not_running",
  "app_gone",
]);
/** Failures written out in the error of a run. */
const MOST = 20;
/** Characters of them together. */
const LONGEST = 6_000;

/** Does an error of a `soft` step let the flow go on? */
export function isSoft(error: BackstepError): boolean {
  return SAYS_NO.has(error.code);
}

/** Where a text is cut it says so: a secret whose beginning stands before the cut is found by that. */
function bounded(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The error of a flow that went on although checks failed: all of them; undefined when none did. */
export function softFailure({ soft }: { readonly soft: readonly SoftFailure[] }): BackstepError | undefined {
  if (soft.length === 0) return undefined;
  const lines = soft.slice(0, MOST).map(({ path, name, error }) => `\n  ${path} ${name}: ${error.message}`);
  const more = soft.length > MOST ? `\n  and ${soft.length - MOST} more` : "";
  const what = soft.length === 1 ? "a soft check" : `${soft.length} soft checks`;
  return new BackstepError("assertion", `Cannot confirm ${what}:${bounded(lines.join(""))}${more}`, {
    hint: "The flow continued after each of them.",
    details: {
      soft: soft.slice(0, MOST).map(({ path, name, error }) => ({
        path,
        name,
        code: error.code,
        message: error.message.slice(0, 500),
      })),
      total: soft.length,
    },
  });
}
