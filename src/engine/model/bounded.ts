import type { Json } from "../../base/error.ts";

/** Characters of one text in a result: the whole of it is encrypted in the journal. */
const MOST = 1_000;

/**
 * What a rollback tells, with long texts cut: a document of a megabyte that drifted is named, and not printed. Masked
 * before, since a secret that is cut is harder to tell.
 */
export function bounded<T>(reported: T): T {
  return JSON.parse(JSON.stringify(reported), (_key, value: Json) => {
    if (typeof value !== "string" || value.length <= MOST) return value;
    return `${value.slice(0, MOST - 1)}…`;
  });
}
