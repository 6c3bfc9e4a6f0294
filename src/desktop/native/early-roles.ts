import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";

/**
 * Firefox keeps for good the role that it was first asked for. Asked before the page's ARIA attributes have come
 * (`fillsOnDemand`), it tells a role without them: a toggle is a button, what opens a menu a menu item, and no event says
 * otherwise. The attributes, once they are there, tell which is meant.
 */
export class EarlyRoles {
  /** By bus name: the roles that are meant, by path. */
  readonly #meant = new Map<string, Map<string, number>>();

  /** Notes what is meant where a snapshot with attributes tells otherwise. */
  learn(snapshot: Snapshot): void {
    const { bus } = snapshot.origin.application;
    const meant = this.#meant.get(bus) ?? new Map<string, number>();
    for (let row = 0; row < snapshot.size; row++) {
      const role = meantBy(snapshot, row);
      if (role !== undefined) meant.set(snapshot.path(row), role);
    }
    this.#meant.set(bus, meant);
  }

  /** Gives the rows of a snapshot that was just read the roles that are meant. */
  correct(snapshot: Snapshot): void {
    const meant = this.#meant.get(snapshot.origin.application.bus);
    if (meant === undefined || meant.size === 0) return;
    const { role } = snapshot.columns;
    for (let row = 0; row < snapshot.size; row++) {
      const reported = snapshot.role(row);
      if (reported !== Role.pushButton && reported !== Role.menuItem) continue;
      role[row] = meant.get(snapshot.path(row)) ?? reported;
    }
  }

  /** The application left. */
  forget(bus: string): void {
    this.#meant.delete(bus);
  }
}

/** The role that the attributes of a row make of the one that is told; undefined: the same. */
function meantBy(snapshot: Snapshot, row: number): number | undefined {
  const role = snapshot.role(row);
  if (role === Role.pushButton && "pressed" in snapshot.attributes(row)) return Role.toggleButton;
  if (role === Role.menuItem && "haspopup" in snapshot.attributes(row)) return Role.menu;
  return undefined;
}
