import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import { Description } from "../../testing/description.ts";
import { Job } from "../../testing/wire.ts";

/** Path of a file below the project's folder, with "/", to the hash of what is in it. */
export const Manifest = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/));
/** Path of a file below the project's folder, with "/", to the hash of what is in it. */
export type Manifest = Readonly<z.infer<typeof Manifest>>;

/** What a job is to do: everything that a worker needs but the files themselves, and no secret. */
export const JobSpec = z.object({
  version: z.literal(1),
  /** As reports name it: the path, its case in brackets, "#2" for the second repetition. */
  id: z.string(),
  /** Relative to `cwd`. */
  file: z.string(),
  /** The folder that it was submitted from, below the project's. */
  cwd: z.string(),
  case: z.string().optional(),
  project: z.string().optional(),
  /** What the file says of itself; absent: it could not be read. */
  description: Description.optional(),
  /** What its run is given. */
  given: Job.omit({ file: true, run: true, state: true, case: true, cwd: true, claims: true, root: true }),
});
/** What a job is to do. */
export type JobSpec = Readonly<z.infer<typeof JobSpec>>;

/** What all jobs of a run share. */
export const RunOptionsRow = z.object({
  /** Failed files after which nothing more is begun. */
  maxFailures: z.number().optional(),
  failOnFlaky: z.boolean(),
  /** Milliseconds of a lease. */
  lease: z.number(),
  priority: z.number(),
  /** Milliseconds that journals and evidence are kept; absent: as long as the run. */
  keep: z.number().optional(),
});
/** What all jobs of a run share. */
export type RunOptionsRow = Readonly<z.infer<typeof RunOptionsRow>>;

/** Reads a job of the database. One that another version wrote is refused. */
export function readSpec(spec: unknown): JobSpec {
  const read = JobSpec.safeParse(spec);
  if (read.success) return read.data;
  throw new BackstepError("invalid", "Cannot read the job: another version of Backstep submitted it", {
    hint: "Use the same version on all machines.",
    details: { fault: read.error.issues[0]?.message ?? "" },
  });
}
