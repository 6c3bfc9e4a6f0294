import type { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import { isMap } from "../../base/json.ts";
import type { RollbackVerdict } from "../../contract/events.ts";
import type { Image } from "../../contract/participant.ts";
import { journalFile, readJournal } from "./read-journal.ts";
import type { EarlierStepLine, LateChange, PastAction } from "./past-run-lines.ts";
import type { Encryption } from "./encryption.ts";
import { ActionBeginContent, ActionEndContent } from "./records/action.ts";
import type { JournalRecord, RecordOf } from "./records/mod.ts";
import { parseContent } from "./records/parse.ts";
import { RunContent } from "./records/run.ts";

export type { PastAction } from "./past-run-lines.ts";

/** A run as its journal tells it. */
export class PastRun {
  /** The first record: what runs, and where. */
  readonly head: RecordOf<"run">;
  readonly given: RunContent;
  readonly records: readonly JournalRecord[];
  /** Actions that stand, oldest first: done or in doubt, and not rolled back. */
  actions: PastAction[] = [];
  /** Actions that an undo undid. */
  taken: PastAction[] = [];
  readonly steps = new Map<string, EarlierStepLine>();
  readonly choices = new Map<string, boolean>();
  readonly begun = new Map<string, { attempt: number; committed: boolean; in: string | undefined }>();
  readonly savepoints = new Set<string>();
  /** Savepoints that stand, in the order in which they were passed, each with the number of its line. */
  marks: { readonly name: string; readonly line: number }[] = [];
  /** What came of each `rollback_to:`. */
  readonly rollbacks = new Map<string, RollbackVerdict>();
  /** What came of the rollbacks that were to end the run, or an undo. */
  verdicts: RollbackVerdict[] = [];
  /** A step that failed, or a rollback that began, and after which the flow did not go on. */
  failing: string | undefined;
  /** The last line, when it is the end. */
  finished: Pick<RecordOf<"end">, "status" | "exit" | "rollback"> | undefined;
  lateChange: LateChange | undefined;
  #settled = 0;
  /** Where it is: another desktop than at first, once it was rebuilt. */
  desktop: string | undefined;
  #back: { readonly from: number; readonly retry: boolean; readonly savepoint: boolean } | undefined;
  readonly #file: string;
  readonly #encryption: Encryption;
  readonly #late: ReadonlySet<string>;

  /** Throws `io` when the journal is not what was written, or was encrypted with another key. */
  constructor(folder: string, encryption: Encryption) {
    this.#encryption = encryption;
    this.#file = journalFile(folder);
    this.records = readJournal(folder);
    const [head, ...rest] = this.records;
    if (head?.kind !== "run") {
      throw new BackstepError("io", `Cannot read the journal in ${folder}: it does not say what ran`, {
        hint: "It was written by another version of backstep, or the run had not begun.",
      });
    }
    this.head = head;
    this.given = this.#content(RunContent, head);
    this.desktop = head.desktop.id ?? undefined;
    this.#late = new Set(head.desktop.kind === "attached" ? [] : ["files"]);
    for (const record of rest) this.#take(record);
  }

  /** Transactions that were open, the innermost first, and last the file. */
  get levels(): { readonly owner: string; readonly actions: readonly PastAction[] }[] {
    const owners = [...new Set([...this.actions.map((action) => action.undoLog), ""])];
    return owners.sort((a, b) => b.length - a.length).map((owner) => ({
      owner,
      actions: this.actions.filter((action) => action.undoLog === owner),
    }));
  }

  /** Whether a rollback was under way after which the run was to end. */
  get rollback(): boolean {
    return this.#back !== undefined && !this.#back.retry && !this.#back.savepoint;
  }

  /**
   * The line up to which all was answered to whoever called it: a recovery leaves that as it is. Where an undo of some of it
   * was cut off, that is finished.
   */
  get settled(): number {
    const from = this.#back?.from ?? 0;
    return from > 0 ? Math.min(this.#settled, from) : this.#settled;
  }

  #take(record: JournalRecord): void {
    switch (record.kind) {
      case "action-begin":
        return this.#actionBegin(record);
      case "action-renewed":
        return this.#actionRenewed(record);
      case "action-end":
        return this.#actionEnd(record);
      case "gone":
        for (const [begin, index] of record.images) this.#action({ begin })?.gone.set(index, record.path);
        return;
      case "step":
        return this.#step(record);
      case "chose":
        return void this.choices.set(`${record.what} ${record.path}`, record.value);
      case "savepoint":
        this.marks = [...this.marks, { name: record.name, line: record.n }];
        return void this.savepoints.add(record.path);
      case "begin":
        return this.#begin(record);
      case "commit": {
        const begun = this.begun.get(record.path);
        if (begun) begun.committed = true;
        for (const action of this.actions) {
          if (action.undoLog === record.path) action.undoLog = begun?.in ?? "";
        }
        if (record.stopped) this.failing = record.path;
        return;
      }
      case "settled":
        this.#settled = record.n;
        this.failing = undefined;
        this.verdicts = [];
        return;
      case "rollback": {
        const { from, path, retry = false, savepoint } = record;
        this.#back = { from, retry, savepoint: savepoint !== undefined };
        if (!retry && savepoint === undefined) this.failing = path === "" ? "the file" : path;
        return;
      }
      case "undoing":
        return void this.#action(record)?.undoing.add(record.what);
      case "undone":
        return void this.#action(record)?.undone.set(record.what, record.verdict);
      case "rolled-back":
        return this.#rolledBack(record);
      case "changed-afterwards":
        if (record.verdict !== undefined) this.verdicts.push(record.verdict);
        return;
      case "rebuilt":
        this.desktop = record.desktop.id ?? undefined;
        return;
      case "undo":
      case "redo":
        this.lateChange = { kind: record.kind, from: record.from };
        this.finished = undefined;
        this.verdicts = [];
        return;
      case "end":
        if (this.lateChange?.kind === "redo") this.#redone(this.lateChange.from);
        this.lateChange = undefined;
        this.finished = { status: record.status, exit: record.exit, rollback: record.rollback };
        return;
    }
  }

  /** What is encrypted in a record. */
  #content<T>(schema: z.ZodType<T>, { n, encrypted }: { readonly n: number; readonly encrypted: string }): T {
    return parseContent(schema, this.#encryption.decrypt(encrypted), { file: this.#file, line: n });
  }

  #actionBegin(record: RecordOf<"action-begin">): void {
    const { n, path, operation, effect, passable = false, undoLog } = record;
    if (undoLog === null) return; // before, after and rollbacks are not rolled back
    const reported = this.#content(ActionBeginContent, record);
    for (const { key, image, participant } of reported.beforeImages) {
      const kind = isMap(participant) ? participant["kind"] : undefined;
      if (typeof kind === "string" && this.#late.has(kind)) this.#follow(key, image);
    }
    this.actions.push({
      path,
      intent: n,
      operation,
      effect,
      passable,
      reported,
      undoLog,
      outcome: "none",
      after: [],
      inverse: undefined,
      left: undefined,
      output: null,
      gone: new Map(),
      undone: new Map(),
      undoing: new Set(),
    });
  }

  /** Its element was found anew: what was before is what was read of that one. */
  #actionRenewed(record: RecordOf<"action-renewed">): void {
    const { effect, passable = false } = record;
    const action = this.#action(record);
    if (action) {
      Object.assign(action, { effect, passable, reported: this.#content(ActionBeginContent, record) });
    }
  }

  /** What is late is as it is now because of the action before. */
  #follow(key: string, image: Image): void {
    const last = this.actions.findLast((action) =>
      action.reported.beforeImages.some((one) => one.key === key)
    );
    if (!last || last.outcome === "none") return;
    last.after = last.reported.beforeImages.map((one, i) => one.key === key ? image : last.after[i] ?? null);
  }

  #actionEnd(record: RecordOf<"action-end">): void {
    const action = this.#action(record);
    if (!action) return;
    action.outcome = record.outcome;
    const { encrypted } = record;
    if (encrypted === undefined) return; // `done_when` told
    const { afterImages, inverse, left, front, output } = this.#content(ActionEndContent, {
      ...record,
      encrypted,
    });
    Object.assign(action, {
      after: afterImages,
      inverse: inverse ?? undefined,
      left: left === null ? undefined : { windows: left, front },
      output,
    });
    const { unsent } = record;
    if (unsent) {
      const beforeImages = action.reported.beforeImages.map((one, index) => {
        const image = unsent.includes(index) ? afterImages[index] : undefined;
        return image ? { ...one, image } : one;
      });
      action.reported = { ...action.reported, beforeImages };
    }
  }

  #step({ path, status, encrypted }: RecordOf<"step">): void {
    if (/(^|\.)undo\./.test(path)) return;
    this.steps.set(path, {
      status,
      output: encrypted === undefined ? undefined : this.#encryption.decrypt(encrypted),
    });
    if (status === "failed") this.failing = path;
    else if (!/(^|\.)after\./.test(path)) this.failing = undefined;
  }

  #begin({ path, attempt, in: within }: RecordOf<"begin">): void {
    // Tried again: what the try before did was rolled back.
    for (const map of [this.steps, this.begun, this.rollbacks]) {
      for (const key of map.keys()) if (key.startsWith(`${path}.`)) map.delete(key);
    }
    for (const key of this.choices.keys()) {
      if (key.split(" ")[1]?.startsWith(`${path}.`)) this.choices.delete(key);
    }
    for (const key of this.savepoints) if (key.startsWith(`${path}.`)) this.savepoints.delete(key);
    this.begun.set(path, { attempt, committed: false, in: within ?? undefined });
    this.failing = undefined;
  }

  #rolledBack({ path, verdict }: RecordOf<"rolled-back">): void {
    const back = this.#back;
    this.#back = undefined;
    if (!back) return;
    const touched = this.actions.filter((action) => back.from > 0 && action.intent >= back.from);
    if (back.retry) {
      for (const action of touched.filter((one) => one.intent === back.from)) {
        action.undone.clear();
        action.undoing.clear();
      }
      return;
    }
    this.actions = this.actions.filter((action) => !touched.includes(action));
    // One that came after the first action that was rolled back is in the past no more.
    if (back.from > 0) this.marks = this.marks.filter(({ line: at }) => at < back.from);
    if (this.lateChange) this.taken = [...this.taken, ...touched].sort((a, b) => a.intent - b.intent);
    if (back.savepoint) this.rollbacks.set(path, verdict);
    if (!back.savepoint || verdict === "drift" || verdict === "failed") this.verdicts.push(verdict);
  }

  #redone(from: number): void {
    const back = this.taken.filter((action) => action.intent >= from);
    for (const action of back) {
      action.undone.clear();
      action.undoing.clear();
    }
    this.taken = this.taken.filter((action) => action.intent < from);
    this.actions = [...this.actions, ...back].sort((a, b) => a.intent - b.intent);
  }

  #action({ begin }: { readonly begin?: number }): PastAction | undefined {
    return this.actions.find(({ intent }) => intent === begin);
  }
}
