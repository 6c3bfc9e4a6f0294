import { z } from "zod";
import type { Effect } from "../../../contract/effect.ts";
import type { ErrorCode, Json } from "../../../base/error.ts";
import type { RollbackVerdict, StepVerdict } from "../../../contract/events.ts";

/**
 * One kind of record: its number, its time, and its own fields, in the order in which they are written. A field that is
 * not named here is an error.
 */
export function record<K extends string, S extends z.core.$ZodLooseShape>(kind: K, fields: S) {
  return z.strictObject({ n: COUNT, at: z.number(), kind: z.literal(kind), ...fields });
}

/** A number of things, or of a line. */
export const COUNT = z.number().int().nonnegative();

/** Any JSON: what operations take and return, and how participants describe themselves. */
export const JSON_VALUE: z.ZodType<Json> = z.custom<Json>((value) => value !== undefined);
export const JSON_MAP = z.record(z.string(), JSON_VALUE);

/** What an action's effect was judged to be. */
export const EFFECT: z.ZodType<Effect> = z.enum([
  "read",
  "restorable",
  "observed",
  "compensable",
  "irreversible",
]);

export const STEP_VERDICT: z.ZodType<StepVerdict> = z.enum([
  "restored",
  "already",
  "gone",
  "rebuilt",
  "compensated",
  "conflict",
  "unrestorable",
  "unknown",
  "failed",
]);

export const ROLLBACK_VERDICT: z.ZodType<RollbackVerdict> = z.enum([
  "none",
  "restored",
  "rebuilt",
  "drift",
  "failed",
]);

/** An error as results show it. Its code may be one that this program has no more: it is shown, not acted on. */
export const ERROR = z.strictObject({
  code: z.custom<ErrorCode>((value) => typeof value === "string"),
  message: z.string(),
  hint: z.string().exactOptional(),
  place: z.object({ file: z.string(), line: z.number(), column: z.number() }).exactOptional(),
  details: JSON_MAP.exactOptional(),
});
