import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";

/**
 * GTK 4 (4.8) gives its choosers of files, colours and fonts no role: "filler", as any box. Says what they are by where
 * they stand: directly below their application, the only top-level is a window, a further one a dialog. What is read by itself
 * later is what the last tree of its application said.
 */
export class RolelessToplevels {
  /** By bus name: the roles that were given, by path. */
  readonly #given = new Map<string, Map<string, number>>();

  /** Gives the rows of a snapshot that was just read their roles. */
  name(snapshot: Snapshot): void {
    const { role } = snapshot.columns;
    const { bus } = snapshot.origin.application;
    if (snapshot.size > 0 && role[0] === Role.application) this.#given.set(bus, rolesOf(snapshot));
    const given = this.#given.get(bus);
    if (given === undefined || given.size === 0) return;
    for (const row of role[0] === Role.application ? snapshot.children(0) : snapshot.size > 0 ? [0] : []) {
      const meant = role[row] === Role.filler ? given.get(snapshot.element(row).path) : undefined;
      if (meant !== undefined) role[row] = meant;
    }
  }

  /** The application left. */
  forget(bus: string): void {
    this.#given.delete(bus);
  }
}

function rolesOf(snapshot: Snapshot): Map<string, number> {
  const given = new Map<string, number>();
  for (const [index, row] of snapshot.children(0).entries()) {
    if (snapshot.role(row) !== Role.filler) continue;
    given.set(snapshot.element(row).path, index === 0 ? Role.frame : Role.dialog);
  }
  return given;
}
