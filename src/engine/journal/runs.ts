import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { closest } from "../../base/closest.ts";
import { readJournal, runFolder } from "./journal.ts";
import { lockedBy } from "./lock.ts";
import type { JournalRecord } from "./records/mod.ts";
import { type DiskLine, onDisk } from "./records/parse.ts";

/** A run as `runs list` tells it. */
export interface RunRecord {
  readonly run: string;
  readonly workflow: string;
  /** "running": a living process is at it. "cut off": it has no end, and no process. "broken": its journal cannot be read. */
  readonly status: "passed" | "failed" | "cancelled" | "running" | "cut off" | "broken";
  /** ISO 8601; "" where it is not known. */
  readonly began: string;
  /** The exit code; null while it has none. */
  readonly exit: number | null;
  /** What came of its undo. */
  readonly rollback: string | null;
  readonly desktop: string;
  /** What of it still stands after an undo. */
  readonly undone: boolean;
}

/** Every run in a state folder, oldest first. */
export function listRuns(state: string): RunRecord[] {
  return runIds(state).map((run) => recordOf(state, run));
}

/** The runs that were cut off: they have no end, and no living process. */
export function openRuns(state: string): string[] {
  return listRuns(state).filter(({ status }) => status === "cut off").map(({ run }) => run);
}

/** One run. Throws `not_found`, naming the nearest. */
export function findRun(state: string, run: string): RunRecord {
  if (/^[\w-]+$/.test(run) && existsSync(runFolder(state, run))) return recordOf(state, run);
  const near = closest(run, runIds(state));
  throw new BackstepError(
    "not_found",
    `Cannot find run ${JSON.stringify(run.slice(0, 60))}: there is no such run`,
    {
      hint: near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "See: backstep runs list",
    },
  );
}

/** The lines of a run's journal as they are written: what is encrypted stays encrypted. */
export function linesOf(state: string, run: string): DiskLine[] {
  findRun(state, run);
  return readJournal(runFolder(state, run)).map(onDisk);
}

/**
 * Copies a run's folder. Its key stays behind: what was on the desktop cannot be read from the copy. Throws `io` when there
 * is something at the place already.
 */
export function exportRun(state: string, run: string, to: string): void {
  findRun(state, run);
  if (existsSync(to)) {
    throw new BackstepError("io", `Cannot export run ${run} to ${to}: there is something already`);
  }
  try {
    mkdirSync(to, { recursive: true, mode: 0o700 });
    for (const name of ["journal.jsonl", "artefacts"]) {
      const from = join(runFolder(state, run), name);
      if (existsSync(from)) cpSync(from, join(to, name), { recursive: true });
    }
  } catch (cause) {
    throw new BackstepError("io", `Cannot export run ${run} to ${to}: ${toBackstepError(cause).message}`, {
      cause,
    });
  }
}

/** The ids of all runs in a state folder, oldest first. */
export function runIds(state: string): string[] {
  try {
    return readdirSync(join(state, "runs"), { withFileTypes: true })
      .flatMap((entry) => entry.isDirectory() ? [entry.name] : []).sort();
  } catch {
    return []; // nothing has run yet
  }
}

function recordOf(state: string, run: string): RunRecord {
  const nothing = { run, workflow: "", began: "", exit: null, rollback: null, desktop: "", undone: false };
  let records: JournalRecord[];
  try {
    records = readJournal(runFolder(state, run));
  } catch {
    return { ...nothing, status: "broken" };
  }
  const [first] = records;
  const last = records.at(-1);
  if (!first || !last) {
    return { ...nothing, status: lockedBy(state, run) === undefined ? "broken" : "running" };
  }
  // What a run wrote begins with what it is.
  if (first.kind !== "run") return { ...nothing, status: "broken" };
  const running = lockedBy(state, run) !== undefined;
  const end = last.kind === "end" ? last : undefined;
  return {
    run,
    workflow: first.workflow,
    status: running ? "running" : end ? end.status : "cut off",
    began: new Date(first.at).toISOString(),
    exit: end?.exit ?? null,
    rollback: end?.rollback ?? null,
    desktop: first.desktop.label,
    undone: records.findLast(({ kind }) => kind === "undo" || kind === "redo")?.kind === "undo",
  };
}
