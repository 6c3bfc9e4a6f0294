import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { requireInput } from "../mode.ts";
import { Role } from "../roles.ts";
import { actionMethod } from "./action.ts";
import type { Attempts, Done } from "./attempts.ts";
import { focus } from "./focus.ts";
import { itemName, itemRows } from "./items.ts";
import { label } from "./label.ts";
import { clickOn } from "./point.ts";
import { inputMethod } from "./input-method.ts";
import { type Place, placeOf } from "./place.ts";
import type { ListApart } from "../toolkits.ts";
import { outermost } from "../own-window.ts";
import { ancestors } from "../ancestors.ts";
import { untilDeadline, watchUntil } from "./read-back.ts";

/** Milliseconds that the menu is given to open: one that opens after it was given up stays open. */
const OPENS = 6_000;

/**
 * Chooses in a `select` whose list opens outside of its page (`listsApart`): opens it and clicks the item
 * there, as a person does, so that the page hears of one change and of none in between. Whatever comes of it, the menu is
 * closed in the end: one that stays open has the pointer, and swallows the next click.
 */
export async function chooseApart(
  desktop: Desktop,
  combo: ElementRef,
  { snapshot, row, apart }: Place & { readonly apart: ListApart },
  item: { readonly row: number; readonly name: string },
  shown: () => Promise<boolean>,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done | undefined> {
  const same = itemRows(snapshot, row).filter((other) => itemName(snapshot, other) === item.name);
  const nth = same.indexOf(item.row);
  const look = () => placeOf(desktop, combo, deadline, ["extents"]);
  const find = (now: Place) => itemApart(now, apart, item.name, nth);
  const { chooses } = apart;
  const method = chooses === undefined ? inputMethod(desktop, "click") : actionMethod(chooses);
  return await attempts.attempt(method, async () => {
    requireInput(desktop, `open ${label(combo)}`, "pointer");
    await focus(desktop, combo, deadline);
    let now = await look();
    if (find(now) === undefined) {
      await desktop.act(combo, { do: "action", name: apart.opens }, deadline.call());
      const opens = deadline.within(Math.min(OPENS, deadline.remaining() / 2));
      now = (await untilDeadline(desktop, look, (next) => find(next) !== undefined, opens, combo)).last;
    }
    const there = find(now);
    try {
      if (there === undefined) return false;
      const element = now.snapshot.element(there);
      if (chooses === undefined) await clickOn(desktop, element, deadline);
      else await desktop.act(element, { do: "action", name: chooses }, deadline.call());
      return await shown();
    } finally {
      await close(desktop, look, combo, apart, deadline);
    }
  });
}

/** Waits until it is closed, and closes what stays open: an Escape that comes after it would go to the page. */
async function close(
  desktop: Desktop,
  look: () => Promise<Place>,
  combo: ElementRef,
  apart: ListApart,
  deadline: Deadline,
): Promise<void> {
  const closed = (now: Place) => listsApart(now, apart).length === 0;
  if ((await watchUntil(desktop, look, closed, deadline, combo)).held) return;
  await desktop.pressKeys(["Escape"], deadline.call());
  await watchUntil(desktop, look, closed, deadline, combo);
}

/** The n-th item of this name in the list that is open; undefined: none is, or there is no such item. */
function itemApart(now: Place, apart: ListApart, name: string, nth: number): number | undefined {
  const { snapshot } = now;
  return listsApart(now, apart)
    .map((list) => itemRows(snapshot, list).filter((item) => itemName(snapshot, item) === name)[nth])
    .find((item) => item !== undefined);
}

/** Lists that are open and lie in no page. */
function listsApart({ snapshot, row: combo }: Place, { list, ownWindow }: ListApart): number[] {
  const rows: number[] = [];
  for (let row = 1; row < snapshot.size; row++) {
    if (snapshot.role(row) !== list || !snapshot.has(row, "showing")) continue;
    if (snapshot.rect(row) === undefined || snapshot.role(snapshot.parent(row)) === Role.menuBar) continue;
    if (ownWindow && outermost({ snapshot, row }) === outermost({ snapshot, row: combo })) continue;
    if (!ancestors(snapshot, row).some((up) => snapshot.role(up) === Role.documentWeb)) rows.push(row);
  }
  return rows;
}
