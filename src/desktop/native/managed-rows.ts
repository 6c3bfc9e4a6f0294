import type { VerifyManagedOptions } from "../desktop.ts";
import type { Snapshot } from "../snapshot.ts";

/** Elements that are asked what they have, and rows that are read one by one; of more, the application's tree costs less. */
const MOST_ASKED = 32;
const MOST_READ = 32;
/** Roles of one question. */
const MOST_ROLES = 64;

/** How the application is asked. */
export interface ManagedSource {
  /**
   * Every element of some roles below one, in the tree's order, as the application finds them; undefined: it cannot be asked.
   */
  find(
    row: number,
    roles: readonly number[],
  ): Promise<readonly { readonly bus: string; readonly path: string }[] | undefined>;
  /** A row read afresh; undefined: it is not any more what was kept of it. */
  same(row: number): Promise<Snapshot | undefined>;
}

/**
 * The same rows, after each element that manages its descendants was asked which of these roles it has, and each of them was read:
 * they are those that are kept, and their states are as they are now. Undefined: they are not, or there are too many of them. With
 * `showing`, only of those that may show.
 */
export async function verifyManaged(
  kept: Snapshot,
  roles: readonly number[],
  source: ManagedSource,
  { showing = false }: Pick<VerifyManagedOptions, "showing"> = {},
): Promise<Snapshot | undefined> {
  const asked = managing(kept).filter((row) => !showing || mayShow(kept, row));
  if (asked.length > MOST_ASKED || roles.length > MOST_ROLES || kept.origin.cut.length > 0) return undefined;
  if (asked.length === 0) return kept;
  const wanted = new Set(roles);
  const rows = asked.map((row) => below(kept, row).filter((one) => wanted.has(kept.role(one))));
  const all = rows.flat();
  if (all.length > MOST_READ) return undefined;
  const [found, fresh] = await Promise.all([
    Promise.all(asked.map((row) => source.find(row, roles))),
    Promise.all(all.map((row) => source.same(row))),
  ]);
  const asKept = rows.every((own, k) => {
    const elements = found[k];
    return elements?.length === own.length && own.every((row, n) => {
      const { bus, path } = kept.element(row);
      return elements[n]?.bus === bus && elements[n].path === path;
    });
  });
  if (!asKept) return undefined;
  const states = kept.columns.states.slice();
  for (const [n, row] of all.entries()) {
    const now = fresh[n];
    if (now === undefined) return undefined;
    states[2 * row] = now.statesLow(0);
    states[2 * row + 1] = now.statesHigh(0);
  }
  return kept.with({ states });
}

/** The outermost elements that manage their descendants. */
function managing(snapshot: Snapshot): number[] {
  const rows: number[] = [];
  for (let row = 1; row < snapshot.size; row++) {
    if (!snapshot.has(row, "managesDescendants")) continue;
    rows.push(row);
    row = snapshot.end(row) - 1;
  }
  return rows;
}

/** Does it show, or was something in it kept as showing? */
function mayShow(snapshot: Snapshot, row: number): boolean {
  return [row, ...below(snapshot, row)].some((one) => snapshot.has(one, "showing"));
}

function below(snapshot: Snapshot, row: number): number[] {
  return Array.from({ length: snapshot.end(row) - row - 1 }, (_, k) => row + 1 + k);
}
