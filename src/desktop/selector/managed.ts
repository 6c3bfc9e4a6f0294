import type { Application } from "../element.ts";
import { roleOf } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { asksKeptAgain } from "../toolkits.ts";
import { typeMeans } from "../vocabulary.ts";
import type { Condition } from "./ast.ts";
import { rolesThatMayBe } from "./conditions.ts";
import { conditionsOf } from "./match.ts";
import { asksDescription, asksVisible, type ReadSelector } from "./strategies.ts";

/**
 * Can what lists, tables and trees show that manage their descendants match a query, or decide what does? Of these a
 * "remembered" snapshot has what they showed once. Not where a type is asked for that none of it has.
 */
export function asksManaged({ stages }: ReadSelector, snapshot: Snapshot): boolean {
  // Each element is asked again there, and so is what lists show.
  if (asksKeptAgain(snapshot.origin.application)) return false;
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

/**
 * Does a "remembered" snapshot tell that nothing matches, without being compared first? Where each element is asked again, but for
 * what it is described as and which of them show.
 */
export function tellsMiss(read: ReadSelector, application: Application): boolean {
  return asksKeptAgain(application) && !asksDescription(read) && !asksVisible(read);
}

/**
 * The roles that anything has which a query can match, where each element is judged by itself, and not by what is around it.
 * Undefined: it is not so judged, or may have any role.
 */
export function rolesAsked({ stages }: ReadSelector): readonly number[] | undefined {
  const roles = new Set<number>();
  for (const stage of stages) {
    if ("skip" in stage) continue;
    if (!("selector" in stage)) return undefined;
    for (const { steps: [step, ...more] } of stage.selector.paths) {
      const type = step?.conditions.find(({ kind }) => kind === "type");
      if (type?.kind !== "type" || more.length > 0 || !step?.conditions.every(judgesAlone)) return undefined;
      for (const role of rolesThatMayBe(type.type)) roles.add(role);
    }
  }
  return [...roles];
}

function judgesAlone(condition: Condition): boolean {
  const { kind } = condition;
  return kind === "type" || kind === "attribute" || kind === "present" || kind === "state" ||
    (kind === "nth" && condition.among === "matches");
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
