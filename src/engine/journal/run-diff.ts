import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { closest } from "../../base/closest.ts";
import { BackstepError, type Json, toBackstepError } from "../../base/error.ts";
import { isList, isMap, toJson } from "../../base/json.ts";
import { equalJson } from "../../contract/participant.ts";
import { journalFile } from "./read-journal.ts";
import { readJournal, runFolder } from "./journal.ts";
import type { JournalRecord } from "./records/mod.ts";
import { onDisk } from "./records/parse.ts";
import { shownWords } from "./encrypted-words.ts";
import { Encryption } from "./encryption.ts";

/** One field in which two events differ. */
export interface FieldDifference {
  /** "status", "encrypted.input.value"… */
  readonly field: string;
  /** In the first run; null: it is not there. */
  readonly first: Json;
  /** In the second. */
  readonly second: Json;
}

/** Where two runs part. */
export interface Divergence {
  /** Lines of the two journals, from 1; null: that run has ended before. */
  readonly lines: { readonly first: number | null; readonly second: number | null };
  /** What happened there: "intent", "step"… of each; null: nothing more. */
  readonly kinds: { readonly first: string | null; readonly second: string | null };
  /** Paths of the steps; null where the event belongs to none. */
  readonly paths: { readonly first: string | null; readonly second: string | null };
  /** Of events of the same kind and step: each field that differs, at most 50. */
  readonly fields: readonly FieldDifference[];
}

/** Two runs beside each other. */
export interface RunDiff {
  /** Id of the first run. */
  readonly first: string;
  /** Id of the second. */
  readonly second: string;
  /** No event of one differs from the other's. */
  readonly same: boolean;
  /** Events that are the same in both, from the beginning. */
  readonly common: number;
  /** What differs before anything is done: the workflow, its digest, the kind of desktop. */
  readonly context: readonly FieldDifference[];
  /** The last step that went the same way in both; absent: none did. */
  readonly after?: string;
  /** Where they part; absent when they are the same. */
  readonly divergence?: Divergence;
  /** Runs whose encrypted parts (inputs, images, answers) could not be opened: those were not compared. */
  readonly unopened: readonly string[];
}

/** Differs from run to run without meaning anything: process ids, times, places on the screen and in the file. */
const ACCIDENTAL = /^(pid|processId|position|size|rect|place|at|n|run)$|_ms$/;
const MOST_FIELDS = 50;

/**
 * Compares two runs by their journals, event for event, and answers where they part first. A run is given by its id, by a
 * beginning of it that only one run has, or as its folder.
 *
 * @throws {BackstepError} `not_found` for a run that is not there, `io` for a journal that cannot be read.
 */
export function diffRuns(state: string, firstRun: string, secondRun: string): RunDiff {
  const folders = [folderOf(state, firstRun), folderOf(state, secondRun)] as const;
  const runs = folders.map((folder) => openRun(state, folder));
  const unopened = runs.filter(({ encryption }) => encryption === undefined).map(({ name }) => name);
  // What one does not show cannot be compared with what the other does.
  const [first, second] = runs.map(({ name, records, encryption }) => ({
    name,
    records,
    events: records.slice(1).map((record) => eventOf(record, unopened.length > 0 ? undefined : encryption)),
  }));
  if (!first || !second) throw new BackstepError("internal", "Cannot compare: a run is missing");
  let common = 0;
  const most = Math.max(first.events.length, second.events.length);
  while (common < most && equalJson(first.events[common] ?? null, second.events[common] ?? null)) common++;
  const [a, b] = [first.events[common], second.events[common]];
  const after = first.records.slice(1, common + 1).findLast((record) => record.kind === "step");
  return {
    first: first.name,
    second: second.name,
    same: common === most,
    common,
    context: fieldsOf(headOf(first.records[0]), headOf(second.records[0])),
    ...(after ? { after: after.path } : {}),
    ...(common === most ? {} : {
      divergence: {
        lines: {
          first: first.records[common + 1]?.n ?? null,
          second: second.records[common + 1]?.n ?? null,
        },
        kinds: { first: word(a, "kind"), second: word(b, "kind") },
        paths: { first: word(a, "path"), second: word(b, "path") },
        fields: a && b && word(a, "kind") === word(b, "kind") && word(a, "path") === word(b, "path")
          ? fieldsOf(a, b)
          : [],
      },
    }),
    unopened,
  };
}

type Event = { readonly [field: string]: Json };

interface OpenedRun {
  readonly name: string;
  readonly records: readonly JournalRecord[];
  readonly encryption: Encryption | undefined;
}

function openRun(state: string, folder: string): OpenedRun {
  // What was seen of a run is beside the point: a picture differs by a clock.
  const records = readJournal(folder).filter(({ kind }) => kind !== "evidence");
  const [head] = records;
  const name = head?.kind === "run" ? head.run : basename(folder);
  // A run of another state folder keeps its key beside its own runs.
  for (const home of [state, dirname(dirname(folder))]) {
    try {
      return { name, records, encryption: Encryption.open(home, name) };
    } catch (thrown) {
      if (toBackstepError(thrown).code !== "io") throw thrown;
    }
  }
  return { name, records, encryption: undefined };
}

function folderOf(state: string, run: string): string {
  const path = resolve(run);
  if (existsSync(journalFile(path))) return path;
  if (existsSync(journalFile(runFolder(state, run)))) return runFolder(state, run);
  const runs = existsSync(join(state, "runs")) ? readdirSync(join(state, "runs")).sort() : [];
  const [only, ...others] = runs.filter((id) => id.startsWith(run));
  if (run !== "" && only !== undefined && others.length === 0) return runFolder(state, only);
  const near = only === undefined ? closest(run, runs) : [only, ...others].slice(0, 5);
  throw new BackstepError(
    only === undefined ? "not_found" : "ambiguous",
    only === undefined
      ? `Cannot find the run ${run.slice(0, 200)}`
      : `Cannot tell which run "${run}" is: ${others.length + 1} begin so`,
    {
      hint: near.length > 0
        ? `There is ${near.join(", ")}.`
        : `There are ${runs.length} runs in ${join(state, "runs")}.`,
    },
  );
}

/** What can be compared of the first line. */
function headOf(head: JournalRecord | undefined): Event {
  if (head?.kind !== "run") return { workflow: null, digest: null, desktop: null };
  return { workflow: head.workflow, digest: head.digest, desktop: head.desktop.kind };
}

/** A line, with the names of the disk, without what is accidental, its encrypted part opened. */
function eventOf(record: JournalRecord, encryption: Encryption | undefined): Event {
  const { sealed, ...rest } = onDisk(record);
  const open = typeof sealed === "string" && encryption ? shownWords(encryption.decrypt(sealed)) : undefined;
  const plain = essence(toJson(rest));
  return {
    ...(isMap(plain) ? plain : {}),
    ...(open === undefined ? {} : { sealed: essence(open) }),
  };
}

/** How a participant is found again holds addresses of one desktop, and so do the windows that were open. */
const ADDRESSES: ReadonlySet<string> = new Set(["participant", "opened", "desktop"]);

function essence(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map(essence);
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !ACCIDENTAL.test(key) && !ADDRESSES.has(key))
      .map(([key, one]) => [key, essence(one)] as const),
  );
}

function fieldsOf(a: Json, b: Json, field = ""): FieldDifference[] {
  if (equalJson(a, b)) return [];
  if (!isMap(a) || !isMap(b)) {
    if (!isList(a) || !isList(b) || a.length !== b.length) return [{ field, first: a, second: b }];
    return a.flatMap((one, i) => fieldsOf(one, b[i] ?? null, `${field}[${i}]`)).slice(0, MOST_FIELDS);
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) =>
    fieldsOf(a[key] ?? null, b[key] ?? null, field === "" ? key : `${field}.${key}`)
  ).slice(0, MOST_FIELDS);
}

function word(event: Event | undefined, key: string): string | null {
  const found = event?.[key];
  return typeof found === "string" ? found : null;
}
