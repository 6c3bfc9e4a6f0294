import { Deadline } from "../base/call.ts";
import type { Participant } from "../contract/participant.ts";
import { setNumber } from "../desktop/hands/set-number.ts";
import { type ElementKind, elementParticipant } from "./element.ts";
import type { Located } from "./trail.ts";

/** The number of a slider, spin button or scroll bar (AT-SPI's Value interface). */
export function numberOf(located: Located): Participant {
  return elementParticipant(located, NUMBER);
}

/** How a number is read and written. */
export const NUMBER: ElementKind = {
  kind: "number",
  aspect: "value",
  image(reading) {
    return reading.value
      ? { properties: { value: reading.value.current } }
      : { properties: {}, unrestorable: { value: "it tells no number" } };
  },
  async restore(desktop, element, image, call) {
    const value = image.properties.value;
    if (typeof value !== "number") return "none";
    return (await setNumber(desktop, element, value, Deadline.of(call, 5_000))).method;
  },
};
