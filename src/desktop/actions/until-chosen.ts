import type { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { isChosen } from "./label.ts";
import type { Place } from "./place.ts";
import { until, watchUntil } from "./read-back.ts";

/**
 * Is an item chosen, or will it soon be? A program may make a row of tabs anew when one of them is chosen (TeXstudio): then that of the
 * only row with tabs of the same names tells.
 */
export async function untilChosen(
  desktop: Desktop,
  element: ElementRef,
  { application, snapshot, row }: Place,
  deadline: Deadline,
): Promise<boolean> {
  try {
    return (await until(desktop, element, isChosen, deadline)).held;
  } catch (thrown) {
    if (toBackstepError(thrown).code !== "stale" || snapshot.role(row) !== Role.pageTab) throw thrown;
    const tabs = snapshot.children(snapshot.parent(row));
    const names = tabs.map((one) => snapshot.name(one));
    const look = () => desktop.snapshot(application, deadline.call());
    const isThere = (now: Snapshot) => {
      const [tab = -1, ...others] = rowsOf(now, names).map((all) => all[tabs.indexOf(row)] ?? -1);
      return tab >= 0 && others.length === 0 && now.has(tab, "selected");
    };
    return (await watchUntil(desktop, look, isThere, deadline, application)).held;
  }
}

/** The tabs of each row of tabs with these names. */
function rowsOf(snapshot: Snapshot, names: readonly string[]): (readonly number[])[] {
  const found: (readonly number[])[] = [];
  for (let list = 0; list < snapshot.size; list++) {
    if (snapshot.role(list) !== Role.pageTabList) continue;
    const tabs = snapshot.children(list);
    const same = tabs.length === names.length && tabs.every((tab, at) => snapshot.name(tab) === names[at]);
    if (same) found.push(tabs);
  }
  return found;
}
