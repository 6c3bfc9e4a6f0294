import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { hasState, State } from "../states.ts";

/**
 * Qt (5.15, 6.4) calls the tab that shows FOCUSED, whatever has the focus, and knows neither SELECTABLE nor SELECTED
 * there. Says it as the other toolkits do; who has the focus is still told by the row of tabs. A tab that is SELECTABLE
 * already says it by itself. In Qt Quick the tab that shows is CHECKED, and FOCUSED is the one that has the focus, which comes
 * first when one is pressed: a tab that is read by itself is of Qt Quick where one beside it was CHECKED in the last tree.
 */
export class QtTabs {
  /** By bus name: the paths of the tabs of Qt Quick. */
  readonly #quick = new Map<string, Set<string>>();

  /** Says of the tabs in a snapshot that was just read which are selected. */
  tell(snapshot: Snapshot): void {
    const { role, states } = snapshot.columns;
    const { bus } = snapshot.origin.application;
    const tabs: number[] = [];
    for (let row = 0; row < snapshot.size; row++) if (role[row] === Role.pageTab) tabs.push(row);
    const ofQuick = this.#learn(bus, snapshot, tabs);
    for (const row of tabs) {
      const low = states[2 * row] ?? 0;
      if (hasState(low, 0, State.selectable)) continue;
      const quick = ofQuick.has(snapshot.path(row));
      const selected = hasState(low, 0, quick ? State.checked : State.focused) ? 1 << State.selected : 0;
      states[2 * row] = (quick ? low : low & ~(1 << State.focused)) | (1 << State.selectable) | selected;
    }
  }

  /** The application left. */
  forget(bus: string): void {
    this.#quick.delete(bus);
  }

  #learn(bus: string, snapshot: Snapshot, tabs: readonly number[]): ReadonlySet<string> {
    const { states } = snapshot.columns;
    // What is kept has the states of some rows only.
    const whole = snapshot.size > 0 && snapshot.role(0) === Role.application &&
      snapshot.origin.source === "application";
    const quick = (whole ? undefined : this.#quick.get(bus)) ?? new Set<string>();
    const bars = new Set(
      tabs.filter((row) => hasState(states[2 * row] ?? 0, 0, State.checked)).map((row) =>
        snapshot.parent(row)
      ),
    );
    for (const row of tabs) if (bars.has(snapshot.parent(row))) quick.add(snapshot.path(row));
    this.#quick.set(bus, quick);
    return quick;
  }
}
