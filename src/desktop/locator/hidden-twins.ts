import { ancestors } from "../ancestors.ts";
import { isSurface, visiblePart } from "../visible.ts";
import { isItemOf } from "../item.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { rowHas } from "../state-words.ts";
import { quickBarsOf } from "../quick.ts";
import { isQt } from "../toolkits.ts";
import { wordOf } from "../vocabulary.ts";

const SCROLLS: ReadonlySet<number> = new Set([Role.scrollPane, Role.viewport, Role.documentWeb]);

/**
 * Would it show if it were scrolled to? Toolkits take SHOWING, not VISIBLE, from what lies outside of a visible area that
 * scrolls. Qt takes both from the items of its lists, tables and trees, and Qt Quick, which keeps what is hidden out of its tree,
 * from whatever lies outside of its window.
 */
export function isScrolledAway(snapshot: Snapshot, row: number): boolean {
  if (rowHas(snapshot, row, "visible")) return false;
  const beside = isFlat(snapshot, row) || snapshot.rect(row) === undefined
    ? undefined
    : quickBarsOf(snapshot, row);
  if (beside !== undefined) return beside.bars.some((bar) => rowHas(snapshot, bar, "visible"));
  const { application } = snapshot.origin;
  const view = isQt(application) && isItemOf(snapshot, row, snapshot.parent(row))
    ? snapshot.parent(row)
    : undefined;
  if (view === undefined && !snapshot.has(row, "visible")) return false;
  if (visiblePart(snapshot, row) !== undefined) return false;
  // GTK 3 says of the viewport of a view that has been scrolled that it does not show, and tells no place of it.
  const scrolls = (up: number) =>
    SCROLLS.has(snapshot.role(up)) &&
    (snapshot.role(up) !== Role.viewport || snapshot.rect(up) !== undefined ||
      rowHas(snapshot, up, "visible"));
  const area = view ?? ancestors(snapshot, row).find(scrolls);
  return area !== undefined && rowHas(snapshot, area, "visible");
}

/**
 * Applications keep what they do not show (the page of another mode, a closed menu) beside its twin that they do: a hidden element
 * is left out where one of the same role and name shows. What is only scrolled away is not hidden, since a person would scroll to it.
 */
export function withoutHiddenTwins(snapshot: Snapshot, rows: readonly number[]): readonly number[] {
  const shows = showing(snapshot);
  const shown = new Set(rows.filter(shows));
  if (shown.size === rows.length) return rows;
  const key = (row: number) => `${wordOf(snapshot, row)} ${snapshot.name(row)}`;
  const names = new Set([...shown].map(key));
  return rows.filter((row) => shown.has(row) || !names.has(key(row)) || isScrolledAway(snapshot, row));
}

/** Does it show? LibreOffice keeps a second menu bar that says so, of no height. What an element is in is looked at once. */
function showing(snapshot: Snapshot): (row: number) => boolean {
  const seen = new Map<number, boolean>();
  const around = (row: number): boolean => {
    if (row < 0) return true;
    let shows = seen.get(row);
    if (shows === undefined) {
      shows = !isFlat(snapshot, row) && (isSurface(snapshot, row) || around(snapshot.parent(row)));
      seen.set(row, shows);
    }
    return shows;
  };
  return (row) => rowHas(snapshot, row, "visible") && !isFlat(snapshot, row) && around(snapshot.parent(row));
}

function isFlat(snapshot: Snapshot, row: number): boolean {
  const rect = snapshot.rect(row);
  return rect !== undefined && (rect.width === 0 || rect.height === 0);
}
