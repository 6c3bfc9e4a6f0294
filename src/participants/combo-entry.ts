import { Deadline } from "../base/call.ts";
import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import type { Participant } from "../contract/participant.ts";
import { chooseNamed } from "../desktop/actions/choose.ts";
import { choosesByInput } from "../desktop/actions/choose-in-combo.ts";
import { entryOf, itemName, itemRows } from "../desktop/actions/items.ts";
import { placeOf } from "../desktop/actions/place.ts";
import { Interface } from "../desktop/interfaces.ts";
import { Role } from "../desktop/roles.ts";
import { ancestors } from "../desktop/ancestors.ts";
import { hasGtk3Widgets, isGtk4, isQt } from "../desktop/toolkits.ts";
import { isQuickCombo } from "../desktop/quick.ts";
import { mapOf } from "./element.ts";
import { selectionOf } from "./selection.ts";
import { textOf } from "./text.ts";
import { Anchor, type Located } from "./trail.ts";

/** What is chosen where an element is, or lies: a combo box with an entry holds a text beside that. */
export function choiceOf(located: Located): readonly Participant[] {
  return entryWithItem(located) ?? [selectionOf(located)];
}

/** What a field holds: the entry of a combo box beside its text which item is chosen, since to write is to let go of it. */
export function fieldOf(located: Located): readonly Participant[] {
  return entryWithItem(located) ?? [textOf(located)];
}

/**
 * The two things that a combo box with an entry holds, which applications ask for either: the text that is written, and the
 * item that is chosen. Undefined where it is none, or where the text is all there is (a page), or all that is accepted (Swing).
 */
function entryWithItem(located: Located): readonly Participant[] | undefined {
  const { application, snapshot, row } = located;
  const combo = [row, ...ancestors(snapshot, row)].find((up) => snapshot.role(up) === Role.comboBox);
  if (combo === undefined || isQuickCombo(snapshot, combo)) return undefined;
  const box = { ...located, row: combo, element: snapshot.element(combo) };
  const entry = entryOf(snapshot, combo);
  const fixed = entry === undefined ? fixedEntryOf(located, combo) : undefined;
  const field = entry ?? fixed;
  if (field === undefined) return undefined;
  const text = textOf({ ...located, row: field, element: snapshot.element(field) });
  // The last goes back first: an item that is chosen writes its text, which writes no item.
  if (hasGtk3Widgets(application)) {
    return [fixed === undefined ? text : onlyChosen(text), selectionOf(box)];
  }
  return isQt(application) || isGtk4(application) ? [withItem(text, Anchor.of(box))] : undefined;
}

/** The entry of a box of GTK 3 that may only be chosen in: it shows what was chosen, also once nothing is. */
function fixedEntryOf({ application, snapshot }: Located, combo: number): number | undefined {
  if (!hasGtk3Widgets(application)) return undefined;
  return snapshot.children(combo).find((row) => snapshot.implements(row, Interface.editableText));
}

/** A text that nothing but an item that is chosen writes: whoever undoes does not type there. */
export function onlyChosen(text: Participant): Participant {
  return {
    ...text,
    describe: (): Json => ({ ...mapOf(text.describe()), fixed: true }),
    restore: () =>
      Promise.reject(
        new BackstepError(
          "unsupported",
          `Cannot restore ${text.label}: only an item that is chosen is shown there`,
        ),
      ),
  };
}

/**
 * The text of an entry whose box does not tell which item is chosen (Qt, GTK 4). A text that is the name of an item goes
 * back by choosing that, where its items are in the tree. Where another one may be chosen now, and what was there is no
 * item, or its items are not in the tree, it says that this may stay.
 */
export function withItem(text: Participant, box: Anchor): Participant {
  return {
    ...text,
    describe: (): Json => ({ ...mapOf(text.describe()), box: box.describe() }),
    async restore(image, desktop, call) {
      const wanted = image.properties.text;
      if (typeof wanted !== "string") return await text.restore(image, desktop, call);
      const deadline = Deadline.of(call, 5_000);
      const { left, method } = await box.with(desktop, call, async (combo) => {
        const { snapshot, row } = await placeOf(desktop, combo, deadline, ["text"]);
        const entry = entryOf(snapshot, row);
        const shown = entry === undefined ? undefined : snapshot.text(entry);
        const names = itemRows(snapshot, row).map((item) => itemName(snapshot, item));
        const moved = names.length === 0 ? wanted !== "" : shown === undefined || names.includes(shown);
        const item = choosesByInput(desktop) && names.filter((name) => name === wanted).length === 1;
        if (!item) return { method: undefined, left: moved ? UNTOLD : undefined };
        try {
          return { method: (await chooseNamed(desktop, combo, wanted, deadline)).method, left: undefined };
        } catch (thrown) {
          const error = toBackstepError(thrown);
          if (error.code === "cancelled") throw error;
          // Its text goes back all the same.
          return { method: undefined, left: error.message };
        }
      });
      const done = await text.restore(image, desktop, call);
      const last = typeof done === "string" ? { method: done, left: {} } : done;
      const methods = [method, last.method].filter((one) => one !== undefined && one !== "none");
      return {
        method: methods.length === 0 ? "none" : methods.join(", "),
        left: left === undefined ? last.left : { ...last.left, item: left },
      };
    },
  };
}

const UNTOLD = "which item of the box was chosen is not reported";
