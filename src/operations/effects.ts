import type { Effect } from "../contract/effect.ts";
import type { Participant } from "../contract/participant.ts";
import { choiceOf, fieldOf } from "../participants/combo-entry.ts";
import { expansionOf } from "../participants/expansion.ts";
import { focusOf } from "../participants/focus.ts";
import { numberOf } from "../participants/number.ts";
import { radioGroupOf } from "../participants/radio.ts";
import { textOf } from "../participants/text.ts";
import { toggleOf } from "../participants/toggle.ts";
import { isRow } from "../desktop/actions/click-action.ts";
import { containerOf } from "../desktop/actions/items.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { opensInside } from "../desktop/toolkits.ts";
import { type Kind, kindOf } from "./kind.ts";
import type { Match } from "./target.ts";

/** What holds the state of an element of each kind; "other" has none that could be restored. */
const HOLDERS: Readonly<Record<Kind, (match: Match) => readonly Participant[]>> = {
  text: fieldOf,
  secure: (match) => [textOf(match)],
  number: (match) => [numberOf(match)],
  toggle: (match) => [toggleOf(match)],
  radio: (match) => [radioGroupOf(match)],
  item: choiceOf,
  container: choiceOf,
  opener: (match) => [expansionOf(match)],
  other: () => [],
};

/** What protects the state of an element, and the focus with it. */
export function holdersOf(match: Match): readonly Participant[] {
  const { snapshot, row } = match;
  const held = HOLDERS[kindOf(snapshot, row)](match);
  // Its list opens inside of the window: no window tells that it is open.
  const opens = snapshot.role(row) === Role.comboBox && opensInside(match.application);
  return [...held, ...(opens ? [expansionOf(match)] : []), focusOf(match)];
}

/**
 * What a single left click on an element does, as far as its kind tells. A row may do anything when it is clicked, beside
 * being chosen: nobody can ask a list whether it opens what is clicked once. `select` chooses and does no more.
 */
export function clickEffect(match: Match): Effect {
  const { snapshot, row } = match;
  switch (kindOf(snapshot, row)) {
    case "text":
      return holdsCommands(snapshot, row) ? "irreversible" : "restorable";
    case "secure":
    case "toggle":
    case "radio":
      return "restorable";
    case "item":
      return isOnlyChosen(snapshot, row) ? "restorable" : "irreversible";
    case "container":
      // A click in any other view hits what lies in its middle.
      return snapshot.role(row) === Role.comboBox ? "observed" : "irreversible";
    case "opener":
    case "number":
      return "observed";
    case "other":
      return "irreversible";
  }
}

/** Tabs and items of combo boxes: to be clicked is to be chosen, and no more. */
function isOnlyChosen(snapshot: Snapshot, row: number): boolean {
  const role = snapshot.role(row);
  if (!isRow(role, true)) return true;
  const container = containerOf(snapshot, row);
  return container >= 0 && snapshot.role(container) === Role.comboBox;
}

/** Is there a link or a button in this text, which a click may hit? */
function holdsCommands(snapshot: Snapshot, row: number): boolean {
  for (let inside = row + 1; inside < snapshot.end(row); inside++) {
    const role = snapshot.role(inside);
    if (role === Role.link || role === Role.pushButton) return true;
  }
  return false;
}
