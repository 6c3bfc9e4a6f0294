import type { Rect } from "../element.ts";
import { popoversOf } from "../popover.ts";
import { centre, contains, type Point } from "../rect.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { State } from "../states.ts";

/** Where an element is asked what lies there, in the application's own coordinates. */
export interface Probe {
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

/** What lies in `probe.row` at its point; undefined: nothing that has an address. */
export type AskAt = (probe: Probe) => Promise<{ readonly bus: string; readonly path: string } | undefined>;

/** More places than this where pages lie on each other are not looked into. */
const MOST_GROUPS = 12;
/** Points of a page that are asked: its centre, and those of some of what is in it. */
const POINTS = 4;

/** What lies on each other below one element. */
interface Group {
  readonly parent: number;
  readonly pages: readonly number[];
}

/**
 * GTK 4 (4.8) leaves VISIBLE and the last place on the pages of a stack that do not show any more: no state tells them
 * from the one that shows. Where children of one element lie on each other, the element is asked what lies at points of each:
 * a page is hidden when all that answers there is another one. Takes VISIBLE from all of it.
 */
export async function hideCoveredPages(snapshot: Snapshot, ask: AskAt): Promise<void> {
  const groups = groupsIn(snapshot);
  const hidden = await Promise.all(groups.map((group) => hiddenOf(snapshot, group, ask)));
  const { states } = snapshot.columns;
  for (const page of hidden.flat()) {
    for (let row = page; row < snapshot.end(page); row++) {
      states[2 * row] = (states[2 * row] ?? 0) & ~(1 << State.visible);
    }
  }
}

/** The pages that lie on each other, as far as places are known. */
export function lyingPages(snapshot: Snapshot): number[] {
  return groupsIn(snapshot).flatMap(({ pages }) => pages);
}

async function hiddenOf(snapshot: Snapshot, { parent, pages }: Group, ask: AskAt): Promise<number[]> {
  const pageOf = (row: number) => pages.find((page) => row >= page && row < snapshot.end(page));
  const found = await Promise.all(pages.map(async (page) => {
    const points = pointsOf(snapshot, page, snapshot.rect(parent), pages);
    const hits = await Promise.all(points.map(({ x, y }) => ask({ row: parent, x, y })));
    const answering = hits.flatMap((hit) => hit === undefined ? [] : pageOf(snapshot.rowOf(hit)) ?? []);
    return answering.length > 0 && !answering.includes(page) ? [page] : [];
  }));
  return found.flat();
}

function groupsIn(snapshot: Snapshot): Group[] {
  const apart = new Set(popoversOf(snapshot));
  const groups: Group[] = [];
  for (let parent = 0; parent < snapshot.size && groups.length < MOST_GROUPS; parent++) {
    if (snapshot.role(parent) === Role.application) continue;
    const lying = lyingIn(
      snapshot,
      snapshot.children(parent).filter((row) => !apart.has(row) && showsPlace(snapshot, row)),
    );
    if (lying.length > 1) groups.push({ parent, pages: lying });
  }
  return groups;
}

/** Does it have a place, and say that it shows? */
export function showsPlace(snapshot: Snapshot, row: number): boolean {
  return snapshot.has(row, "visible") && areaOf(snapshot.rect(row)) > 0;
}

/** Those of some rows that lie on another of them. */
export function lyingIn(snapshot: Snapshot, rows: readonly number[]): number[] {
  return rows.filter((page) =>
    rows.some((other) => other !== page && lieOnEachOther(snapshot.rect(page), snapshot.rect(other)))
  );
}

/** Do they share the better part of the smaller one? */
function lieOnEachOther(a: Rect | undefined, b: Rect | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 && 2 * width * height > Math.min(areaOf(a), areaOf(b));
}

function areaOf(rect: Rect | undefined): number {
  return rect === undefined ? 0 : Math.max(0, rect.width) * Math.max(0, rect.height);
}

/**
 * The centres of a page and of some of its leaves, from all over it: of those that lie in its parent, and of these where none of the
 * other pages lies, as far as there are any. A header above a list answers for itself there, and not for the list.
 */
function pointsOf(
  snapshot: Snapshot,
  page: number,
  within: Rect | undefined,
  pages: readonly number[],
): Point[] {
  const all: Point[] = [];
  for (let row = page; row < snapshot.end(page); row++) {
    const rect = snapshot.rect(row);
    if ((row === page || snapshot.end(row) === row + 1) && rect && areaOf(rect) > 0) all.push(centre(rect));
  }
  const shown = all.filter(({ x, y }) => within !== undefined && contains(within, x, y));
  const others = pages.filter((other) => other !== page).flatMap((other) => snapshot.rect(other) ?? []);
  const free = shown.filter(({ x, y }) => !others.some((other) => contains(other, x, y)));
  const [first, ...leaves] = [free, shown, all].find((points) => points.length > 0) ?? [];
  const step = Math.max(1, leaves.length / (POINTS - 1));
  const some = Array.from({ length: POINTS - 1 }, (_, k) => leaves[Math.floor(k * step)]);
  return [first, ...some].filter((point) => point !== undefined);
}
