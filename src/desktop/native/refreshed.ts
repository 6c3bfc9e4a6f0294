import type { Bytes } from "../../ffi/binding.ts";
import type { StateBits } from "../desktop.ts";
import { Reply } from "../../ffi/reply.ts";
import { groupOf } from "../group.ts";
import { popoversOf } from "../popover.ts";
import { Snapshot } from "../snapshot.ts";

/** Rows asked at once: beyond, the application's tree costs less. */
const MOST = 512;
/** The others of groups that are asked along where it is not known yet which of several rows is meant. */
const ALONG = 64;
/** Leaves of a page of which the place is asked, from all over it. */
const LEAVES = 8;
const BYTES = 28;

/**
 * What has to be asked to know where some rows lie, and whether they show: they, what is around them, and each window and
 * popover, by which places become the screen's. `within`: rows of which all children are asked too, since GTK 4 does not say
 * which of the pages that lie on each other shows. Undefined: more than one would ask for.
 */
export function rowsAround(
  snapshot: Snapshot,
  rows: readonly number[],
  within: Iterable<number> = [],
): number[] | undefined {
  const asked = new Set([...snapshot.children(0), ...popoversOf(snapshot)]);
  // A popover of GTK 3 lies beside the content of its window, above it.
  for (const window of snapshot.children(0)) {
    for (const part of snapshot.children(window)) asked.add(part);
  }
  for (const row of pathsTo(snapshot, rows)) asked.add(row);
  for (const row of within) {
    for (const child of snapshot.children(row)) asked.add(child);
    if (asked.size > MOST) return undefined;
  }
  return asked.size > MOST ? undefined : [...asked].sort((a, b) => a - b);
}

/** Rows and all that is around them in their application. */
export function pathsTo(snapshot: Snapshot, rows: readonly number[]): Set<number> {
  const around = new Set<number>();
  for (const row of rows) for (let up = row; up > 0; up = snapshot.parent(up)) around.add(up);
  return around;
}

/**
 * What is asked along with a row, since who acts on it needs it a moment later: who has the focus by what is kept, and, of a
 * button of a group, the others of it.
 */
export function rowsAlong(snapshot: Snapshot, rows: readonly number[]): number[] {
  const focused = lastFocused(snapshot);
  const along = new Set(rows.flatMap((row) => groupOf(snapshot, row)));
  const most = rows.length === 1 ? MOST : ALONG;
  return [...(focused < 0 ? [] : [focused]), ...(along.size > most ? [] : along)];
}

function lastFocused(snapshot: Snapshot): number {
  for (let row = snapshot.size - 1; row > 0; row--) if (snapshot.has(row, "focused")) return row;
  return -1;
}

/** Some leaves of each page, by which it is seen whether it shows. */
export function leavesOf(snapshot: Snapshot, pages: readonly number[]): number[] {
  return pages.flatMap((page) => {
    const leaves: number[] = [];
    for (let row = page + 1; row < snapshot.end(page); row++) {
      if (snapshot.end(row) === row + 1) leaves.push(row);
    }
    const step = Math.max(1, leaves.length / LEAVES);
    return Array.from({ length: LEAVES }, (_, k) => leaves[Math.floor(k * step)]).flatMap((row) => row ?? []);
  });
}

/** A snapshot of the same rows that can be filled in: nothing but their states is known. */
export function unplaced(held: Snapshot): Snapshot {
  const rect = new Int32Array(4 * held.size);
  for (let at = 2; at < rect.length; at += 4) rect[at] = rect[at + 1] = -1;
  return held.with({ rect, states: held.columns.states.slice() });
}

/** What `BACKSTEP_OP_PLACES` answered of one element. */
export interface PlaceReply {
  /** x, y, width, height, as the application tells them; width -1: unknown. */
  readonly rect: readonly number[];
  /** Undefined: it did not tell: it is gone, or hangs. */
  readonly states: StateBits | undefined;
}

/** What `BACKSTEP_OP_PLACES` answered, in the order in which it was asked. */
export function decodePlaces(reply: Bytes): PlaceReply[] {
  const r = new Reply(reply);
  const replies = Array.from({ length: r.count(BYTES) }, (): PlaceReply => {
    const rect = [r.i32(), r.i32(), r.i32(), r.i32()];
    const there = r.u32() !== 0;
    const states = { statesLow: r.u32(), statesHigh: r.u32() };
    return { rect, states: there ? states : undefined };
  });
  r.end();
  return replies;
}

/** Writes what was reported of rows into the columns; false: one of them did not answer. */
export function fillIn(snapshot: Snapshot, rows: readonly number[], replies: readonly PlaceReply[]): boolean {
  const { rect, states } = snapshot.columns;
  let all = true;
  for (const [at, row] of rows.entries()) {
    const one = replies[at];
    if (one?.states === undefined) all = false;
    for (let k = 0; k < 4; k++) rect[4 * row + k] = one?.rect[k] ?? -1;
    states[2 * row] = one?.states?.statesLow ?? 0;
    states[2 * row + 1] = one?.states?.statesHigh ?? 0;
  }
  return all;
}

/** Writes the place and the states of the first row of a reading into the columns of a row. */
export function asRead(snapshot: Snapshot, row: number, { columns }: Snapshot): void {
  const { rect, states } = snapshot.columns;
  for (let k = 0; k < 4; k++) rect[4 * row + k] = columns.rect[k] ?? -1;
  for (let k = 0; k < 2; k++) states[2 * row + k] = columns.states[k] ?? 0;
}
