import { roleOf } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { typeMeans } from "../vocabulary.ts";
import { conditionsOf } from "./match.ts";
import type { ReadSelector } from "./strategies.ts";

/**
 * Can what lists, tables and trees show that manage their descendants match a query, or decide what does? Of these a
 * "remembered" snapshot has what they showed once. Not where a type is asked for that none of it has.
 */
export function asksManaged({ stages }: ReadSelector, snapshot: Snapshot): boolean {
  const managed = managedRoles(snapshot);
  if (managed.length === 0) return false;
  const first = stages.find((stage) => !("skip" in stage));
  if (first === undefined || !("selector" in first)) return true;
  if ([...conditionsOf(first.selector)].some(({ kind }) => kind === "has")) return true;
  return first.selector.paths.some(({ steps }) => {
    const type = steps.at(-1)?.conditions.find(({ kind }) => kind === "type");
    return type?.kind !== "type" || managed.some((info) => typeMeans(type.type, info));
  });
}

function managedRoles(snapshot: Snapshot): ReturnType<typeof roleOf>[] {
  const found = new Map<string, ReturnType<typeof roleOf>>();
  for (let row = 1; row < snapshot.size; row++) {
    if (!snapshot.has(row, "managesDescendants")) continue;
    for (let below = row + 1; below < snapshot.end(row); below++) {
      const info = roleOf(snapshot.role(below), snapshot.statesLow(below), snapshot.statesHigh(below));
      found.set(info.word, info);
    }
    row = snapshot.end(row) - 1;
  }
  return [...found.values()];
}
