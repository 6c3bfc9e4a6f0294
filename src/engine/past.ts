import type { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { RollbackVerdict } from "../contract/events.ts";
import type { Image } from "../contract/participant.ts";
import { type JournalLine, readJournal } from "./journal.ts";
import {
  type Afterthought,
  effectOf,
  Given,
  Head,
  Intent,
  number,
  Outcome,
  outcomeOf,
  type PastDeed,
  type PastStep,
  rollbackVerdictOf,
  text,
  verdictOf,
} from "./past-lines.ts";
import type { Seal } from "./seal.ts";

export type { PastDeed } from "./past-lines.ts";

/** A run as its journal tells it. */
export class Past {
  readonly head: Head;
  readonly given: z.infer<typeof Given>;
  readonly lines: readonly JournalLine[];
  /** Deeds that stand, oldest first: done or in doubt, and not taken back. */
  deeds: PastDeed[] = [];
  /** Deeds that an undo took back. */
  taken: PastDeed[] = [];
  readonly steps = new Map<string, PastStep>();
  readonly choices = new Map<string, boolean>();
  readonly begun = new Map<string, { attempt: number; committed: boolean; in: string | undefined }>();
  readonly savepoints = new Set<string>();
  /** Savepoints that stand, in the order in which they were passed, each with the number of its line. */
  marks: { readonly name: string; readonly line: number }[] = [];
  /** What came of each `rollback_to:`. */
  readonly waysBack = new Map<string, RollbackVerdict>();
  /** What came of the ways back that were to end the run, or an undo. */
  verdicts: RollbackVerdict[] = [];
  /** A step that failed, or a way back that began, and after which the flow did not go on. */
  failing: string | undefined;
  /** The last line, when it is the end. */
  ended: { readonly status: string; readonly exit: number; readonly rollback: string } | undefined;
  afterthought: Afterthought | undefined;
  #settled = 0;
  /** Where it is: another desktop than at first, once it was rebuilt. */
  desktop: string | undefined;
  #back: { readonly from: number; readonly retry: boolean; readonly savepoint: boolean } | undefined;
  readonly #seal: Seal;
  readonly #late: ReadonlySet<string>;

  /** Throws `io` when the journal is not what was written, or was sealed with another key. */
  constructor(folder: string, seal: Seal) {
    this.#seal = seal;
    this.lines = readJournal(folder);
    const head = Head.safeParse(this.lines[0]);
    if (!head.success) {
      throw new BackstepError("io", `Cannot read the journal in ${folder}: it does not say what ran`, {
        hint: "It was written by another version of backstep, or nothing had begun.",
      });
    }
    this.head = head.data;
    this.given = Given.parse(seal.unseal(head.data.sealed));
    this.desktop = head.data.desktop.id ?? undefined;
    this.#late = new Set(head.data.desktop.kind === "attached" ? [] : ["files"]);
    for (const line of this.lines.slice(1)) this.#take(line);
  }

  /** Transactions that were open, the innermost first, and last the file. */
  get levels(): { readonly owner: string; readonly deeds: readonly PastDeed[] }[] {
    const owners = [...new Set([...this.deeds.map((deed) => deed.ledger), ""])];
    return owners.sort((a, b) => b.length - a.length).map((owner) => ({
      owner,
      deeds: this.deeds.filter((deed) => deed.ledger === owner),
    }));
  }

  /** Whether a way back was under way after which the run was to end. */
  get wayBack(): boolean {
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

  #take(line: JournalLine): void {
    const path = text(line["path"]);
    switch (line.kind) {
      case "intent":
        return this.#intent(line, path);
      case "outcome":
        return this.#outcome(line);
      case "step":
        return this.#step(line, path);
      case "chose":
        return void this.choices.set(`${text(line["what"])} ${path}`, line["value"] === true);
      case "savepoint":
        this.marks = [...this.marks, { name: text(line["name"]), line: line.n }];
        return void this.savepoints.add(path);
      case "begin":
        return this.#begin(line, path);
      case "commit": {
        const begun = this.begun.get(path);
        if (begun) begun.committed = true;
        for (const deed of this.deeds) if (deed.ledger === path) deed.ledger = begun?.in ?? "";
        if (line["stopped"] === true) this.failing = path;
        return;
      }
      case "settled":
        this.#settled = line.n;
        this.failing = undefined;
        this.verdicts = [];
        return;
      case "rollback":
        this.#back = {
          from: number(line["from"]),
          retry: line["retry"] === true,
          savepoint: typeof line["savepoint"] === "string",
        };
        if (!this.#back.retry && !this.#back.savepoint) this.failing = path === "" ? "the file" : path;
        return;
      case "undoing":
        return void this.#deed(line)?.undoing.add(text(line["what"]));
      case "undone":
        return void this.#deed(line)?.undone.set(text(line["what"]), verdictOf(line["verdict"]));
      case "rolled-back":
        return this.#rolledBack(line, path);
      case "changed-afterwards":
        if (line["verdict"] !== undefined) this.verdicts.push(rollbackVerdictOf(line["verdict"]));
        return;
      case "rebuilt":
        this.desktop = isMap(line["desktop"]) ? text(line["desktop"]["id"]) : this.desktop;
        return;
      case "undo":
      case "redo":
        this.afterthought = { kind: line.kind, from: number(line["from"]) };
        this.ended = undefined;
        this.verdicts = [];
        return;
      case "end":
        if (this.afterthought?.kind === "redo") this.#redone(this.afterthought.from);
        this.afterthought = undefined;
        this.ended = {
          status: text(line["status"]),
          exit: number(line["exit"]),
          rollback: text(line["rollback"]),
        };
        return;
    }
  }

  #intent(line: JournalLine, path: string): void {
    if (typeof line["ledger"] !== "string") return; // before, after and ways back are not taken back
    const told = Intent.parse(this.#seal.unseal(text(line["sealed"])));
    for (const { key, image, participant } of told.before) {
      if (isMap(participant) && this.#late.has(text(participant["kind"]))) this.#follow(key, image);
    }
    this.deeds.push({
      path,
      intent: line.n,
      operation: text(line["operation"]),
      effect: effectOf(line["effect"]),
      passable: line["passable"] === true,
      told,
      ledger: line["ledger"],
      outcome: "none",
      after: [],
      inverse: undefined,
      left: undefined,
      output: null,
      undone: new Map(),
      undoing: new Set(),
    });
  }

  /** What is late is as it is now because of the deed before. */
  #follow(key: string, image: Image): void {
    const last = this.deeds.findLast((deed) => deed.told.before.some((one) => one.key === key));
    if (!last || last.outcome === "none") return;
    last.after = last.told.before.map((one, i) => one.key === key ? image : last.after[i] ?? null);
  }

  #outcome(line: JournalLine): void {
    const deed = this.deeds.find(({ intent }) => intent === line["intent"]);
    if (!deed) return;
    deed.outcome = outcomeOf(line["outcome"]);
    if (typeof line["sealed"] !== "string") return; // `done_when` told
    const { after, inverse, left, output } = Outcome.parse(this.#seal.unseal(line["sealed"]));
    Object.assign(deed, { after, inverse: inverse ?? undefined, left: left ?? undefined, output });
  }

  #step(line: JournalLine, path: string): void {
    if (/(^|\.)undo\./.test(path)) return;
    const status = line["status"] === "failed" || line["status"] === "skipped" ? line["status"] : "passed";
    const sealed = line["sealed"];
    this.steps.set(path, {
      status,
      output: typeof sealed === "string" ? this.#seal.unseal(sealed) : undefined,
    });
    if (status === "failed") this.failing = path;
    else if (!/(^|\.)after\./.test(path)) this.failing = undefined;
  }

  #begin(line: JournalLine, path: string): void {
    // Tried again: what the try before did was taken back.
    for (const map of [this.steps, this.begun, this.waysBack]) {
      for (const key of map.keys()) if (key.startsWith(`${path}.`)) map.delete(key);
    }
    for (const key of this.choices.keys()) {
      if (key.split(" ")[1]?.startsWith(`${path}.`)) this.choices.delete(key);
    }
    for (const key of this.savepoints) if (key.startsWith(`${path}.`)) this.savepoints.delete(key);
    const within = typeof line["in"] === "string" ? line["in"] : undefined;
    this.begun.set(path, { attempt: number(line["attempt"]), committed: false, in: within });
    this.failing = undefined;
  }

  #rolledBack(line: JournalLine, path: string): void {
    const back = this.#back;
    this.#back = undefined;
    if (!back) return;
    const touched = this.deeds.filter((deed) => back.from > 0 && deed.intent >= back.from);
    if (back.retry) {
      for (const deed of touched.filter((one) => one.intent === back.from)) {
        deed.undone.clear();
        deed.undoing.clear();
      }
      return;
    }
    this.deeds = this.deeds.filter((deed) => !touched.includes(deed));
    // One that came after the first deed that was taken back is in the past no more.
    if (back.from > 0) this.marks = this.marks.filter(({ line: at }) => at < back.from);
    if (this.afterthought) this.taken = [...this.taken, ...touched].sort((a, b) => a.intent - b.intent);
    const verdict = rollbackVerdictOf(line["verdict"]);
    if (back.savepoint) this.waysBack.set(path, verdict);
    if (!back.savepoint || verdict === "drift" || verdict === "failed") this.verdicts.push(verdict);
  }

  #redone(from: number): void {
    const back = this.taken.filter((deed) => deed.intent >= from);
    for (const deed of back) {
      deed.undone.clear();
      deed.undoing.clear();
    }
    this.taken = this.taken.filter((deed) => deed.intent < from);
    this.deeds = [...this.deeds, ...back].sort((a, b) => a.intent - b.intent);
  }

  #deed(line: JournalLine): PastDeed | undefined {
    return this.deeds.find(({ intent }) => intent === line["intent"]);
  }
}
