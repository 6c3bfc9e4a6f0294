import { Role } from "../roles.ts";
import type { Columns } from "../snapshot.ts";
import { hasState, State } from "../states.ts";

/**
 * Qt (5.15, 6.4) calls the tab that shows FOCUSED, whatever has the focus, and knows neither SELECTABLE nor SELECTED
 * there. Says it as the other toolkits do; who has the focus is still told by the row of tabs. A tab that is SELECTABLE
 * already says it by itself.
 */
export function tellChosenTabs({ count, role, states }: Pick<Columns, "count" | "role" | "states">): void {
  for (let row = 0; row < count; row++) {
    const low = states[2 * row] ?? 0;
    if (role[row] !== Role.pageTab || hasState(low, 0, State.selectable)) continue;
    const selected = hasState(low, 0, State.focused) ? 1 << State.selected : 0;
    states[2 * row] = (low & ~(1 << State.focused)) | (1 << State.selectable) | selected;
  }
}
