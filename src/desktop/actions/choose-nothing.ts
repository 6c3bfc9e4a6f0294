import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { Attempts } from "./attempts.ts";
import { itemRows } from "./items.ts";
import { inputMethod } from "./input-method.ts";
import { label } from "./label.ts";
import { type Place, placeOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { watchUntil } from "./read-back.ts";
import { TOGGLE_ITEM, toggleItem } from "./toggle-item.ts";
import { adding } from "./shortcuts.ts";

/** Items that are let go of one by one; more are not worth their time. */
const MOST = 50;

/**
 * Lets go of all that is chosen in a list, table or tree whose items alone tell it (Qt): by each item's own action where
 * several may be chosen, else a click with Ctrl held on each, which deselects wherever nothing may be chosen at all.
 * Answers with the method.
 */
export async function chooseNothing(
  desktop: Desktop,
  container: ElementRef,
  deadline: Deadline,
): Promise<string> {
  const attempts = new Attempts(`choose nothing in ${label(container)}`);
  const look = () => placeOf(desktop, container, deadline, ["extents"]);
  let now = await look();
  if (chosen(now).length === 0) return "none";
  const letGo = await attempts.attempt(TOGGLE_ITEM, async () => {
    for (const row of chosen(now)) {
      if (!await toggleItem(desktop, now.snapshot.element(row), false, deadline)) return false;
    }
    return true;
  });
  if (letGo) return letGo.method;
  now = await look();
  const method = inputMethod(desktop, "ctrl+click");
  const done = await attempts.attempt(method, async () => {
    for (let left = chosen(now).length, turns = 0; left > 0; left = chosen(now).length) {
      if (turns++ > MOST) return false;
      const [row = now.row] = chosen(now);
      await clickOn(desktop, now.snapshot.element(row), deadline, { modifiers: adding(desktop) });
      const seen = await watchUntil(
        desktop,
        look,
        (next) => chosen(next).length < left,
        deadline,
        container,
      );
      if (!seen.held) return false;
      now = seen.last;
    }
    return true;
  });
  if (done) return done.method;
  throw attempts.failure("It may be that one must always be chosen there.");
}

function chosen({ snapshot, row }: Place): number[] {
  return itemRows(snapshot, row).filter((item) => snapshot.has(item, "selected"));
}
