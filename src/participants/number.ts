import { Deadline } from "../base/call.ts";
import type { Participant } from "../contract/participant.ts";
import { clearNumber, isEmptySpin, setNumber } from "../desktop/actions/set-number.ts";
import { setShown } from "../desktop/actions/set-shown.ts";
import { Role } from "../desktop/roles.ts";
import { keepsWhenLeft } from "../desktop/toolkits.ts";
import { type ElementKind, elementParticipant } from "./element.ts";
import type { Located } from "./trail.ts";

/** The number of a slider, spin button or scroll bar (AT-SPI's Value interface). */
export function numberOf(located: Located): Participant {
  const shown = located.snapshot.role(located.row) === Role.spinButton && keepsWhenLeft(located.application);
  return elementParticipant(located, shown ? SPIN : NUMBER);
}

/** How a number is read and written. */
export const NUMBER: ElementKind = {
  kind: "number",
  aspect: "value",
  image(reading) {
    // A field for a number that is empty holds no number, and not 0.
    if (isEmptySpin(reading)) return { properties: { value: null } };
    return reading.value
      ? { properties: { value: reading.value.current } }
      : { properties: {}, unrestorable: { value: "it reports no number" } };
  },
  async restore(desktop, element, image, call) {
    const value = image.properties.value;
    if (value === null) return (await clearNumber(desktop, element, Deadline.of(call, 5_000))).method;
    if (typeof value !== "number") return "none";
    return (await setNumber(desktop, element, value, Deadline.of(call, 5_000))).method;
  },
};

/**
 * The same of a spin button that shows more than its number tells: a day of a list, of which the number is always 0, or
 * what is written in its field and not yet taken (Swing).
 */
export const SPIN: ElementKind = {
  kind: "spin",
  aspect: "value",
  image(reading) {
    return reading.text === undefined
      ? { properties: {}, unrestorable: { shown: "it does not report what it shows" } }
      : { properties: { shown: reading.text, value: reading.value?.current ?? null } };
  },
  async restore(desktop, element, image, call) {
    const { shown, value } = image.properties;
    if (typeof shown !== "string") return "none";
    const number = typeof value === "number" ? value : undefined;
    return (await setShown(desktop, element, shown, number, Deadline.of(call, 5_000))).method;
  },
};
