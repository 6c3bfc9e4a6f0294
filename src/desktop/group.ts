import { Role } from "./roles.ts";
import type { Snapshot } from "./snapshot.ts";
import { isGtk4 } from "./toolkits.ts";

/**
 * The buttons of which a press of this one may clear another, itself among them; none for what stands alone. Radio buttons: those
 * below the nearest ancestor that holds more than one; in a menu those of that menu. GTK 4 (4.8) gives its radio buttons the role
 * of check boxes, and nothing distinguishes them before the click: those that stand beside it.
 */
export function groupOf(snapshot: Snapshot, row: number): number[] {
  const role = snapshot.role(row);
  if (role === Role.radioButton) return radiosAround(snapshot, row);
  if (role === Role.radioMenuItem) return beside(snapshot, row, (one) => snapshot.role(one) === role);
  if (!isGtk4(snapshot.origin.application) || role !== Role.checkBox) return [];
  return beside(snapshot, row, (one) => snapshot.role(one) === role);
}

function beside(snapshot: Snapshot, row: number, fits: (one: number) => boolean): number[] {
  return snapshot.children(snapshot.parent(row)).filter(fits);
}

function radiosAround(snapshot: Snapshot, row: number): number[] {
  for (let up = snapshot.parent(row); up >= 0; up = snapshot.parent(up)) {
    const rows: number[] = [];
    for (let at = up + 1; at < snapshot.end(up); at++) {
      if (snapshot.role(at) === Role.radioButton) rows.push(at);
    }
    if (rows.length > 1) return rows;
  }
  return [row];
}
