import { BackstepError, type ErrorJson, toBackstepError } from "../base/error.ts";
import { compileRegex } from "../base/regex.ts";
import { defined } from "../base/defined.ts";
import type { Shard } from "../report/reporter.ts";
import { isProgram } from "../script/load-script.ts";
import { loadYaml } from "../script/load-file.ts";
import { describe, type Description, reasonToSkip } from "./description.ts";
import type { FoundFile } from "./find-files.ts";
import { type History, historyKey } from "./history.ts";
import { longestFirst, ofShard, shuffled, type Timed } from "./order.ts";
import type { GivenJob } from "./wire.ts";
import { PATIENCE, type Patience, WorkerProcess } from "./worker-process.ts";

/** A file that was chosen for a test run, or one of its cases. */
export interface Selected extends Timed {
  /** The path it is shown with, its case in brackets, and "#2" for its second repetition. */
  readonly id: string;
  readonly path: string;
  /** Which of the file's cases it is. */
  readonly case?: string;
  /** Undefined: it could not be read. */
  readonly description: Description | undefined;
  /** Why it could not be read. */
  readonly error?: ErrorJson;
  /** Why it is skipped. */
  readonly reason?: string;
  /** What it shares with others; a desktop that is there once is shared, too. */
  readonly locks: readonly string[];
  /** The project that it runs in. */
  readonly project?: string;
  /** It runs once, before or after all others of its project, or of the test run. */
  readonly role?: "before" | "after";
  /** The `Stage` that it belongs to. */
  readonly stage?: string;
  /** What its run is given, in the place of what the test run gives all files. */
  readonly job?: GivenJob;
  /** Further tries where it fails, in the place of those of the test run. */
  readonly retries?: number;
}

/** Which files a test run is to take. */
export interface Selection {
  /** A regular expression over "path [case] name"; each of several has to match. */
  readonly grep?: string | readonly string[] | undefined;
  /** One over the same: what it matches is left out. */
  readonly grepInvert?: string | readonly string[] | undefined;
  /** Each: one of its words must be among the file's tags ("smoke,gtk"), and none of those with a "!" before. */
  readonly tags: readonly string[];
  readonly shard?: Shard | undefined;
  /** Only what failed the last time. */
  readonly lastFailed: boolean;
  /** How often each is to run. */
  readonly repeat: number;
  /** Begins in an order of chance instead of with the longest; the same seed, the same order. */
  readonly shuffle?: number | undefined;
  /** The session that goes before the file's own. */
  readonly session?: string | undefined;
  /** The project that the files run in. */
  readonly project?: string | undefined;
}

/**
 * Reads what each file says of itself. The code of programs is run by that: a worker does it, so that nothing of theirs can hold
 * this process up. What cannot be read is answered with its error; so is what was not read when `signal` fired.
 */
export async function describeFiles(
  files: readonly FoundFile[],
  patience: Partial<Patience> = {},
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Description | ErrorJson>> {
  const found = new Map<string, Description | ErrorJson>();
  let worker: WorkerProcess | undefined;
  const interrupt = () => void worker?.kill();
  signal?.addEventListener("abort", interrupt);
  try {
    for (const { file, path } of files) {
      try {
        signal?.throwIfAborted();
        if (!isProgram(path)) {
          found.set(file, describe(loadYaml(file)));
          continue;
        }
        if (!worker || worker.over) {
          worker = new WorkerProcess({ patience: { ...PATIENCE, ...patience }, note: () => {} });
        }
        found.set(file, await worker.describe(file));
      } catch (thrown) {
        const error = signal?.aborted
          ? new BackstepError("cancelled", `Cannot read ${file}: interrupted`)
          : toBackstepError(thrown);
        // One that hangs can do nothing more.
        if (error.code === "timeout") await worker?.kill();
        found.set(file, error.toJSON());
      }
    }
  } finally {
    signal?.removeEventListener("abort", interrupt);
    await worker?.end();
  }
  return found;
}

/** The files that a test run takes, in the order in which they are to begin. */
export function select(
  files: readonly FoundFile[],
  descriptions: ReadonlyMap<string, Description | ErrorJson>,
  selection: Selection,
  history: History,
): Selected[] {
  const chosen = focused(choose(files, descriptions, selection, history));
  return arrange(selection.shard ? ofShard(chosen, selection.shard) : chosen, selection);
}

/** The files that a selection takes, each once, whatever the shard. */
export function choose(
  files: readonly FoundFile[],
  descriptions: ReadonlyMap<string, Description | ErrorJson>,
  selection: Selection,
  history: History,
): Selected[] {
  const [grep, grepInvert] = [selection.grep, selection.grepInvert].map((sources) =>
    [sources ?? []].flat().map((source) => compileRegex(source))
  );
  return files.flatMap((found): Selected[] => {
    const said = descriptions.get(found.file);
    if (said === undefined) return [];
    const description = "code" in said ? undefined : said;
    if (description && !selection.tags.every((one) => fits(one, description.tags))) return [];
    const reason = description && reasonToSkip(description, selection.session);
    return (description?.cases ?? [undefined]).flatMap((one): Selected[] => {
      const id = historyKey(found.file, one, selection.project);
      const text = `${id} ${description?.name ?? ""}`;
      if (grep?.some((each) => !each.test(text)) || grepInvert?.some((each) => each.test(text))) return [];
      const last = history.get(id);
      if (selection.lastFailed && last?.status !== "failed") return [];
      return [{
        ...found,
        id,
        description,
        ...("code" in said ? { error: said } : {}),
        ...defined({ reason, case: one, project: selection.project }),
        locks: locksOf(description, selection.session),
        expected: last?.duration_ms,
      }];
    });
  });
}

/** What a file shares with others; a desktop that is there once is shared, too. */
export function locksOf(description: Description | undefined, wanted: string | undefined): string[] {
  const session = wanted ?? description?.session ?? "isolated";
  const shared = session === "isolated" || session === "simulated" ? [] : [`desktop ${session}`];
  return [...description?.locks ?? [], ...shared];
}

/** Those that say `only: true`, where one does; else all. */
export function focused(chosen: readonly Selected[]): readonly Selected[] {
  const only = chosen.filter(({ description }) => description?.only);
  return only.length > 0 ? only : chosen;
}

/** Repeats files, and puts them in the order in which they are to begin. */
export function arrange(
  chosen: readonly Selected[],
  { repeat, shuffle }: Pick<Selection, "repeat" | "shuffle">,
): Selected[] {
  const repeated = Array.from({ length: repeat }, (_, turn) => {
    return chosen.map((one) => turn === 0 ? one : { ...one, id: `${one.id}#${turn + 1}` });
  });
  return shuffle === undefined ? longestFirst(repeated.flat()) : shuffled(repeated.flat(), shuffle);
}

function fits(wanted: string, tags: readonly string[]): boolean {
  const words = wanted.split(",").map((word) => word.trim()).filter((word) => word !== "");
  const any = words.filter((word) => !word.startsWith("!"));
  const none = words.flatMap((word) => word.startsWith("!") ? [word.slice(1)] : []);
  return (any.length === 0 || any.some((word) => tags.includes(word))) &&
    !none.some((word) => tags.includes(word));
}
