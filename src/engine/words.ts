import type { Json } from "../base/error.ts";
import { equalJson } from "../contract/participant.ts";
import { isMap } from "../base/json.ts";
import type { Mask } from "./mask.ts";
import type { Standing } from "./perform.ts";
import { toJson } from "./run-context.ts";
import type { OperationStep } from "./step.ts";

/**
 * What another process needs to take a step back as its author wants it: the steps of its `undo:`, its `done_when`, and
 * what their placeholders stand for. Where a secret stands in these they are not written down, and it is said.
 */
export function wordsOf(step: OperationStep, at: Standing, mask: Mask): Record<string, Json> {
  const words: Json = {
    ...(step.undo ? { undo: toJson(step.undo) } : {}),
    ...(step.doneWhen ? { doneWhen: toJson(step.doneWhen) } : {}),
  };
  if (Object.keys(words).length === 0) return {};
  const { vars, steps, numbered } = at.scope;
  const told: Record<string, Json> = JSON.stringify(words).includes('"placeholder"')
    ? { ...words, scope: toJson({ vars, steps, numbered }) }
    : words;
  return equalJson(mask.json(told), told) ? told : { withheld: true };
}

/** A value that is a map, or an empty one. */
export function mapOf(value: Json): { readonly [key: string]: Json } {
  return isMap(value) ? value : {};
}
