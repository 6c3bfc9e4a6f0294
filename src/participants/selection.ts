import { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import type { Participant } from "../contract/participant.ts";
import { choose } from "../desktop/hands/choose.ts";
import { Interface } from "../desktop/interfaces.ts";
import { elementParticipant } from "./element.ts";
import type { Located } from "./trail.ts";

/**
 * Which children of a list, combo box or tab list are selected. Given one of the children, its container is meant:
 * the nearest ancestor (or itself) that implements AT-SPI's Selection.
 */
export function selectionOf(located: Located): Participant {
  const { snapshot } = located;
  let row = located.row;
  while (row >= 0 && !snapshot.implements(row, Interface.selection)) row = snapshot.parent(row);
  const container = row < 0 ? located : { ...located, row, element: snapshot.element(row) };
  return elementParticipant(container, {
    kind: "selection",
    aspect: "selection",
    image(reading) {
      if (!reading.selectedChildren) {
        return { properties: {}, unrestorable: { selected: "it does not tell what is selected" } };
      }
      return { properties: { selected: [...reading.selectedChildren] } };
    },
    async restore(desktop, element, image, call) {
      // Nothing selected and not known are two things: on the latter nothing is done.
      if (image.properties.selected === undefined) return "none";
      const wanted = numbers(image.properties.selected);
      return (await choose(desktop, container.application, element, wanted, Deadline.of(call, 5_000))).method;
    },
  });
}

function numbers(value: Json): number[] {
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === "number") : [];
}
