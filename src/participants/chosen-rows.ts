import { Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import type { Participant } from "../contract/participant.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { chooseRows, chosenRows, rowAt, type RowPath, rowPathOf } from "../desktop/actions/choose-rows.ts";
import { itemName } from "../desktop/actions/items.ts";
import { placeOf } from "../desktop/actions/place.ts";
import type { Call } from "../base/call.ts";
import { copiedBy, labelOf, numbersIn } from "./element.ts";
import { Anchor, type Located } from "./trail.ts";

/** Which rows of a list, table or tree are chosen, where the rows tell it and each may hold others (Swing). */
export function chosenRowsOf(view: Located): Participant {
  return chosenRowsAt(Anchor.of(view), `selection of ${labelOf(view)}`);
}

/** The same where the view is known by its anchor only. */
export function chosenRowsAt(anchor: Anchor, label: string): Participant {
  const look = (desktop: Desktop, call: Call) =>
    anchor.with(desktop, call, (element) => placeOf(desktop, element, Deadline.of(call, 5_000), ["text"]));
  return {
    kind: "selection",
    key: `selection ${anchor.key}`,
    label,
    rowsIn: (snapshot) => anchor.rowsIn(snapshot),
    ...copiedBy(anchor.application),
    async capture(desktop, call) {
      const { snapshot, row } = await look(desktop, call);
      const rows = chosenRows(snapshot, row);
      return {
        properties: {
          chosen: rows.map((one): Json => [...rowPathOf(snapshot, row, one)]),
          names: rows.map((one): Json => itemName(snapshot, one)),
        },
      };
    },
    async restore(image, desktop, call) {
      const { chosen, names } = image.properties;
      if (!Array.isArray(chosen) || !Array.isArray(names)) return "none";
      const paths: RowPath[] = chosen.map(numbersIn);
      const { snapshot, row } = await look(desktop, call);
      for (const [k, path] of paths.entries()) {
        const at = rowAt(snapshot, row, path);
        if (at >= 0 && itemName(snapshot, at) === names[k]) continue;
        throw new BackstepError("not_found", `Cannot restore the ${label}: its rows are others now`);
      }
      const deadline = Deadline.of(call, 5_000);
      const done = await anchor.with(desktop, call, (element) => {
        return chooseRows(desktop, element, paths, `restore the ${label}`, deadline);
      });
      return done.method;
    },
    describe: (): Json => ({ kind: "rows", label, anchor: anchor.describe() }),
  };
}
