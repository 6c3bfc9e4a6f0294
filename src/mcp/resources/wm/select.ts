import type { Json } from "../../../base/error.ts";
import { isList, isMap } from "../../../base/json.ts";
import type { Condition } from "./query.ts";

/** Which fields stay, level by level; true: all that is below. */
type Kept = Map<string, Kept | true>;

/** A value with nothing but these fields; a list has them in each of its elements. */
export function pick(value: Json, paths: readonly (readonly string[])[]): Json {
  const kept: Kept = new Map();
  for (const path of paths) keep(kept, path);
  return picked(value, kept);
}

function keep(kept: Kept, [name, ...rest]: readonly string[]): void {
  if (name === undefined) return;
  const before = kept.get(name);
  if (before === true) return;
  if (rest.length === 0) kept.set(name, true);
  else {
    const next: Kept = before ?? new Map();
    kept.set(name, next);
    keep(next, rest);
  }
}

function picked(value: Json, kept: Kept): Json {
  if (isList(value)) return value.map((one) => picked(one, kept));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const below = kept.get(name);
      return below === undefined ? [] : [[name, below === true ? one : picked(one, below)]];
    }),
  );
}

/** Does every condition hold? */
export function holds(value: Json, conditions: readonly Condition[]): boolean {
  return conditions.every(({ path, wanted }) => found(value, path, wanted));
}

function found(value: Json | undefined, path: readonly string[], wanted: readonly Json[]): boolean {
  if (isList(value)) return value.some((one) => found(one, path, wanted));
  const [name, ...rest] = path;
  if (name === undefined) return value !== undefined && wanted.includes(value);
  return isMap(value) && found(value[name], rest, wanted);
}
