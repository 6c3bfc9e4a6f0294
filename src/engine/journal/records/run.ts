import { z } from "zod";
import { JSON_MAP, record, ROLLBACK_VERDICT } from "./schema.ts";

/**
 * The version of the format, on the first record; absent: 1. It is raised with every kind and field that is added: a
 * program that does not know one of them must not take the run back.
 */
export const VERSION = 6;

const DESKTOP_KIND = z.enum(["isolated", "attached", "simulated"]);

/** The first record: what runs, on which desktop. */
export const Run = record("run", {
  version: z.number().int().min(1).max(VERSION).exactOptional(),
  run: z.string(),
  workflow: z.string(),
  file: z.string(),
  /** SHA-256 of the step model. */
  digest: z.string(),
  desktop: z.strictObject({
    kind: DESKTOP_KIND,
    label: z.string(),
    /** Of a private one. */
    id: z.string().nullable(),
    mode: z.enum(["focus", "background"]),
  }),
  /** Their names. */
  secrets: z.array(z.string()).readonly(),
  durability: z.enum(["barriers", "full"]).exactOptional(),
  encrypted: z.string(),
});

/** What is encrypted in it: what the run was given. */
export const RunContent = z.strictObject({
  vars: JSON_MAP,
  /** The work item that the run was for. */
  item: JSON_MAP.exactOptional(),
  app: z.string().nullable(),
  folder: z.string(),
  policy: z.enum(["stop", "ask", "force"]),
  /** Paths of files, by the names of the secrets that they hold. */
  secretFiles: z.record(z.string(), z.string()).exactOptional(),
});
export type RunContent = z.infer<typeof RunContent>;

/** The last record. */
export const End = record("end", {
  status: z.enum(["passed", "failed", "cancelled"]),
  exit: z.number().int(),
  /** "gone": the desktop died, and what was on it. */
  rollback: z.union([ROLLBACK_VERDICT, z.literal("gone")]),
});

/** The private desktop is about to be replaced, and so many steps to be replayed. */
export const Rebuild = record("rebuild", { path: z.string(), steps: z.number().int().nonnegative() });

/** It was replaced; what follows is on the new one. */
export const Rebuilt = record("rebuilt", {
  desktop: z.strictObject({ kind: DESKTOP_KIND, id: z.string().nullable() }),
});

/** What was seen of the run, as an artefact. */
export const Evidence = record("evidence", {
  artefact: z.string(),
  steps: z.number().int().nonnegative(),
  pictures: z.number().int().nonnegative(),
  dropped: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
});
