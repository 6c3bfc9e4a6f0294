import { BackstepError } from "../../base/error.ts";
import { LIMITS } from "../schema/tables.ts";

/** The queue of jobs that need nothing but a worker. */
const JOBS = "jobs";
/** How far a priority of a run outweighs what its files last. */
const STEP = 1_000_000;
/** Milliseconds that count as one. */
const GRAIN = 10;
/** The most that it may last to count, in grains. */
const LONGEST = 500_000;
/** Of a run, and below 0 too. */
export const MOST_PRIORITY = 1_000;

/** Reads labels as they are written, "x11,gtk4": sorted, each once. Throws `usage`. */
export function readLabels(text: string): string[] {
  const words = text.split(",").map((word) => word.trim()).filter((word) => word !== "");
  for (const word of words) {
    if (/^[a-z0-9][a-z0-9._-]*$/.test(word) && word.length <= LIMITS.word) continue;
    throw new BackstepError(
      "usage",
      `Cannot use the label ${
        JSON.stringify(word.slice(0, 60))
      }: it is not small letters, digits, ".", "_" and "-"`,
    );
  }
  return [...new Set(words)].sort();
}

/** The queue of jobs that need these labels: a worker fetches from those whose labels it has. */
export function queueOf(labels: readonly string[]): string {
  return [JOBS, ...[...new Set(labels)].sort()].join("/");
}

/** The labels of a queue; undefined: it holds no jobs. */
export function labelsOf(queue: string): string[] | undefined {
  const [first, ...labels] = queue.split("/");
  return first === JOBS ? labels : undefined;
}

/** The queues that a worker with these labels can serve. */
export function servedBy(queues: readonly string[], labels: readonly string[]): string[] {
  return queues.filter((queue) => labelsOf(queue)?.every((label) => labels.includes(label)) ?? false);
}

/**
 * What is fetched first: the run of the higher priority, and in it what lasts longest, so that no long file begins when
 * the others are done. `expected`: milliseconds, undefined: unknown. A further try comes after all others.
 */
export function priorityOf(run: number, expected: number | undefined, again = false): number {
  const long = again ? 0 : Math.min(LONGEST, 1 + Math.round((expected ?? 1_000) / GRAIN));
  return baseOf(run) + long;
}

/** What was taken already, and lost by its worker, comes before all others of its run. */
export function urgent(run: number): number {
  return baseOf(run) + LONGEST + 1;
}

function baseOf(run: number): number {
  return Math.max(-MOST_PRIORITY, Math.min(MOST_PRIORITY, run)) * STEP;
}
