import { describeRow, isScaffolding } from "../../desktop/describe.ts";
import type { Rect } from "../../desktop/desktop.ts";
import { intersection, visiblePart } from "../../desktop/visible.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { rowHas } from "../../desktop/state-words.ts";

/** Elements that a cluster is named by, at most. */
const MOST = 3;

/**
 * The elements under a rectangle of the screen, the smallest first: those without a child under it, and where there is none,
 * the smallest that holds all of it. At most three, as `button "Save"`.
 */
export function elementsUnder(snapshot: Snapshot, rect: Rect): string[] {
  const under: { readonly row: number; readonly area: number; readonly inside: boolean }[] = [];
  for (let row = 0; row < snapshot.size; row++) {
    if (!rowHas(snapshot, row, "visible")) continue;
    const place = visiblePart(snapshot, row);
    const common = place && intersection(place, rect);
    if (!place || !common || common.width < 1 || common.height < 1) continue;
    const inside = common.width === rect.width && common.height === rect.height;
    under.push({ row, area: place.width * place.height, inside });
  }
  const rows = new Set(under.map(({ row }) => row));
  const leaves = under.filter(({ row }) => !snapshot.children(row).some((child) => rows.has(child)));
  const reported = leaves.filter(({ row }) => !isScaffolding(snapshot, row));
  const found = reported.length > 0 ? reported : under.filter(({ inside }) => inside);
  found.sort((a, b) => a.area - b.area || a.row - b.row);
  return [...new Set(found.map(({ row }) => describeRow(snapshot, row)))].slice(0, MOST);
}
