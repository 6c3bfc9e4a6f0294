import { Role } from "../roles.ts";
import type { Columns } from "../snapshot.ts";
import { hasState, State } from "../states.ts";

/**
 * Qt (5.15, 6.4) calls the tab that shows FOCUSED, whatever has the focus, and knows neither SELECTABLE nor SELECTED
 * there. Says it as the other toolkits do; who has the focus is still told by the row of tabs. A tab that is SELECTABLE
 * already says it by itself. In Qt Quick the tab that shows is CHECKED, and FOCUSED is the one that has the focus.
 */
export function tellChosenTabs({ count, role, states }: Pick<Columns, "count" | "role" | "states">): void {
  const isTab = (row: number) => role[row] === Role.pageTab;
  const has = (row: number, state: number) => hasState(states[2 * row] ?? 0, 0, state);
  let quick = false;
  for (let row = 0; row < count && !quick; row++) quick = isTab(row) && has(row, State.checked);
  for (let row = 0; row < count; row++) {
    if (!isTab(row) || has(row, State.selectable)) continue;
    const low = states[2 * row] ?? 0;
    const selected = has(row, quick ? State.checked : State.focused) ? 1 << State.selected : 0;
    states[2 * row] = (quick ? low : low & ~(1 << State.focused)) | (1 << State.selectable) | selected;
  }
}
