import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Participant } from "../contract/participant.ts";
import type { Done } from "../desktop/actions/attempts.ts";
import { chooseNamed } from "../desktop/actions/choose.ts";
import { setChecked } from "../desktop/actions/set-checked.ts";
import { setExpanded } from "../desktop/actions/set-expanded.ts";
import { setNumber } from "../desktop/actions/set-number.ts";
import { setText } from "../desktop/actions/set-text.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { Interface } from "../desktop/interfaces.ts";
import type { Reach } from "../desktop/reach.ts";
import { Role } from "../desktop/roles.ts";
import { labelOf } from "../participants/element.ts";
import { expansionOf } from "../participants/expansion.ts";
import { focusOf } from "../participants/focus.ts";
import { textOf } from "../participants/text.ts";
import { holdersOf } from "./effects.ts";
import { kindOf, partsOf } from "./kind.ts";
import { editedCell, readsCell, settingOfCell } from "./setting-cell.ts";
import { asBoolean, asNumber, asText, isWords, unfit, type Value } from "./set-value.ts";
import type { Match } from "./target.ts";

/** How one element is set to one value. */
export interface Setting {
  /** What it may change. */
  protects(): readonly Participant[];
  /** Empty: a value is written, and nothing is reached. */
  readonly reaches: readonly Reach[];
  /** Throws `invalid` for a value that the element does not take, `unsupported` where it takes none. */
  apply(desktop: Desktop, deadline: Deadline): Promise<Done>;
}

/** How an element is set, by what it is there for. */
export function settingOf(match: Match, value: Value): Setting {
  const { snapshot, row, element } = match;
  const pressed: Pick<Setting, "protects" | "reaches"> = {
    protects: () => holdersOf(match),
    reaches: [{ by: "press", doing: "set", spot: match }],
  };
  const opened: Setting["apply"] = async (desktop, deadline) =>
    await setExpanded(desktop, element, asBoolean(match, value), deadline);
  switch (kindOf(snapshot, row)) {
    case "text":
    case "secure":
      return {
        protects: () => holdersOf(match),
        reaches: [],
        apply: async (desktop, deadline) => await setText(desktop, element, asText(match, value), deadline),
      };
    case "number":
      return isText(match, value) ? shown(match, value) : {
        protects: () => holdersOf(match),
        reaches: [],
        apply: async (desktop, deadline) =>
          await setNumber(desktop, element, asNumber(match, value), deadline),
      };
    case "toggle":
    case "radio":
      return {
        ...pressed,
        apply: async (desktop, deadline) =>
          await setChecked(desktop, element, asBoolean(match, value), deadline),
      };
    case "opener":
      return { ...pressed, apply: opened };
    case "container":
      return {
        protects: () => holdersOf(match),
        reaches: [{ by: "choice", spot: match, words: [String(value)] }],
        apply: async (desktop, deadline) =>
          await chooseNamed(desktop, element, asText(match, value, "the name of an item"), deadline),
      };
    case "item":
    case "other": {
      // Of a row of a tree, what is set is whether it is open, not whether it is chosen.
      if (snapshot.has(row, "expandable")) {
        return { ...pressed, protects: () => [expansionOf(match), focusOf(match)], apply: opened };
      }
      const cell = editedCell(match);
      if (cell !== undefined) return { ...pressed, ...settingOfCell(match, cell, value) };
      return { ...pressed, apply: () => Promise.reject(noValue(match)) };
    }
  }
}

/** Does only a reading of the element tell how it is set: a spin button to words, a cell to a word for on or off? */
export function asksFirst(match: Match, value: Value): boolean {
  return readsCell(match, value) || (isWords(value) && isSpinText(match) && match.reading === undefined);
}

/** Is it a text for a spin button, which may be one of days or words? */
function isText(match: Match, value: Value): value is string {
  const range = match.reading?.value;
  // One that has room for a number takes numbers alone, and its text goes back with its number.
  if (range !== undefined && range.minimum < range.maximum) return false;
  return isWords(value) && isSpinText(match);
}

function isSpinText({ snapshot, row }: Match): boolean {
  return snapshot.role(row) === Role.spinButton && snapshot.implements(row, Interface.editableText);
}

/** What a spin button shows that has no room for a number: a date of Qt. */
function shown(match: Match, value: string): Setting {
  return {
    protects: () => [textOf(match), focusOf(match)],
    reaches: [],
    async apply(desktop, deadline) {
      const { value: range } = await desktop.read(match.element, {
        ...deadline.call(),
        recent: true,
        place: false,
      });
      if (range !== undefined && range.minimum < range.maximum) throw unfit(match, value, "a number");
      return await setText(desktop, match.element, value, deadline);
    },
  };
}

function noValue(match: Match): BackstepError {
  const { snapshot, row, element } = match;
  const parts = partsOf(snapshot, row).map((part) => labelOf({ ...match, row: part, element }));
  const why = parts.length > 0 ? "its parts hold it" : "it has no value";
  return new BackstepError("unsupported", `Cannot set ${labelOf(match)}: ${why}`, {
    hint: parts.length > 0
      ? `Set ${parts.join(", ")}, each in a step of its own.`
      : "Click it, or set the list or combo box that holds it.",
  });
}
