import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { requireInput } from "../mode.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { keepsWhenLeft } from "../toolkits.ts";
import type { Attempts, Done } from "./attempts.ts";
import { focus } from "./focus.ts";
import { inputMethod } from "./input-method.ts";
import { itemName, itemRows } from "./items.ts";
import { isIn } from "./label.ts";
import { applicationOf, placeOf } from "./place.ts";
import { until } from "./read-back.ts";
import { sendAndSee } from "./refused.ts";
import { command } from "./shortcuts.ts";

const COMPOSITES: ReadonlySet<number> = new Set([Role.comboBox, Role.spinButton]);

/** The combo box or spin button whose field a row is; -1 for any other field. See `keepsWhenLeft`. */
export function compositeOf(snapshot: Snapshot, row: number): number {
  if (!keepsWhenLeft(snapshot.origin.application)) return -1;
  let up = snapshot.parent(row);
  while (up >= 0 && !COMPOSITES.has(snapshot.role(up))) up = snapshot.parent(up);
  return up;
}

/**
 * Writes into the field of a combo box or spin button that keeps what is written there only once it is left: chooses the
 * item of this name where there is one, else types it and presses Tab, as a person would. Reads back that the field shows
 * it then. Undefined for any other field.
 */
export async function setInComposite(
  desktop: Desktop,
  field: ElementRef,
  text: string,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done | undefined> {
  if (!keepsWhenLeft(await applicationOf(desktop, field, deadline))) return undefined;
  const { snapshot, row } = await placeOf(desktop, field, deadline, ["text"]);
  const box = compositeOf(snapshot, row);
  if (box < 0) return undefined;
  const holds = async (within = deadline) =>
    (await until(desktop, field, (now) => now.text === text, within)).held;
  const child = itemRows(snapshot, box).findIndex((item) => itemName(snapshot, item) === text);
  if (snapshot.role(box) === Role.comboBox && child >= 0) {
    const select = () => desktop.act(snapshot.element(box), { do: "select", child }, deadline.call());
    const done = await attempts.attempt("Selection.SelectChild", () => sendAndSee(select, holds, deadline));
    if (done) return done;
  }
  const typed = await attempts.attempt(inputMethod(desktop, "keys"), async () => {
    requireInput(desktop, attempts.doing, "keyboard");
    await focus(desktop, field, deadline);
    await desktop.pressKeys([command(desktop), "a"], deadline.call());
    if (text === "") await desktop.pressKeys(["Delete"], deadline.call());
    else await desktop.typeText(text, deadline.call());
    if (!await holds()) return false;
    await desktop.pressKeys(["Tab"], deadline.call());
    await until(desktop, field, (now) => !isIn(now, "focused"), deadline);
    return await holds();
  });
  if (typed) return typed;
  throw attempts.failure("It takes what it can be only: an item, a number in its range.");
}
