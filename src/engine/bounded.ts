import type { Json } from "../base/error.ts";

/** Characters of one text in a result: the whole of it is sealed in the journal. */
const MOST = 1_000;

/**
 * What a way back tells, with long texts cut: a document of a megabyte that drifted is named, and not printed. Masked
 * before, since a secret that is cut is harder to tell.
 */
export function bounded<T>(told: T): T {
  return JSON.parse(JSON.stringify(told), (_key, value: Json) => {
    if (typeof value !== "string" || value.length <= MOST) return value;
    return `${value.slice(0, MOST - 1)}…`;
  });
}
