import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { Interface } from "../interfaces.ts";
import { needsFocus } from "../mode.ts";
import { Role } from "../roles.ts";
import { Attempts, type Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { implementsAll, isIn, label } from "./label.ts";
import { applicationOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { until } from "./read-back.ts";
import { raise } from "./window.ts";

/** What a click focuses without doing anything else. */
const TEXT_ROLES: ReadonlySet<number> = new Set([
  Role.text,
  Role.entry,
  Role.passwordText,
  Role.spinButton,
  Role.editbar,
  Role.terminal,
  Role.documentText,
]);

/** Is it something one types into? */
export function takesText(reading: Reading): boolean {
  if (implementsAll(reading, Interface.editableText)) return true;
  return isIn(reading, "editable") || TEXT_ROLES.has(reading.role);
}

/**
 * Gives an element the keyboard focus, its window in front, and sees that it has it: Component.GrabFocus; where a toolkit
 * does not offer that (GTK4), a click, for what one types into: anywhere else a click does more than focus.
 */
export async function focus(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
  /** As it was read just now, which need not be done again where no window has to come to the front. */
  seen?: Reading,
): Promise<Done> {
  const attempts = new Attempts(`focus ${label(element)}`);
  const focused = (reading: Reading) => isIn(reading, "focused");
  const raised = await raise(desktop, await applicationOf(desktop, element, deadline), deadline);
  const before = raised || seen === undefined ? await desktop.read(element, deadline.call()) : seen;
  if (focused(before)) return attempts.done("none", true);
  if (desktop.mode === "background") throw needsFocus(attempts.doing);
  const grabbed = await attempts.attempt("Component.GrabFocus", async () => {
    await desktop.act(element, { do: "focus" }, deadline.call());
    return (await until(desktop, element, focused, deadline)).held;
  });
  if (grabbed) return grabbed;
  if (takesText(before)) {
    const clicked = await attempts.attempt(inputMethod(desktop, "click"), async () => {
      await clickOn(desktop, element, deadline);
      return (await until(desktop, element, focused, deadline)).held;
    });
    if (clicked) return clicked;
  } else {
    attempts.refuse(inputMethod(desktop, "click"), "unsupported", "a click would do more than focus it");
  }
  throw attempts.failure("Press Tab until it has the focus.");
}
