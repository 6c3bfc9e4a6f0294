import { createHash } from "node:crypto";
import type { Place } from "../../base/error.ts";
import type { RollbackResult } from "../../contract/events.ts";
import type { Passed } from "../model/passed.ts";
import type { TreeSnapshot } from "../model/tree-snapshot.ts";
import type { UndoEntry } from "../rollback/undo-log.ts";
import type { EarlierStep, Memory } from "../run/earlier-steps.ts";

/** A place in the flow, before a step, with all that going back there needs. */
export interface Point {
  readonly path: string;
  readonly name: string;
  /** The step's operation, or its kind. */
  readonly operation: string;
  readonly place: Place;
  /** What the step says and means, to be compared with what an edited file says. */
  readonly meaning: string;
  /** How many actions stood here. */
  readonly entries: number;
  /** The application as it was here; undefined: none ran, or it did not answer. */
  readonly tree: TreeSnapshot | undefined;
  readonly app: string | undefined;
  /** It calls an operation; else it holds others, or marks a place. */
  readonly acts: boolean;
  /** A breakpoint of the file. */
  readonly breaks: boolean;
  /** What its actions left stands outside of what is rolled back: it is in the `after:` of another file. */
  readonly loose: boolean;
  /** It was declared that the step cannot be undone. */
  readonly irreversible: boolean;
}

/** Trees that are kept. */
const MOST_TREES = 500;

/** Something that is known of a place, and when it came to be known. */
interface Noted<T> {
  readonly value: T;
  readonly order: number;
}

/**
 * The way that an interactive run came: each step that it reached, in order, and what became of it. Run again, the flow goes the same
 * way without doing anything, as far as the way is known; what is cut off is not known any more.
 */
export class Track implements Memory {
  readonly points: Point[] = [];
  readonly #orders: number[] = [];
  /** A digest of all steps up to each point. */
  readonly #ways: string[] = [];
  readonly #done = new Map<string, Noted<EarlierStep>>();
  readonly #choices = new Map<string, Noted<boolean>>();
  readonly #committed = new Map<string, Noted<number>>();
  readonly #rollbacks = new Map<string, Noted<RollbackResult>>();
  /** What stands: what was undone meanwhile is not entered again. */
  #entries = new Set<UndoEntry>();
  #history = new Set<Passed>();
  #order = 0;
  /** How the application was where the flow came by first, by all that it had done until there. */
  readonly #trees = new Map<string, TreeSnapshot | undefined>();

  /** The flow goes the way once more; these stand. */
  begin(entries: readonly UndoEntry[], history: readonly Passed[]): void {
    this.#entries = new Set(entries);
    this.#history = new Set(history);
  }

  reached(point: Point): void {
    this.points.push(point);
    // A loop of ten thousand turns must not keep as many trees: of the oldest it is not known any more how it looked there.
    const old = this.points.length - MOST_TREES;
    const oldest = this.points[old];
    if (oldest) this.points[old] = { ...oldest, tree: undefined };
    this.#orders.push(this.#order++);
    const { path, meaning } = point;
    this.#ways.push(
      createHash("sha256").update(`${this.#ways.at(-1) ?? ""} ${path} ${meaning}`).digest("hex"),
    );
  }

  /**
   * How the application is here. Where the flow has been here before, after the same steps, it is how it was then: what a
   * rollback leaves otherwise beside what it protects is not what a new desktop comes to.
   */
  async treeAt(
    path: string,
    look: () => Promise<TreeSnapshot | undefined>,
  ): Promise<TreeSnapshot | undefined> {
    const key = `${path} ${this.#ways.at(-1) ?? ""}`;
    if (this.#trees.has(key)) return this.#trees.get(key);
    const tree = await look();
    const [oldest] = this.#trees.size >= MOST_TREES ? this.#trees.keys() : [];
    if (oldest !== undefined) this.#trees.delete(oldest);
    this.#trees.set(key, tree);
    return tree;
  }

  over(path: string, done: EarlierStep): void {
    this.#done.set(path, this.#noted(done));
  }

  chose(path: string, what: string, value: boolean): void {
    this.#choices.set(`${what} ${path}`, this.#noted(value));
  }

  committed(path: string, attempt: number): void {
    this.#committed.set(path, this.#noted(attempt));
  }

  rolledBackTo(path: string, back: RollbackResult): void {
    this.#rollbacks.set(path, this.#noted(back));
  }

  /** What is inside of a step was undone, and comes once more. */
  triedAgain(path: string): void {
    const from = this.points.findLastIndex((point) => point.path === path);
    if (from >= 0) this.cut(from + 1);
  }

  /** Forgets the points from this one on, and all that came to be known after it. */
  cut(from: number): void {
    const order = this.#orders[from];
    if (order === undefined) return;
    this.points.splice(from);
    this.#orders.splice(from);
    this.#ways.splice(from);
    for (const map of [this.#done, this.#choices, this.#committed, this.#rollbacks]) {
      for (const [key, noted] of map) if (noted.order > order) map.delete(key);
    }
  }

  /** What became of an operation step. */
  doneAt(path: string): EarlierStep | undefined {
    return this.#done.get(path)?.value;
  }

  step(path: string): EarlierStep | undefined {
    const done = this.#done.get(path)?.value;
    return done && {
      ...done,
      entries: done.entries.filter((entry) => this.#entries.has(entry)),
      passed: (done.passed ?? []).filter((one) => this.#history.has(one)),
    };
  }

  choice(path: string, what: "if" | "branch" | "until"): boolean | undefined {
    return this.#choices.get(`${what} ${path}`)?.value;
  }

  /** One that was left in the middle begins anew: what it did belongs to what is around it by now. */
  begun(path: string): { readonly attempt: number; readonly committed: boolean } | undefined {
    const attempt = this.#committed.get(path)?.value;
    return attempt === undefined ? undefined : { attempt, committed: true };
  }

  passedSavepoint(path: string): boolean {
    // The last one is where the flow is: that it goes on from there is what makes it passed.
    return this.points.slice(0, -1).some((point) => point.path === path);
  }

  rollbackTo(path: string): RollbackResult | undefined {
    return this.#rollbacks.get(path)?.value;
  }

  #noted<T>(value: T): Noted<T> {
    return { value, order: this.#order++ };
  }
}
