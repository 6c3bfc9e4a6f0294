import type { Bytes } from "../../ffi/binding.ts";
import { Reply } from "../../ffi/reply.ts";
import { popoversOf } from "../popover.ts";
import { Snapshot } from "../snapshot.ts";

/** Rows asked at once: beyond, the application's tree costs less. */
const MOST = 512;
/** Leaves of a page of which the place is asked, from all over it. */
const LEAVES = 8;
const BYTES = 28;

/**
 * What has to be asked to know where some rows lie, and whether they show: they, what is around them, and each window and
 * popover, by which places become the screen's. `beside`: the children of what is around them too, since GTK 4 does not say
 * which of the pages that lie on each other shows. Undefined: more than one would ask for.
 */
export function rowsAround(
  snapshot: Snapshot,
  rows: readonly number[],
  beside: boolean,
): number[] | undefined {
  const asked = new Set([...snapshot.children(0), ...popoversOf(snapshot)]);
  // A popover of GTK 3 lies beside the content of its window, above it.
  for (const window of snapshot.children(0)) {
    for (const part of snapshot.children(window)) asked.add(part);
  }
  for (const row of rows) {
    for (let up = row; up > 0; up = snapshot.parent(up)) asked.add(up);
  }
  if (beside) {
    for (const row of [...asked]) {
      for (const child of snapshot.children(row)) asked.add(child);
      if (asked.size > MOST) return undefined;
    }
  }
  return asked.size > MOST ? undefined : [...asked].sort((a, b) => a - b);
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

/** Writes what `BACKSTEP_OP_PLACES` answered into the columns; false: one of the rows did not answer. */
export function fillIn(snapshot: Snapshot, rows: readonly number[], reply: Bytes): boolean {
  const r = new Reply(reply);
  const { rect, states } = snapshot.columns;
  let all = r.count(BYTES) === rows.length;
  for (const row of rows) {
    for (let k = 0; k < 4; k++) rect[4 * row + k] = r.i32();
    if (r.u32() === 0) all = false;
    states[2 * row] = r.u32();
    states[2 * row + 1] = r.u32();
  }
  r.end();
  return all;
}
