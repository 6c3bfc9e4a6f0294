import { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import type { Participant } from "../contract/participant.ts";
import type { Cell, CellPosition } from "../desktop/actions/cells.ts";
import { cellOf, editCell } from "../desktop/actions/edit-cell.ts";
import { copiedBy, drawnIn, labelOf } from "./element.ts";
import { Anchor, type Located } from "./trail.ts";

/** The text of a cell that is edited where it lies. See `cellIn`. */
export function cellTextOf(located: Located, { view, at }: Cell): Participant {
  const { snapshot } = located;
  const anchor = Anchor.of({ ...located, row: view, element: snapshot.element(view) });
  return cellTextAt(anchor, `text of ${labelOf(located)}`, at);
}

/** The same where the view is known by its anchor only: the cell is named after its text, so that it is found by its row. */
export function cellTextAt(view: Anchor, label: string, at: CellPosition): Participant {
  return {
    kind: "cell",
    key: `cell ${at.index} ${at.part} ${view.key}`,
    label,
    ...copiedBy(view.application),
    ...drawnIn(view),
    async capture(desktop, call) {
      const { text } = await view.with(
        desktop,
        call,
        (element) => cellOf(desktop, element, at, Deadline.of(call, 5_000)),
      );
      return { properties: { text } };
    },
    async restore({ properties: { text } }, desktop, call) {
      if (typeof text !== "string") return "none";
      const done = await view.with(
        desktop,
        call,
        (element) => editCell(desktop, element, at, text, Deadline.of(call, 5_000)),
      );
      return done.method;
    },
    describe: (): Json => ({
      kind: "cell",
      label,
      anchor: view.describe(),
      at: { ...at, beside: [...at.beside] },
    }),
  };
}
