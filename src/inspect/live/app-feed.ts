import { type Call, pause } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Application, Desktop, ElementRef, SnapshotField } from "../../desktop/desktop.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { matchesIn, typedSelector } from "../element/match.ts";
import { deltaOf, type Piece } from "./delta.ts";
import { NO_TREE, type PageTree, rowsOf } from "./rows.ts";

/** What a page shows of each element. */
const FIELDS: readonly SnapshotField[] = ["extents", "text", "value", "id"];
/** Milliseconds in which events of one change come: the tree is read after them. */
const TOGETHER = 15;
/** Milliseconds of a whole reading, and elements, above which the shape of a tree goes before its places and texts. */
const LONG = 60, MANY = 1_500;
/** Milliseconds without an event after which places and texts are read. */
const QUIET = 150;
/**
 * Milliseconds after which a tree is read again although nothing told of a change: toolkits do not tell of all. Of a large one
 * so many times what reading it takes, and half of that where something was drawn.
 */
const SELDOM = 2_500, TIMES = 40;
/** Milliseconds without an event after which a large tree is read: what changes meanwhile is told late. */
const CALM = 1_000;
/**
 * What is kept of an application is compared with it in the first look after a second, and after fifty times what that takes. Of
 * a large tree that is done before it is due, so that no change waits for it: after so many milliseconds, and so many times that.
 */
const COMPARED = 700, COMPARED_TIMES = 35;
/** Milliseconds that a page has for itself once it was told the first tree. */
const FIRST = 250;
/** A text of a name, which most elements have, and a role. */
const PRACTISED = ["e", "button", "e", "button", "e", "a button", "e", "button"];
/** Milliseconds of one reading. */
const READ = 10_000;
/** Trees that elements can still be named by: a page may be behind. */
const KEPT = 6;

/** What a page is told of the tree of an application. */
export type TreeNotice =
  & { readonly app: string; readonly version: number; readonly ms: number }
  & ({ readonly rows: PageTree["rows"] } | { readonly pieces: readonly Piece[] });

/** Hears of the trees of one application. */
export interface TreeListener {
  tree(notice: TreeNotice): void;
  /** It cannot be read, or has ended. */
  failed(message: string, gone: boolean): void;
}

/** The tree of one application, read while somebody looks at it and not otherwise. */
export class AppFeed {
  readonly application: Application;
  readonly #desktop: Desktop;
  readonly #listener: TreeListener;
  readonly #stop = new AbortController();
  #tree: PageTree = NO_TREE;
  #version = 0;
  readonly #kept = new Map<number, Snapshot>();
  #latest: { readonly snapshot: Snapshot; readonly whole: boolean } | undefined;
  #nudged = false;
  /** What the last whole reading took. */
  #took = 0;
  #running: Promise<void> | undefined;
  /** The last tree that was read whole, and when. */
  #whole: Snapshot | undefined;
  #wholeAt = -Infinity;
  #eventAt = -Infinity;
  /** When what is kept was compared with the application, and what that took. */
  #compared = { at: -Infinity, took: 0 };
  /** A large tree is being read whole, or compared, while its changes are told. */
  #reading: Promise<void> | undefined;

  constructor(desktop: Desktop, application: Application, listener: TreeListener) {
    this.#desktop = desktop;
    this.application = application;
    this.#listener = listener;
  }

  /** All of the tree as a page is told it; undefined: it was not read yet. */
  get whole(): TreeNotice | undefined {
    if (this.#version === 0) return undefined;
    const { rows } = this.#tree;
    return { app: this.application.bus, version: this.#version, ms: this.#took, rows };
  }

  /** The newest tree; undefined: it was not read yet. */
  get latest(): Snapshot | undefined {
    return this.#latest?.snapshot;
  }

  /**
   * A tree with these fields: the newest one that a page has, where that has them; of a large one the last that was read whole
   * does, which may be a moment older.
   */
  async suited(fields: readonly SnapshotField[], call: Call): Promise<Snapshot> {
    const { latest } = this;
    const usual = fields.every((field) => FIELDS.includes(field));
    if (latest && usual && (this.#latest?.whole || fields.every((field) => field === "id"))) return latest;
    if (usual && this.#whole && this.#isLarge) return this.#whole;
    return await this.#desktop.snapshot(this.application, {
      ...call,
      fields: [...new Set([...FIELDS, ...fields])],
      source: "mirror",
    });
  }

  /** One element, read afresh with all that is known of it. */
  async own(element: ElementRef, call: Call): Promise<Snapshot> {
    return await this.#desktop.snapshot(this.application, {
      ...call,
      root: element,
      maxDepth: 1,
      fields: [...FIELDS, "attributes", "actions"],
    });
  }

  /** Rows of a tree as rows of the one that a page has; those that are not in it are left out. */
  asShown(snapshot: Snapshot, rows: readonly number[]): readonly number[] {
    if (snapshot === this.latest) return rows;
    const at = new Map(this.#tree.paths.map((path, row) => [path, row] as const));
    return rows.flatMap((row) => at.get(snapshot.path(row)) ?? []);
  }

  get version(): number {
    return this.#version;
  }

  /** The tree that a page knows by this number; undefined: it is too old. */
  at(version: number): Snapshot | undefined {
    return this.#kept.get(version);
  }

  /** Begins to read. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Something was drawn: what toolkits tell nobody may have changed. */
  nudge(): void {
    this.#nudged = true;
  }

  /** Reads no more. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const watch = this.#desktop.watch(this.application);
    try {
      // Of a large tree its shape is there long before all places are.
      const began = performance.now();
      await this.#read(false, { signal });
      if (performance.now() - began > LONG) {
        await pause(FIRST, signal);
        await this.#practise(signal);
      }
      let owed = true;
      while (!signal.aborted) {
        if (this.#isDue(owed)) {
          this.#nudged = owed = false;
          // What changes while a large one is read is told meanwhile.
          if (this.#whole && !this.#isLarge) await this.#read(true, { signal });
          else this.#reading ??= this.#later(() => this.#read(true, { signal }));
        } else if (this.#isToBeCompared) this.#reading ??= this.#later(() => this.#compare({ signal }));
        const came = await watch.next({ timeout: owed || this.#nudged ? QUIET : 500, signal });
        if (came === "timeout") continue;
        this.#eventAt = performance.now();
        await pause(TOGETHER, signal);
        watch.take();
        const whole = this.#whole !== undefined && !this.#isLarge;
        await this.#read(whole, { signal });
        owed = !whole;
      }
    } catch (thrown) {
      this.#failed(thrown);
    } finally {
      watch.close();
      await this.#reading;
    }
  }

  get #isLarge(): boolean {
    return this.#took > LONG && this.#tree.rows.length > MANY;
  }

  /** Is all of the tree to be read? */
  #isDue(owed: boolean): boolean {
    if (this.#reading) return false;
    const since = performance.now() - this.#wholeAt;
    if (!this.#isLarge) return owed || this.#nudged || since > SELDOM;
    if (this.#whole === undefined) return true;
    const rest = Math.max(SELDOM, TIMES * this.#took);
    const calm = performance.now() - this.#eventAt > CALM;
    return since > (!calm ? 2 * rest : owed || this.#nudged ? rest / 2 : rest);
  }

  /** Matches a few times while nobody types: code that ran before is compiled, and the first keys are as fast as the others. */
  async #practise(signal: AbortSignal): Promise<void> {
    for (const text of PRACTISED) {
      const { latest } = this;
      const typed = typedSelector(text);
      if (latest && "read" in typed) matchesIn(latest, typed.read);
      await pause(0, signal);
    }
  }

  get #isToBeCompared(): boolean {
    const { at, took } = this.#compared;
    return this.#isLarge && performance.now() - at > Math.max(COMPARED, COMPARED_TIMES * took);
  }

  async #compare(call: Call): Promise<void> {
    const began = performance.now();
    await this.#desktop.snapshot(this.application, {
      ...call,
      timeout: READ,
      fields: ["id"],
      source: "proven",
    });
    const at = performance.now();
    this.#compared = { at, took: at - began };
  }

  /** Does it beside what is told meanwhile. */
  async #later(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (thrown) {
      this.#failed(thrown);
    } finally {
      this.#reading = undefined;
    }
  }

  #failed(thrown: unknown): void {
    const { code, message } = toBackstepError(thrown);
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#listener.failed(message, code === "app_gone");
  }

  /** Without `whole` only what a mirror holds: the shape, names and states. */
  async #read(whole: boolean, call: Call): Promise<void> {
    const began = performance.now();
    const snapshot = await this.#desktop.snapshot(this.application, {
      ...call,
      timeout: READ,
      ...(whole ? { fields: FIELDS, source: "mirror" } : { fields: ["id"], source: "held" }),
    });
    const took = performance.now() - began;
    if (whole) {
      this.#took = took;
      this.#whole = snapshot;
      this.#wholeAt = performance.now();
    }
    const tree = rowsOf(snapshot, this.#tree, whole);
    const first = this.#version === 0;
    const pieces = first ? undefined : deltaOf(this.#tree, tree);
    this.#latest = { snapshot, whole };
    // The page's rows are those of this tree too: nothing of them changed.
    if (!first && pieces === undefined) {
      this.#kept.set(this.#version, snapshot);
      return;
    }
    this.#tree = tree;
    this.#kept.set(++this.#version, snapshot);
    this.#kept.delete(this.#version - KEPT);
    const notice = { app: this.application.bus, version: this.#version, ms: Math.round(took * 10) / 10 };
    this.#listener.tree(pieces === undefined ? { ...notice, rows: tree.rows } : { ...notice, pieces });
  }
}
