import { z } from "zod";
import { COUNT, record, STEP_VERDICT } from "./schema.ts";

/** Another process takes over from one that was killed. */
export const Recover = record("recover", { way: z.enum(["rollback", "resume"]) });

/** A run that has ended is undone after all, from the record of this action on. */
export const UndoRun = record("undo", { from: COUNT });

/** What that undid is put in place again. */
export const RedoRun = record("redo", { from: COUNT });

/** One participant is as the action had left it, or is not. */
export const Redone = record("redone", {
  path: z.string(),
  begin: COUNT.exactOptional(),
  what: z.string(),
  verdict: STEP_VERDICT,
});
