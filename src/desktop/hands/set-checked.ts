import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop, ElementRef, Reading } from "../desktop.ts";
import { Role } from "../roles.ts";
import { actionMethod, actionNamed } from "./action.ts";
import { Attempts, type Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { isEnabled, isIn, label } from "./label.ts";
import { clickOn } from "./point.ts";
import { until } from "./read-back.ts";
import { stateWords } from "../states.ts";

/** What flips a toggle, best first: GTK3 and Chromium "click", GTK4's switch "Toggle", Qt "Toggle" and "Press". */
const ACTIONS = ["toggle", "click", "check", "press", "activate", "dodefault"];

/** What says PRESSED for on; GTK4 gives its toggle buttons the role of push buttons. */
const BUTTONS: ReadonlySet<number> = new Set([Role.toggleButton, Role.pushButton]);

/** Whether a check box, switch, radio button or toggle button is on; undefined when it is in between. */
export function isOn(reading: Reading): boolean | undefined {
  if (isIn(reading, "indeterminate")) return undefined;
  return isIn(reading, "checked") || (BUTTONS.has(reading.role) && isIn(reading, "pressed"));
}

/**
 * Sets a check box, switch, toggle or radio button: its action, else a click (GTK4 check boxes offer no action). Reads
 * back CHECKED or PRESSED. Errors: `unsupported` for taking the mark from a radio button: another has to be chosen.
 */
export async function setChecked(
  desktop: Desktop,
  element: ElementRef,
  want: boolean,
  deadline: Deadline,
): Promise<Done> {
  const before = await desktop.read(element, deadline.call());
  const attempts = new Attempts(`${want ? "check" : "uncheck"} ${label(element, before)}`);
  if (isOn(before) === want) return attempts.done("none", true);
  if (!isEnabled(before)) {
    throw new BackstepError("not_actionable", `Cannot ${attempts.doing}: it is disabled`);
  }
  if (!want && (before.role === Role.radioButton || before.role === Role.radioMenuItem)) {
    throw new BackstepError("unsupported", `Cannot ${attempts.doing}: a radio button stays on`, {
      hint: "Check another one of its group.",
    });
  }
  const there = (now: Reading) => isOn(now) === want;
  const name = actionNamed(before, want ? ACTIONS : ["uncheck", ...ACTIONS]);
  if (name === undefined) {
    attempts.refuse("Action.DoAction", "unsupported", "it offers no action");
  } else {
    const done = await attempts.attempt(actionMethod(name), async () => {
      await desktop.act(element, { do: "action", name }, deadline.call());
      return (await until(desktop, element, there, deadline)).held;
    });
    if (done) return done;
  }
  // An effect that came late, or another one than expected, must not be undone by a second flip.
  const now = await desktop.read(element, deadline.call());
  if (name !== undefined && there(now)) return attempts.done(actionMethod(name), true);
  if (name !== undefined && isOtherwise(before, now)) {
    throw attempts.failure("It changed otherwise than by its check mark; look at it with `attributes`.");
  }
  const clicked = await attempts.attempt(inputMethod(desktop, "click"), async () => {
    await clickOn(desktop, element, deadline);
    return (await until(desktop, element, there, deadline)).held;
  });
  if (clicked) return clicked;
  throw attempts.failure("Look at it with `attributes`: it may belong to a group that forbids it.");
}

/** Did something about it change, beside what the focus and the pointer bring? */
function isOtherwise(before: Reading, now: Reading): boolean {
  const passing = stateWords(["focused", "armed", "active", "showing"]);
  return before.name !== now.name ||
    ((before.statesLow ^ now.statesLow) & ~passing[0]) !== 0 ||
    ((before.statesHigh ^ now.statesHigh) & ~passing[1]) !== 0;
}
