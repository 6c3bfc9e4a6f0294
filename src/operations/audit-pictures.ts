import type { Call } from "../base/call.ts";
import type { Picture } from "../checks/audit/picture.ts";
import type { Desktop, Rect, Window } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { rowHas } from "../desktop/state-words.ts";

/** Pictures of the windows that rows are, each of its own pixels, whatever lies over it; none where they cannot be distinguished. */
export async function picturesOf(
  desktop: Desktop,
  snapshot: Snapshot,
  rows: readonly number[],
  call: Call,
): Promise<Picture[]> {
  if (!desktop.capabilities.pictures || !desktop.capabilities.windows) return [];
  const { pid } = snapshot.origin.application;
  const own = (await desktop.windows(call)).filter((w) => w.pid === pid && !w.popup && !w.minimised);
  const pictures: Picture[] = [];
  for (const row of rows) {
    const window = windowOf(snapshot, row, own);
    if (window === undefined || !rowHas(snapshot, row, "visible")) continue;
    const frame = await desktop.screenshot({ what: "window", window: window.id }, call);
    pictures.push({ frame, x: window.rect.x, y: window.rect.y, window: row });
  }
  return pictures;
}

/** The window that a row is: of its title if there is one such, and where it says that it lies. */
function windowOf(snapshot: Snapshot, row: number, windows: readonly Window[]): Window | undefined {
  const place = snapshot.rect(row);
  if (place === undefined) return undefined;
  const fits = windows.filter(({ rect }) => overlap(rect, place) > 0.8 * rect.width * rect.height);
  const named = fits.filter(({ title }) => title === snapshot.name(row));
  const candidates = named.length > 0 ? named : fits;
  const size = place.width * place.height;
  const off = ({ rect }: Window) => Math.abs(rect.width * rect.height - size);
  return candidates.toSorted((a, b) => off(a) - off(b))[0];
}

function overlap(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}
