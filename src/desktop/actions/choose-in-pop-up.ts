import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { actionMethod, actionNamed } from "./action.ts";
import { Attempts, type Done } from "./attempts.ts";
import { doAction } from "./do-action.ts";
import { itemName, itemRows, noSuchItem } from "./items.ts";
import { label } from "./label.ts";
import { insideOf, type Place } from "./place.ts";
import { until, watchUntil } from "./read-back.ts";

/** Milliseconds that a menu gets to come. */
const OPENS = 2_000;

/**
 * Chooses in a pop-up button of macOS: its items are in the tree only while its menu is open. It is opened by its action, the
 * item is pressed, and the button shows it then. A menu without such an item is closed again.
 */
export async function chooseInPopUp(
  desktop: Desktop,
  button: ElementRef,
  item: { readonly index: number | undefined; readonly name: string | undefined },
  deadline: Deadline,
): Promise<Done> {
  const reading = await desktop.read(button, deadline.call());
  const what = item.name === undefined ? `item ${item.index}` : JSON.stringify(item.name);
  const attempts = new Attempts(`choose ${what} in ${label(button, reading)}`);
  if (item.name !== undefined && reading.text === item.name) return attempts.done("none", true);
  const look = () => insideOf(desktop, button, deadline, ["text", "actions"]);
  const open = actionNamed(reading, ["press", "showmenu"]);
  if (open === undefined) {
    attempts.refuse("Action.DoAction", "unsupported", "it offers no action that opens it");
    throw attempts.failure();
  }
  const has = ({ snapshot, row }: Place) => itemRows(snapshot, row).length > 0;
  let place = await look();
  if (!has(place)) {
    await doAction(desktop, button, open, deadline);
    await watchUntil(desktop, look, has, deadline.within(OPENS), button);
    place = await look();
    if (!has(place)) {
      attempts.refuse(actionMethod(open), "no_effect", "no menu came");
      throw attempts.failure("It may be that its menu did not open, or is empty.");
    }
  }
  const found = find(place, item);
  const names = itemRows(place.snapshot, place.row).map((row) => itemName(place.snapshot, row));
  if (found === undefined) {
    await close(desktop, place, deadline);
    throw noSuchItem(label(button, reading), item.name ?? `item ${item.index}`, names, 0);
  }
  const chosen = place.snapshot.element(found), name = itemName(place.snapshot, found);
  const press = actionNamed({ ...reading, actions: place.snapshot.actions(found) }, ["press", "pick"]);
  const done = press === undefined ? undefined : await attempts.attempt(actionMethod(press), async () => {
    await desktop.act(chosen, { do: "action", name: press }, deadline.call());
    return (await until(desktop, button, (now) => now.text === name, deadline)).held;
  });
  if (done) return done;
  await close(desktop, await look(), deadline);
  throw attempts.failure();
}

function find(
  { snapshot, row }: Place,
  { index, name }: { readonly index: number | undefined; readonly name: string | undefined },
): number | undefined {
  const rows = itemRows(snapshot, row);
  return name === undefined ? rows[index ?? -1] : rows.find((one) => itemName(snapshot, one) === name);
}

/** Closes the open menu, as Escape does. */
async function close(desktop: Desktop, { snapshot, row }: Place, deadline: Deadline): Promise<void> {
  for (const child of snapshot.children(row)) {
    const name = snapshot.actions(child).find((one) => one === "AXCancel");
    if (name === undefined) continue;
    await desktop.act(snapshot.element(child), { do: "action", name }, deadline.call());
  }
}
