import type { Json } from "../../base/error.ts";
import { isMap } from "../../base/json.ts";
import { equalJson } from "../../contract/participant.ts";
import type { ActionEndContent, WrittenActionBegin } from "./records/action.ts";
import { otherNames } from "./records/names.ts";

/** Hides secrets in JSON. */
interface JsonMask {
  json(value: Json): Json;
}

/**
 * What is encrypted of a line: without secrets. What applications made of one stays in it, since a rollback may have to write
 * it; where it holds such a thing, `shown` is the same as people may see it.
 */
export function encryptedWords(
  words: WrittenActionBegin | Omit<ActionEndContent, "shown">,
  { encryptionMask, mask }: { readonly encryptionMask: JsonMask; readonly mask: JsonMask },
): Json {
  const kept = encryptionMask.json(otherNames(words));
  const shown = mask.json(kept);
  return equalJson(kept, shown) || !isMap(kept) ? kept : { ...kept, shown };
}

/** Encrypted words as people may see them. */
export function shownWords(words: Json): Json {
  return isMap(words) && words["shown"] !== undefined ? words["shown"] : words;
}
