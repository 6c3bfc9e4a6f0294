import type { Json } from "../../base/error.ts";
import { equalJson } from "../../contract/participant.ts";
import { isMap, toJson } from "../../base/json.ts";
import type { WrittenActionBegin } from "../journal/records/action.ts";
import type { Mask } from "../secrets/mask.ts";
import type { OperationStep } from "../model/step.ts";
import type { Standing } from "./standing.ts";

/**
 * What another process needs to take a step back as its author wants it: the steps of its `undo:`, its `done_when`, and
 * what their placeholders stand for. Where a secret stands in these they are not written down, and it is said.
 */
export function wordsOf(
  step: OperationStep,
  at: Standing,
  mask: Mask,
): Pick<WrittenActionBegin, "undo" | "doneWhen" | "scope" | "withheld"> {
  const words = {
    ...(step.undo ? { undo: toJson(step.undo) } : {}),
    ...(step.doneWhen ? { doneWhen: toJson(step.doneWhen) } : {}),
  };
  if (Object.keys(words).length === 0) return {};
  const { vars, steps, numbered } = at.scope;
  const reported = JSON.stringify(words).includes('"placeholder"')
    ? { ...words, scope: { vars, steps, numbered: Object.fromEntries(Object.entries(numbered)) } }
    : words;
  return equalJson(mask.json(reported), reported) ? reported : { withheld: true };
}

/** A value that is a map, or an empty one. */
export function mapOf(value: Json): { readonly [key: string]: Json } {
  return isMap(value) ? value : {};
}
