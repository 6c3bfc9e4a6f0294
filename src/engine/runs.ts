import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import { closest } from "../base/closest.ts";
import { type JournalLine, readJournal, runFolder } from "./journal.ts";
import { lockedBy } from "./lock.ts";

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
  /** What came of its way back. */
  readonly rollback: string | null;
  readonly desktop: string;
  /** What of it still stands after an undo. */
  readonly undone: boolean;
}

/** Every run in a state folder, oldest first. */
export function listRuns(state: string): RunRecord[] {
  return idsOf(state).map((run) => recordOf(state, run));
}

/** The runs that were cut off: they have no end, and no living process. */
export function openRuns(state: string): string[] {
  return listRuns(state).filter(({ status }) => status === "cut off").map(({ run }) => run);
}

/** One run. Throws `not_found`, naming the nearest. */
export function findRun(state: string, run: string): RunRecord {
  if (/^[\w-]+$/.test(run) && existsSync(runFolder(state, run))) return recordOf(state, run);
  const near = closest(run, idsOf(state));
  throw new BackstepError(
    "not_found",
    `Cannot find run ${JSON.stringify(run.slice(0, 60))}: there is no such run`,
    {
      hint: near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "See: backstep runs list",
    },
  );
}

/** The lines of a run's journal as they are written: what is sealed stays sealed. */
export function linesOf(state: string, run: string): JournalLine[] {
  findRun(state, run);
  return readJournal(runFolder(state, run));
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

function idsOf(state: string): string[] {
  try {
    return readdirSync(join(state, "runs"), { withFileTypes: true })
      .flatMap((entry) => entry.isDirectory() ? [entry.name] : []).sort();
  } catch {
    return []; // nothing has run yet
  }
}

function recordOf(state: string, run: string): RunRecord {
  const nothing = { run, workflow: "", began: "", exit: null, rollback: null, desktop: "", undone: false };
  let lines: JournalLine[];
  try {
    lines = readJournal(runFolder(state, run));
  } catch {
    return { ...nothing, status: "broken" };
  }
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) {
    return { ...nothing, status: lockedBy(state, run) === undefined ? "broken" : "running" };
  }
  const running = lockedBy(state, run) !== undefined;
  const status = running ? "running" : last.kind !== "end" ? "cut off" : statusOf(last["status"]);
  const desktop = first["desktop"];
  const label = desktop && typeof desktop === "object" && "label" in desktop ? String(desktop["label"]) : "";
  return {
    run,
    workflow: String(first["workflow"] ?? ""),
    status,
    began: new Date(first.at).toISOString(),
    exit: typeof last["exit"] === "number" ? last["exit"] : null,
    rollback: typeof last["rollback"] === "string" ? last["rollback"] : null,
    desktop: label,
    undone: lines.findLast(({ kind }) => kind === "undo" || kind === "redo")?.kind === "undo",
  };
}

function statusOf(status: Json | undefined): "passed" | "failed" | "cancelled" {
  return status === "passed" || status === "cancelled" ? status : "failed";
}
