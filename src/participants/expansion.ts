import { Deadline } from "../base/call.ts";
import type { Participant } from "../contract/participant.ts";
import { setExpanded } from "../desktop/actions/set-expanded.ts";
import { hasState, State } from "../desktop/states.ts";
import { type ElementKind, elementParticipant } from "./element.ts";
import type { Located } from "./trail.ts";

/** Whether an expander, tree item or disclosure is open. */
export function expansionOf(located: Located): Participant {
  return elementParticipant(located, EXPANSION);
}

/** How an expansion is read and written. */
export const EXPANSION: ElementKind = {
  kind: "expansion",
  aspect: "expansion",
  image: (reading) => ({
    properties: { expanded: hasState(reading.statesLow, reading.statesHigh, State.expanded) },
  }),
  async restore(desktop, element, image, call) {
    const { expanded } = image.properties;
    if (typeof expanded !== "boolean") return "none";
    return (await setExpanded(desktop, element, expanded, Deadline.of(call, 5_000))).method;
  },
};
