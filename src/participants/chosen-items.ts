import { type Call, Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import { equalJson, type Participant } from "../contract/participant.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { chooseNothing } from "../desktop/actions/choose-nothing.ts";
import { chooseSeveral } from "../desktop/actions/choose-several.ts";
import { chooseChild } from "../desktop/actions/choose.ts";
import { itemName, itemRows } from "../desktop/actions/items.ts";
import { insideOf } from "../desktop/actions/place.ts";
import { columnsIn } from "../desktop/actions/cells.ts";
import { copiedBy, labelOf, numbersIn } from "./element.ts";
import { Anchor, type Located } from "./trail.ts";

/**
 * Which items of a list, table, tree or row of tabs are selected, as the items themselves say it: for containers that
 * do not implement AT-SPI's Selection (Qt). What one click chooses is restored by one, several by one with Ctrl held on each, and that nothing was chosen by a
 * click with Ctrl held on what is: Ctrl+Space, which clears too, also checks an item that can be checked.
 */
export function chosenItemsOf(container: Located): Participant {
  return chosenItemsAt(Anchor.of(container), `selection of ${labelOf(container)}`);
}

/** The same where the container is known by its anchor only. */
export function chosenItemsAt(anchor: Anchor, label: string): Participant {
  const look = (desktop: Desktop, call: Call) =>
    anchor.with(desktop, call, async (element) => {
      const deadline = Deadline.of(call, 5_000);
      const { snapshot, row } = await insideOf(desktop, element, deadline, ["text"]);
      return itemRows(snapshot, row).flatMap((item, index): Item[] => {
        return snapshot.has(item, "selected") ? [{ index, name: itemName(snapshot, item) }] : [];
      });
    });
  return {
    kind: "selection",
    key: `selection ${anchor.key}`,
    label,
    rowsIn: (snapshot) => anchor.rowsIn(snapshot),
    ...copiedBy(anchor.application),
    // A cell that was edited since has another name, and is chosen as it was left.
    isAsLeft: (left, now) => equalJson(left.properties["chosen"] ?? null, now.properties["chosen"] ?? null),
    async capture(desktop, call) {
      const items = await look(desktop, call);
      const chosen = items.map(({ index }): Json => index);
      const properties = { chosen, names: items.map(({ name }): Json => name) };
      return { properties };
    },
    async restore(image, desktop, call) {
      const deadline = Deadline.of(call, 5_000);
      const names = textsIn(image.properties["names"]);
      const items = numbersIn(image.properties["chosen"]).map((index, at): Item => ({
        index,
        name: names[at] ?? "",
      }));
      return await anchor.with(desktop, call, async (element) => {
        const { snapshot, row } = await insideOf(desktop, element, deadline, []);
        const [first, ...others] = oneOfEachRow(items, columnsIn(snapshot, row));
        if (first === undefined) return await chooseNothing(desktop, element, deadline);
        const done = others.length === 0
          ? await chooseChild(desktop, element, first.index, deadline)
          : await chooseSeveral(desktop, element, [first, ...others].map(({ name }) => name), deadline);
        return done.method;
      });
    },
    describe: (): Json => ({ kind: "items", label, anchor: anchor.describe() }),
  };
}

/** Of a row that is chosen whole, its first cell: what the others show may stand in other rows, too. */
function oneOfEachRow(items: readonly Item[], columns: number): Item[] {
  const rows = Map.groupBy(items, ({ index }) => Math.floor(index / columns));
  return [...rows.values()].flatMap((cells) => cells.length === columns ? cells.slice(0, 1) : cells);
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

interface Item {
  readonly index: number;
  readonly name: string;
}
