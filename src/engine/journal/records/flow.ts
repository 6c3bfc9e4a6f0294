import { z } from "zod";
import { record } from "./schema.ts";

/** A transaction begins, or is tried again. */
export const Begin = record("begin", {
  path: z.string(),
  name: z.string(),
  attempt: z.number().int().positive(),
  /** The transaction around it, "" the file. */
  in: z.string().nullable(),
});

/** A transaction's actions now belong to what is around it. */
export const Commit = record("commit", {
  path: z.string(),
  /** A step of it said `abort`: the flow does not go on. */
  stopped: z.literal(true).exactOptional(),
});

/** A place that the flow can go back to. */
export const Savepoint = record("savepoint", { path: z.string(), name: z.string() });

/** Which way a condition went. */
export const Chose = record("chose", {
  path: z.string(),
  what: z.enum(["if", "branch", "until"]),
  value: z.boolean(),
});

/** A call of a live run was answered: what is before it stays, unless its run is undone. */
export const Settled = record("settled", { path: z.string() });
