import type { PageRow, PageTree } from "./rows.ts";

/**
 * A piece of a tree in terms of the one before: so many rows as they were, from a number on; one row that was there and says
 * something else; or a row that was not there.
 */
export type Piece =
  | readonly [from: number, count: number]
  | { readonly was: number; readonly row: PageRow }
  | { readonly row: PageRow };

/**
 * A tree as pieces of the one before: an element is the same by its address. Undefined: nothing changed.
 *
 * @example
 * ```ts
 * import { deltaOf } from "./delta.ts";
 * import type { PageRow } from "./rows.ts";
 * const row = (name: string): PageRow => [1, "button", name, 0, 0, 0, 1, 1, ""];
 * const before = { rows: [row("a"), row("b")], paths: ["/a", "/b"] };
 * const after = { rows: [row("x"), row("a"), row("c")], paths: ["/x", "/a", "/b"] };
 * const pieces = JSON.stringify(deltaOf(before, after)?.map((piece) => Array.isArray(piece) ? piece : "row"));
 * if (pieces !== '["row",[0,1],"row"]') throw new Error(pieces);
 * ```
 */
export function deltaOf(before: PageTree, after: PageTree): Piece[] | undefined {
  const pieces: Piece[] = [];
  let at: Map<string, number> | undefined;
  let changed = before.rows.length !== after.rows.length;
  const used = new Set<number>();
  let expected = 0;
  /** The piece that goes on. */
  let run: [from: number, count: number] | undefined;
  for (let row = 0; row < after.rows.length; row++) {
    const path = after.paths[row] ?? "";
    const now = after.rows[row];
    if (now === undefined) continue;
    // As long as nothing came or went, each stands where the one before it says.
    let was: number | undefined = expected;
    if (before.paths[expected] !== path) {
      at ??= new Map(before.paths.map((one, k) => [one, k] as const));
      was = at.get(path);
      if (was !== undefined && used.has(was)) was = undefined;
    }
    if (was === undefined) {
      run = undefined;
      pieces.push({ row: now });
      changed = true;
      continue;
    }
    used.add(was);
    if (was !== expected) changed = true;
    expected = was + 1;
    const old = before.rows[was];
    if (old !== undefined && sameRow(old, now)) {
      if (run !== undefined && run[0] + run[1] === was) run[1]++;
      else pieces.push(run = [was, 1]);
    } else {
      run = undefined;
      pieces.push({ was, row: now });
      changed = true;
    }
  }
  return changed ? pieces : undefined;
}

function sameRow(a: PageRow, b: PageRow): boolean {
  if (a === b) return true;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
