import { Deadline } from "../base/call.ts";
import type { Participant } from "../contract/participant.ts";
import type { Reading } from "../desktop/desktop.ts";
import { setChecked } from "../desktop/hands/set-checked.ts";
import { hasState, State } from "../desktop/states.ts";
import { checkGroupOf, checkGroupRows } from "./check-group.ts";
import { elementParticipant } from "./element.ts";
import type { Located } from "./trail.ts";

/** Whether a check box, switch or toggle button is on. */
export function toggleOf(located: Located): Participant {
  const beside = checkGroupRows(located);
  if (beside.length > 1) return checkGroupOf(located, beside);
  return elementParticipant(located, {
    kind: "toggle",
    aspect: "state",
    image: (reading) =>
      hasState(reading.statesLow, reading.statesHigh, State.indeterminate)
        ? { properties: { checked: "mixed" }, unrestorable: { checked: "a mixed state cannot be set" } }
        : { properties: { checked: isOn(reading) } },
    async restore(desktop, element, image, call) {
      const { checked } = image.properties;
      if (typeof checked !== "boolean") return "none";
      return (await setChecked(desktop, element, checked, Deadline.of(call, 5_000))).method;
    },
  });
}

/** Toggle buttons say PRESSED, check boxes CHECKED; a toolkit sets the one that fits. */
export function isOn(reading: Pick<Reading, "statesLow" | "statesHigh">): boolean {
  return hasState(reading.statesLow, reading.statesHigh, State.checked) ||
    hasState(reading.statesLow, reading.statesHigh, State.pressed);
}
