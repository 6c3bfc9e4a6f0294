import type { Deadline } from "../../base/call.ts";
import type { Desktop, Frame, Rect } from "../../desktop/desktop.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { blackOut, type Hidden, type HiddenRows } from "../secrets/hidden.ts";
import { type LookedTrees, ONE } from "./looked-trees.ts";
import type { PixelMemory } from "./pixel-memory.ts";

/** Milliseconds for which places that were read do. */
const JUST_READ = 100;

/** Blackens in pictures what must not be seen. */
export class Blackening {
  readonly #hidden: Hidden;
  readonly #trees: LookedTrees;
  readonly #memory: PixelMemory;
  /** Of the last picture: what was there stays on the screen until it is drawn over. */
  #lastRects: readonly Rect[] = [];
  /** A secret went somewhere, and nobody can say where: no picture shows what it may be in. */
  #blind = false;

  constructor(hidden: Hidden, trees: LookedTrees, memory: PixelMemory) {
    this.#hidden = hidden;
    this.#trees = trees;
    this.#memory = memory;
  }

  /** From now on there are no pictures: a secret was typed, and no element can be told that got it. */
  blind(): void {
    this.#blind = true;
  }

  /** What is black in the last picture. */
  get rects(): readonly Rect[] {
    return this.#lastRects;
  }

  /** Something is hidden, or was in the last picture: no part of an earlier one is trusted. */
  get hides(): boolean {
    return this.#hidden.active || this.#lastRects.length > 0;
  }

  /** Nothing is hidden in a picture now, nor was in the last one. */
  showsAll(snapshots: readonly Snapshot[]): boolean {
    return !this.hides && !this.#blind &&
      snapshots.every((snapshot) => this.#hidden.of(snapshot).rows.size === 0);
  }

  /**
   * The same trees, with the places of what must not be seen in a picture where that can be asked of it alone: of password fields, which
   * their role tells. Undefined: secrets are about, which stand anywhere, or the tree is to be read.
   */
  async placed(
    desktop: Desktop,
    snapshots: readonly Snapshot[],
    deadline: Deadline,
  ): Promise<readonly Snapshot[] | undefined> {
    const rows = snapshots.map((snapshot) => [...this.#hidden.of(snapshot).rows]);
    if (rows.every((some) => some.length === 0)) return snapshots;
    if (this.#hidden.active) return undefined;
    const placed = await Promise.all(snapshots.map(async (snapshot, at) => {
      const some = rows[at] ?? [];
      const { source, readAt = -Infinity } = snapshot.origin;
      if (some.length === 0) return snapshot;
      const now = snapshot.columns.rect.length > 0 && performance.now() - readAt <= JUST_READ;
      if (source === "application" && now) return snapshot;
      const how = { ...deadline.within(ONE).call(), shows: true, unread: some.length > 1 };
      return (await desktop.refresh?.(snapshot, some, how))?.snapshot;
    }));
    const all = placed.flatMap((snapshot) => snapshot ?? []);
    return all.length === snapshots.length ? all : undefined;
  }

  /** Where they are by now, and whether there are others; undefined: nobody can say. */
  async #placesAgain(
    desktop: Desktop,
    snapshots: readonly Snapshot[],
    deadline: Deadline,
  ): Promise<readonly Snapshot[] | undefined> {
    const applications = snapshots.map(({ origin }) => origin.application);
    if (!this.#hidden.active) {
      const unheld: string[] = [];
      const held = await this.#trees.read(desktop, applications, unheld, deadline, "held");
      const placed = unheld.length > 0 ? undefined : await this.placed(desktop, held, deadline);
      if (placed) return placed;
    }
    const failed: string[] = [];
    const again = await this.#trees.read(desktop, applications, failed, deadline);
    return failed.length > 0 ? undefined : again;
  }

  /** Was nothing drawn in a picture since its trees were asked for? Then it shows what they say. What is held of a tree may be behind. */
  async #undrawn(
    desktop: Desktop,
    { x, y, width, height }: Rect,
    snapshots: readonly Snapshot[],
    deadline: Deadline,
  ): Promise<boolean> {
    const asked = snapshots.map(({ origin: { source, askedAt = -Infinity } }) =>
      source === "application" ? askedAt : -Infinity
    );
    const since = Math.min(...asked);
    if (desktop.undrawn === undefined || !Number.isFinite(since)) return false;
    const undrawn = await desktop.undrawn({ x, y, width, height }, deadline.call());
    return undrawn >= performance.now() - since;
  }

  /** The picture without what must not be seen, as it was before the picture and is after it; else why there is none. */
  async blackened(
    frame: Frame,
    origin: { readonly x: number; readonly y: number },
    snapshots: readonly Snapshot[],
    unread: boolean,
    deadline: Deadline,
    desktop: Desktop,
  ): Promise<Frame | string> {
    if (this.#blind) return "no picture: a secret was typed, and it is not known where it stands";
    const before = snapshots.map((snapshot) => this.#hidden.of(snapshot));
    const some = before.some(({ rows }) => rows.size > 0);
    let all: readonly HiddenRows[] = before;
    if (this.#hidden.active || some) {
      if (unread) return "no picture: it is not known where secrets stand";
      if (!await this.#undrawn(desktop, { ...frame, ...origin }, snapshots, deadline)) {
        const again = await this.#placesAgain(desktop, snapshots, deadline);
        if (again === undefined) return "no picture: it is not known where secrets stand";
        all = [...before, ...again.map((snapshot) => this.#hidden.of(snapshot))];
      }
    }
    if (all.some(({ unplaced }) => unplaced)) {
      return "no picture: an element that holds a secret does not say where it is";
    }
    const rects = all.flatMap((one) => one.rects);
    // In memory that the thread which packs it has, too.
    const rgba = this.#memory.take(frame.rgba.length);
    rgba.set(frame.rgba);
    blackOut({ ...frame, rgba }, [...rects, ...this.#lastRects], origin);
    this.#lastRects = rects;
    return { width: frame.width, height: frame.height, rgba };
  }
}
