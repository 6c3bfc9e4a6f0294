import { Deadline } from "../base/call.ts";
import type { Participant } from "../contract/participant.ts";
import { selectText } from "../desktop/actions/select-text.ts";
import { type ElementKind, elementParticipant, numbersIn } from "./element.ts";
import type { Located } from "./trail.ts";

/** Which part of a text is selected; nothing: where its caret stands, which is restored as far as that goes. */
export function textSelectionOf(located: Located): Participant {
  return elementParticipant(located, TEXT_SELECTION);
}

/** How a selected part of a text is read and written. */
export const TEXT_SELECTION: ElementKind = {
  kind: "text-selection",
  aspect: "selected text",
  image(reading) {
    const selected = reading.textSelection;
    const some = selected !== undefined && selected[0] !== selected[1];
    return {
      properties: { selected: some ? [Math.min(...selected), Math.max(...selected)] : [] },
      incidental: { caret: reading.caret },
    };
  },
  async restore(desktop, element, image, call) {
    const [start, end] = numbersIn(image.properties.selected);
    const caret = image.incidental?.caret;
    const at = typeof caret === "number" && caret >= 0 ? caret : 0;
    return (await selectText(desktop, element, start ?? at, end ?? at, Deadline.of(call, 5_000))).method;
  },
};
