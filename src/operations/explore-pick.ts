import type { ElementType } from "../desktop/element-types.ts";
import { hasAxRole, isOfType } from "../desktop/element-types.ts";
import type { Application } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { shownRows } from "../desktop/shown-rows.ts";
import { isShown, valueText } from "./explore-element.ts";

/** Where to begin: a row of a tree that was read. */
export interface Start {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly row: number;
  /** The role that the row has in the whole tree, where the snapshot begins with it. */
  readonly role?: string;
}

/** What is looked for; nothing: everything, as trees. */
export interface Wanted {
  readonly role?: string | undefined;
  readonly title?: string | undefined;
  readonly value?: string | undefined;
  readonly description?: string | undefined;
  readonly types?: readonly ElementType[] | undefined;
}

/** How much of it. */
export interface Bounds {
  /** Levels below each element that comes first. */
  readonly depth: number;
  /** Elements in all. */
  readonly limit: number;
  readonly hidden: boolean;
}

/** An element that was picked, with those below it. */
export interface Picked {
  readonly start: Start;
  readonly row: number;
  readonly children: Picked[];
}

/** What was picked, and what was not. */
export interface Picks {
  readonly roots: readonly Picked[];
  readonly shown: number;
  /** How many there were to show; of matches, how many matched. */
  readonly total: number;
  /** Left out since they do not show. */
  readonly hidden: number;
  /** Some had children deeper than asked. */
  readonly deeper: boolean;
}

/**
 * Trees, level by level: what is near the top comes before what lies deep, so that a small limit shows the whole width.
 */
export function pickTrees(starts: readonly Start[], bounds: Bounds): Picks {
  // What was asked for by itself is told even where it does not show.
  const all = bounds.hidden || starts.length === 1;
  const shown = starts.filter(({ snapshot, row }) => all || isShown(snapshot, row));
  const picks = new Walk(bounds).from(shown.map((start) => [start, start.row]));
  const left = starts.filter((start) => !shown.includes(start));
  return { ...picks, hidden: left.reduce((sum, { snapshot }) => sum + snapshot.size, picks.hidden) };
}

/**
 * Every match as an element of its own, in the order of the tree; what room is left goes to what lies below them. Nothing
 * is told twice.
 */
export function pickMatches(starts: readonly Start[], wanted: Wanted, bounds: Bounds): Picks {
  const found: [Start, number][] = [];
  const matched = new Map<Snapshot, Set<number>>();
  let hidden = 0;
  for (const start of starts) {
    const { snapshot } = start;
    const rows = new Set<number>();
    for (let row = start.row; row < snapshot.end(start.row); row++) {
      if (!fits(start, row, wanted)) continue;
      if (!bounds.hidden && !isShown(snapshot, row)) hidden++;
      else {
        rows.add(row);
        found.push([start, row]);
      }
    }
    matched.set(snapshot, rows);
  }
  const walk = new Walk(bounds, (snapshot, row) => matched.get(snapshot)?.has(row) === true);
  const picks = walk.from(found);
  return { ...picks, total: found.length, hidden };
}

/** Is it what is wanted? Texts are compared whatever their case. */
function fits({ snapshot, role, row: first }: Start, row: number, wanted: Wanted): boolean {
  const { types } = wanted;
  if (types !== undefined && !isOfType(snapshot, row, types)) return false;
  if (
    wanted.role !== undefined && !(row === first && role === wanted.role) &&
    !hasAxRole(snapshot, row, wanted.role)
  ) {
    return false;
  }
  return holds(snapshot.name(row), wanted.title) && holds(snapshot.description(row), wanted.description) &&
    (wanted.value === undefined || holds(valueText(snapshot, row) ?? "", wanted.value));
}

function holds(text: string, part: string | undefined): boolean {
  return part === undefined || text.toLowerCase().includes(part.toLowerCase());
}

/** Goes through trees a level at a time. */
class Walk {
  readonly #bounds: Bounds;
  readonly #skip: (snapshot: Snapshot, row: number) => boolean;
  #hidden = 0;
  #deeper = false;

  /** Rows to skip are told elsewhere. */
  constructor(bounds: Bounds, skip: (snapshot: Snapshot, row: number) => boolean = () => false) {
    this.#bounds = bounds;
    this.#skip = skip;
  }

  from(starts: readonly (readonly [Start, number])[]): Picks {
    const roots: Picked[] = [];
    let level: { start: Start; row: number; into: Picked[] | undefined }[] = starts.map(([start, row]) => ({
      start,
      row,
      into: roots,
    }));
    let shown = 0, total = 0;
    for (let depth = 0; level.length > 0; depth++) {
      const next: typeof level = [];
      for (const { start, row, into } of level) {
        total++;
        const picked: Picked = { start, row, children: [] };
        const room = into !== undefined && shown < this.#bounds.limit;
        if (room) {
          into.push(picked);
          shown++;
        }
        for (const child of this.#below(start.snapshot, row, depth)) {
          next.push({ start, row: child, into: room ? picked.children : undefined });
        }
      }
      level = next;
    }
    return { roots, shown, total, hidden: this.#hidden, deeper: this.#deeper };
  }

  #below(snapshot: Snapshot, row: number, depth: number): number[] {
    const rows: number[] = [];
    for (const child of snapshot.children(row)) {
      if (!this.#bounds.hidden && !shows(snapshot, child)) this.#hidden += snapshot.end(child) - child;
      else if (depth >= this.#bounds.depth) this.#deeper = true;
      else if (!this.#skip(snapshot, child)) rows.push(child);
    }
    return rows;
  }
}

/** Of each snapshot: which rows show, or hold one that does. */
const existing = new WeakMap<Snapshot, Uint8Array>();

function shows(snapshot: Snapshot, row: number): boolean {
  const shown = existing.get(snapshot) ?? shownRows(snapshot, isShown);
  existing.set(snapshot, shown);
  return shown[row] === 1;
}
