import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading, Rect } from "../element.ts";
import { requireInput } from "../mode.ts";
import type { Point } from "../rect.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { hasGtk3Widgets, isQt } from "../toolkits.ts";
import { actionNamed } from "./action.ts";
import { Attempts, type Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { isIn, label } from "./label.ts";
import { applicationOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { until } from "./read-back.ts";

/** Pixels from the edge where Qt begins an item to where its check box certainly is: its styles draw it 2 to 16 pixels off. */
const INDICATOR = 9;

/**
 * Does a cell or an item hold a check box of its own, as far as that is told? GTK 3 offers to toggle it. Qt says that it is
 * checked, and nothing of one that is not.
 */
export function holdsCheck(snapshot: Snapshot, row: number, reading: Reading): boolean {
  const { application } = snapshot.origin;
  if (isQt(application)) return snapshot.has(row, "checked");
  return hasGtk3Widgets(application) && snapshot.role(row) === Role.tableCell &&
    actionNamed(reading, ["toggle"]) !== undefined;
}

/**
 * Checks or unchecks a cell or an item by a click: in the middle (GTK 3, whose action for that does nothing), or where Qt draws its
 * check box, else by Space, which goes to what was clicked. Reads back CHECKED. Errors: `unsupported` where it never is.
 */
export async function checkCell(
  desktop: Desktop,
  cell: ElementRef,
  want: boolean,
  deadline: Deadline,
): Promise<Done> {
  const attempts = new Attempts(`${want ? "check" : "uncheck"} ${label(cell)}`);
  const there = (now: Reading) => isIn(now, "checked") === want;
  const seen = async () => (await until(desktop, cell, there, deadline)).held;
  if (there(await desktop.read(cell, { ...deadline.call(), recent: true, place: false }))) {
    return attempts.done("none", true);
  }
  requireInput(desktop, attempts.doing, "pointer");
  const qt = isQt(await applicationOf(desktop, cell, deadline));
  const clicked = await attempts.attempt(inputMethod(desktop, "click"), async () => {
    await clickOn(desktop, cell, deadline, qt ? { at: indicator } : {});
    return await seen();
  });
  if (clicked) return clicked;
  const pressed = qt && await attempts.attempt(inputMethod(desktop, "keys"), async () => {
    await desktop.pressKeys(["space"], deadline.call());
    if (await seen()) return true;
    // In a cell without a check box it opens an editor.
    await desktop.pressKeys(["Escape"], deadline.call());
    return false;
  });
  if (pressed) return pressed;
  throw new BackstepError(
    "unsupported",
    `Cannot ${attempts.doing}: it was clicked, and never says that it is`,
    {
      hint:
        "It may have no check box, or one that cannot be changed, or that lies elsewhere in it: `click_at` its place.",
      details: { tried: attempts.tried.map(({ method, code }) => `${method} (${code})`) },
    },
  );
}

/** Where Qt draws the check box of an item. */
function indicator(rect: Rect, { x, y }: Point): Point {
  return { x: Math.min(x, rect.x + INDICATOR), y };
}
