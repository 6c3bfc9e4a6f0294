import { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import type { Participant } from "../contract/participant.ts";
import { choose, chooseChild, chooseNamed } from "../desktop/actions/choose.ts";
import { containerOf, entryOf, isContainer, shownName, tellsByNameAlone } from "../desktop/actions/items.ts";
import { rowViewOf } from "../desktop/actions/choose-rows.ts";
import { placeOf } from "../desktop/actions/place.ts";
import { Interface } from "../desktop/interfaces.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { isQuickCombo } from "../desktop/quick.ts";
import { isGtk4, isMac, namesByChoice, webFactsOf } from "../desktop/toolkits.ts";
import { chosenItemsOf } from "./chosen-items.ts";
import { chosenRowsOf } from "./chosen-rows.ts";
import { type ElementKind, labelOf, numbersIn, participantAt } from "./element.ts";
import { textOf } from "./text.ts";
import { Anchor, type Located } from "./trail.ts";

/**
 * Which children of a list, combo box or tab list are selected. Given one of the children, its container is meant:
 * the nearest ancestor (or itself) that implements AT-SPI's Selection. What a combo box has chosen is told by itself, by
 * the menu inside it (Chromium), by its entry, or by its name (Qt, Swing); GTK 4.8's own box without an entry does not tell it.
 * Where nobody implements Selection (Qt's lists, tables, trees and rows of tabs), the items themselves tell.
 */
export function selectionOf(located: Located): Participant {
  const { snapshot } = located;
  const combo = comboOf(snapshot, located.row);
  // GTK 4.8 keeps the choice of its combo boxes to itself: it counts the first item as none.
  const silent = isGtk4(located.application);
  const named = namesByChoice(located.application);
  const entry = combo < 0 ? undefined : entryOf(snapshot, combo);
  if (entry !== undefined && (silent || named || entry === combo)) return textOf(at(located, entry));
  if (combo >= 0 && entry === undefined && (isMac(located.application) || isQuickCombo(snapshot, combo))) {
    return shownInside(at(located, combo));
  }
  if (named && combo >= 0) {
    // Where it shows nothing, its name is its label's.
    const own = snapshot.name(combo);
    const nameless = tellsByNameAlone(snapshot, combo) && shownName(snapshot, combo) !== own;
    return nameless ? shownInside(at(located, combo)) : shownOf(at(located, combo));
  }
  if (silent && combo >= 0 && shownName(snapshot, combo) !== undefined) {
    return shownInside(at(located, combo));
  }
  if (combo >= 0 && webFactsOf(located.application)?.fatalSelection) return chosenItemsOf(at(located, combo));
  const view = combo < 0 ? rowViewOf(snapshot, located.row) : -1;
  if (view >= 0) return chosenRowsOf(at(located, view));
  const row = holderOf(snapshot, combo < 0 ? located.row : combo);
  const holder = combo < 0 && row < 0 ? containerFor(snapshot, located.row) : -1;
  if (holder >= 0) return chosenItemsOf(at(located, holder));
  const container = row < 0 ? located : at(located, row);
  const box = combo < 0 || combo === row ? undefined : Anchor.of(at(located, combo));
  return selectionAt(Anchor.of(container), `selection of ${labelOf(container)}`, {
    box,
    silent: combo >= 0 && silent,
  });
}

/** What AT-SPI's Selection tells of an anchor; `silent`: the toolkit keeps it to itself. */
export function selectionAt(
  container: Anchor,
  label: string,
  { box, silent }: { readonly box: Anchor | undefined; readonly silent: boolean },
): Participant {
  const kind: ElementKind = {
    kind: "selection",
    aspect: "selection",
    image(reading) {
      if (!reading.selectedChildren || silent) {
        return { properties: {}, unrestorable: { selected: "it does not report what is selected" } };
      }
      return { properties: { selected: [...reading.selectedChildren] } };
    },
    async restore(desktop, element, image, call) {
      // Nothing selected and not known are two things: on the latter nothing is done.
      if (image.properties.selected === undefined) return "none";
      const wanted = numbersIn(image.properties.selected);
      const deadline = Deadline.of(call, 5_000);
      const [only] = wanted;
      if (box !== undefined && only !== undefined && wanted.length === 1) {
        const done = await box.with(desktop, call, (combo) => chooseChild(desktop, combo, only, deadline));
        return done.method;
      }
      return (await choose(desktop, container.application, element, wanted, deadline)).method;
    },
  };
  return participantAt(container, label, kind, {
    silent,
    box: box === undefined ? null : box.describe(),
  });
}

/** What a combo box shows, where its name is that (Qt, Swing). */
function shownOf(combo: Located): Participant {
  return shownAt(Anchor.of(combo), `${SHOWN.aspect} of ${labelOf(combo)}`);
}

/** The same where the combo box is known by its anchor only. */
export function shownAt(combo: Anchor, label: string): Participant {
  return participantAt(combo, label, SHOWN, { kind: "shown" });
}

const SHOWN: ElementKind = {
  kind: "selection",
  aspect: "choice",
  image: (reading) => ({ properties: { shown: reading.name } }),
  async restore(desktop, element, image, call) {
    const { shown } = image.properties;
    if (typeof shown !== "string") return "none";
    return (await chooseNamed(desktop, element, shown, Deadline.of(call, 5_000))).method;
  },
};

/**
 * What a combo box shows inside: GTK 4's drop-downs, boxes of Qt Quick and pop-up buttons of macOS tell it nowhere else, and one of
 * Qt that shows nothing by its items.
 */
function shownInside(combo: Located): Participant {
  return shownInsideAt(Anchor.of(combo), `choice of ${labelOf(combo)}`);
}

/** The same where the drop-down is known by its anchor only. */
export function shownInsideAt(anchor: Anchor, label: string): Participant {
  return {
    kind: "selection",
    key: `selection ${anchor.key}`,
    label,
    rowsIn: (snapshot) => anchor.rowsIn(snapshot),
    capture: (desktop, call) =>
      anchor.with(desktop, call, async (element) => {
        const { snapshot, row } = await placeOf(desktop, element, Deadline.of(call, 5_000), ["text"]);
        const shown = shownName(snapshot, row) ?? null;
        if (shown !== null || !tellsByNameAlone(snapshot, row)) return { properties: { shown } };
        return { properties: { shown }, unrestorable: { shown: "nothing was chosen in it" } };
      }),
    async restore(image, desktop, call) {
      const { shown } = image.properties;
      if (typeof shown !== "string") return "none";
      const deadline = Deadline.of(call, 5_000);
      return (await anchor.with(desktop, call, (element) => chooseNamed(desktop, element, shown, deadline)))
        .method;
    },
    describe: (): Json => ({ kind: "shown-inside", label, anchor: anchor.describe() }),
  };
}

/** What holds the items among which a row is, or which it is itself; -1 without one. */
function containerFor(snapshot: Snapshot, row: number): number {
  return isContainer(snapshot.role(row)) ? row : containerOf(snapshot, row);
}

/** The combo box that a row is, or is in; -1 without one. */
function comboOf(snapshot: Snapshot, row: number): number {
  let up = row;
  while (up >= 0 && snapshot.role(up) !== Role.comboBox) up = snapshot.parent(up);
  return up;
}

/** Who tells what is selected: the element, what is inside a combo box, or the nearest ancestor; -1 without one. */
function holderOf(snapshot: Snapshot, row: number): number {
  const end = snapshot.role(row) === Role.comboBox ? snapshot.end(row) : row + 1;
  for (let r = row; r < end; r++) if (snapshot.implements(r, Interface.selection)) return r;
  let up = snapshot.parent(row);
  while (up >= 0 && !snapshot.implements(up, Interface.selection)) up = snapshot.parent(up);
  return up;
}

function at(located: Located, row: number): Located {
  return { ...located, row, element: located.snapshot.element(row) };
}
