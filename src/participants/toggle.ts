import { Deadline } from "../base/call.ts";
import type { Participant } from "../contract/participant.ts";
import { isOn, setChecked } from "../desktop/actions/set-checked.ts";
import { checkGroupOf, checkGroupRows } from "./check-group.ts";
import { type ElementKind, elementParticipant } from "./element.ts";
import type { Located } from "./trail.ts";

/** Whether a check box, switch or toggle button is on. */
export function toggleOf(located: Located): Participant {
  const beside = checkGroupRows(located);
  if (beside.length > 1) return checkGroupOf(located, beside);
  return elementParticipant(located, TOGGLE);
}

/** How a toggle is read and written. */
export const TOGGLE: ElementKind = {
  kind: "toggle",
  aspect: "state",
  image(reading) {
    const checked = isOn(reading);
    return checked === undefined
      ? { properties: { checked: "mixed" }, unrestorable: { checked: "a mixed state cannot be set" } }
      : { properties: { checked } };
  },
  async restore(desktop, element, image, call) {
    const { checked } = image.properties;
    if (typeof checked !== "boolean") return "none";
    return (await setChecked(desktop, element, checked, Deadline.of(call, 5_000))).method;
  },
};
