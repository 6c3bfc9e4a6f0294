import type { Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import { equalJson } from "../contract/participant.ts";
import type { RunContext } from "./run-context.ts";

/**
 * What is sealed of a line: without secrets. What applications made of one stays in it, since a way back may have to write
 * it; where it holds such a thing, `shown` is the same as people may see it.
 */
export function sealedWords(
  words: { readonly [key: string]: Json },
  { sealing, mask }: Pick<RunContext, "sealing" | "mask">,
): Json {
  const kept = sealing.json(words);
  const shown = mask.json(kept);
  return equalJson(kept, shown) || !isMap(kept) ? kept : { ...kept, shown };
}

/** Sealed words as people may see them. */
export function shownWords(words: Json): Json {
  return isMap(words) && words["shown"] !== undefined ? words["shown"] : words;
}
