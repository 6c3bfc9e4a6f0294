import type { StateBits } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { roleOf } from "../roles.ts";
import { hasState, State, type StateName } from "../states.ts";

/** Longest name shown in a message. */
const MOST = 60;

/** An element for people: `button "Save"`. Takes the freshest reading there is. */
export function label(element: ElementRef, reading?: Reading): string {
  const role = roleOf(
    reading?.role ?? element.fingerprint.role,
    reading?.statesLow ?? 0,
    reading?.statesHigh ?? 0,
  );
  const name = reading?.name ?? element.fingerprint.name;
  if (name === "") return role.word;
  return `${role.word} ${JSON.stringify(name.length > MOST ? `${name.slice(0, MOST - 1)}…` : name)}`;
}

/** Is this state set in a reading? */
export function isIn(reading: StateBits, state: StateName): boolean {
  return hasState(reading.statesLow, reading.statesHigh, State[state]);
}

/** Does a text have several lines? Qt Quick does not tell it of its fields: one that holds a line break has. */
export function hasLines(reading: StateBits & Pick<Reading, "text">): boolean {
  if (isIn(reading, "multiLine")) return true;
  return !isIn(reading, "singleLine") && reading.text?.includes("\n") === true;
}

/** Does a reading implement all of these interfaces? */
export function implementsAll(reading: Reading, bits: number): boolean {
  return (reading.interfaces & bits) === bits;
}

/** Can it be used at all? Toolkits set both states or neither; one of them is enough where they set only one. */
export function isEnabled(reading: Reading): boolean {
  return isIn(reading, "enabled") || isIn(reading, "sensitive");
}

/** Is this item the chosen one? Radio and check menu items say it with CHECKED. */
export function isChosen(reading: Reading): boolean {
  return isIn(reading, "selected") || isIn(reading, "checked");
}
