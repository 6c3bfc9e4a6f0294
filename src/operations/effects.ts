import type { Effect } from "../contract/effect.ts";
import type { Participant } from "../contract/participant.ts";
import { expansionOf } from "../participants/expansion.ts";
import { focusOf } from "../participants/focus.ts";
import { numberOf } from "../participants/number.ts";
import { radioGroupOf } from "../participants/radio.ts";
import { selectionOf } from "../participants/selection.ts";
import { textOf } from "../participants/text.ts";
import { toggleOf } from "../participants/toggle.ts";
import { type Kind, kindOf } from "./kind.ts";
import type { Match } from "./target.ts";

/** What holds the state of an element of each kind; "other" has none that could be put back. */
const HOLDERS: Readonly<Record<Kind, ((match: Match) => Participant) | undefined>> = {
  text: textOf,
  secure: textOf,
  number: numberOf,
  toggle: toggleOf,
  radio: radioGroupOf,
  item: selectionOf,
  container: selectionOf,
  opener: expansionOf,
  other: undefined,
};

/** What protects the state of an element, and the focus with it. */
export function holdersOf(match: Match): readonly Participant[] {
  const holder = HOLDERS[kindOf(match.snapshot, match.row)];
  return [...(holder === undefined ? [] : [holder(match)]), focusOf(match.application)];
}

/** What a single left click on an element does, as far as its kind tells. */
export function clickEffect(match: Match): Effect {
  switch (kindOf(match.snapshot, match.row)) {
    case "text":
    case "secure":
    case "toggle":
    case "radio":
    case "item":
      return "restorable";
    case "opener":
    case "container":
    case "number":
      return "observed";
    case "other":
      return "irreversible";
  }
}
