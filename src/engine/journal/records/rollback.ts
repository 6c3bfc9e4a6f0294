import { z } from "zod";
import type { ChangedAfterwards } from "../../../contract/events.ts";
import { COUNT, JSON_VALUE, record, ROLLBACK_VERDICT, STEP_VERDICT } from "./schema.ts";

/** A rollback begins. */
export const Rollback = record("rollback", {
  path: z.string(),
  /** The first record of an action that it may touch; 0: none. */
  from: COUNT,
  toBarrier: z.boolean(),
  savepoint: z.string().exactOptional(),
  /** The action is about to be tried again: the flow goes on after it. */
  retry: z.literal(true).exactOptional(),
});

/** An opposite action is about to be done, or a participant to be written. */
export const Undoing = record("undoing", { path: z.string(), begin: COUNT, what: z.string() });

/** One action or participant is rolled back, or is not. */
export const Undone = record("undone", {
  path: z.string(),
  /** Absent for the focus. */
  begin: COUNT.exactOptional(),
  what: z.string(),
  verdict: STEP_VERDICT,
});

/** A rollback is over. */
export const RolledBack = record("rolled-back", {
  path: z.string(),
  verdict: ROLLBACK_VERDICT,
  retry: z.literal(true).exactOptional(),
});

/** What had been read as it should be no longer reads so. */
export const Changed = record("changed-afterwards", {
  /** What was rolled back; "" is the file. */
  path: z.string(),
  /** The rollback's verdict now; absent: nothing was rolled back. */
  verdict: ROLLBACK_VERDICT.exactOptional(),
  encrypted: z.string(),
});

/** What is encrypted in it. */
export const ChangedContent: z.ZodType<readonly ChangedAfterwards[]> = z.array(z.strictObject({
  path: z.string(),
  participant: z.string(),
  property: z.string(),
  expected: JSON_VALUE,
  actual: JSON_VALUE,
  afterwards: z.literal(true).exactOptional(),
})).readonly();
