import type { Reading } from "./element.ts";
import type { Snapshot } from "./snapshot.ts";

/** What an element says of itself by which it is known again. */
type Says = Pick<Reading, "role" | "name" | "description" | "id">;

/** Does an element say of itself what was kept of it in a row? `now`: what was read of it, or a snapshot that begins with it. */
export function isAsKept(kept: Snapshot, row: number, now: Says | Snapshot): boolean {
  const says = "columns" in now ? saidBy(now) : now;
  return says.role === kept.role(row) && says.name === kept.name(row) &&
    says.description === kept.description(row) && says.id === kept.id(row);
}

function saidBy(now: Snapshot): Says {
  return { role: now.role(0), name: now.name(0), description: now.description(0), id: now.id(0) };
}
