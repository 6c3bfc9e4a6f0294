import { ancestors } from "../desktop/ancestors.ts";
import { barsIn, isHorizontal, valueOfBar } from "../desktop/scroll-bars.ts";
import { scrollersOf } from "../desktop/actions/scroll-content.ts";
import type { Snapshot } from "../desktop/snapshot.ts";

/** What a turn of the wheel moved. */
export interface Scrolled {
  /** The area that scrolled, as a row of what was there before. */
  readonly area: number;
  /** As `scroll` counts it: units of its scroll bar, else pixels; down and right are positive. 0: it did not move. */
  readonly by: number;
}

/**
 * How far what lies around a row was scrolled: by its scroll bars, else by where its content lies. The innermost that moved, else the
 * innermost that could have; undefined: nothing there tells.
 */
export function scrolledBy(
  before: Snapshot,
  row: number,
  after: Snapshot,
  across: boolean,
): Scrolled | undefined {
  const moves = [...barMoves(before, row, after, across), ...contentMoves(before, row, after, across)];
  return moves.find(({ by }) => by !== 0) ?? moves[0];
}

function barMoves(before: Snapshot, row: number, after: Snapshot, across: boolean): Scrolled[] {
  return [row, ...ancestors(before, row)].flatMap((area) => {
    const bar = barsIn(before, area).find((one) => isHorizontal(before, one) === across);
    const holder = bar === undefined ? undefined : valueOfBar(before, bar);
    const was = holder === undefined ? undefined : before.value(holder)?.current;
    const now = holder === undefined ? -1 : after.rowOf(before.element(holder));
    const is = now < 0 ? undefined : after.value(now)?.current;
    return was === undefined || is === undefined ? [] : [{ area, by: is - was }];
  });
}

function contentMoves(before: Snapshot, row: number, after: Snapshot, across: boolean): Scrolled[] {
  return scrollersOf(before.origin.application, before, row).flatMap(({ area, content }) => {
    const was = offset(before, area, content, across);
    const is = offset(
      after,
      after.rowOf(before.element(area)),
      after.rowOf(before.element(content)),
      across,
    );
    return was === undefined || is === undefined ? [] : [{ area, by: was - is }];
  });
}

function offset(snapshot: Snapshot, area: number, content: number, across: boolean): number | undefined {
  const frame = area < 0 ? undefined : snapshot.rect(area);
  const inside = content < 0 ? undefined : snapshot.rect(content);
  if (frame === undefined || inside === undefined) return undefined;
  return across ? inside.x - frame.x : inside.y - frame.y;
}
