import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { Application, ElementRef, Reading } from "../element.ts";
import type { Snapshot } from "../snapshot.ts";
import { Interface } from "../interfaces.ts";
import { needsFocus } from "../mode.ts";
import { Role } from "../roles.ts";
import { Attempts, type Done } from "./attempts.ts";
import { hasFocus } from "./has-focus.ts";
import { inputMethod } from "./input-method.ts";
import { implementsAll, isIn, label } from "./label.ts";
import { isGtk3, isGtk4 } from "../toolkits.ts";
import { applicationOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { againAndAgain, type Rereads, until, untilDeadline } from "./read-back.ts";
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

/**
 * Milliseconds that GTK 3 is given to say that a field has the focus: it says so before it answers, unless its window is about
 * to get the keyboard.
 */
const COMES = { isolated: 20, other: 250 };

/** Milliseconds after its window came in which it may still give the keyboard to something, and that this is waited for. */
const YOUNG = 1_000;
const GIVES = 400;

/** GTK 3 tells states of check boxes whenever its tree is read: who reads at each event would never end. */
const GETS_FOCUS: Rereads = {
  first: 40,
  slowest: 160,
  at: /^(?:focus:|window:|object:state-changed:(?:focused|active))/,
};

/**
 * Waits until something in a window that has just come has the keyboard. GTK 3 tells that it has before it does, so that
 * neither the event nor its active window says that keys will arrive: a state does. Whether there was anything to wait for.
 */
export async function awaitFocus(
  desktop: Desktop,
  application: Application,
  deadline: Deadline,
): Promise<boolean> {
  if (!desktop.capabilities.windows) return false;
  const young = async (how: { readonly recent?: true } = {}) =>
    (await desktop.windows({ ...deadline.call(), ...how })).filter(({ pid, popup, age = YOUNG }) =>
      pid === application.pid && !popup && age < YOUNG
    );
  if ((await young({ recent: true })).length === 0) return false;
  const look = async () => {
    const windows = await young();
    if (windows.length > 0 && !windows.some(({ active }) => active)) return false;
    return await somethingHasFocus(desktop, application, deadline);
  };
  await untilDeadline(desktop, look, (has) => has, deadline.within(GIVES), application, GETS_FOCUS);
  return true;
}

/** By what is kept of the application, where it says so itself; by its tree where not. */
async function somethingHasFocus(
  desktop: Desktop,
  application: Application,
  deadline: Deadline,
): Promise<boolean> {
  const rows = ({ size }: Snapshot) => Array.from({ length: size }, (_, row) => row);
  const kept = desktop.statesOf &&
    await desktop.snapshot(application, { ...deadline.call(), source: "remembered", fields: ["id"] });
  const [row] = kept ? rows(kept).filter((one) => kept.has(one, "focused")).slice(-1) : [];
  const focused = kept !== undefined && row !== undefined &&
    await hasFocus(desktop, kept.element(row), deadline.call());
  if (focused) return true;
  const tree = await desktop.snapshot(application, deadline.call());
  return rows(tree).some((one) => tree.has(one, "focused"));
}

/** Does a click that was not needed disturb nobody here? A spin button has buttons that it may hit. */
function isPromptFor({ kind }: Desktop, { role }: Reading): boolean {
  return kind === "isolated" && role !== Role.spinButton;
}

/** Is it something one types into? */
export function takesText(reading: Reading): boolean {
  if (implementsAll(reading, Interface.editableText)) return true;
  return isIn(reading, "editable") || TEXT_ROLES.has(reading.role);
}

const GRAB = "Component.GrabFocus";

/** What is known before an element is given the focus. */
export interface FocusHow {
  /** As it was read just now, which need not be done again where no window has to come to the front. */
  readonly seen?: Reading;
  /** Its window has been acted in: it gives the keyboard to nothing more of itself. */
  readonly acted?: boolean;
}

/**
 * Gives an element the keyboard focus, its window in front, and sees that it has it: Component.GrabFocus; where a toolkit
 * does not offer that (GTK4), a click, for what one types into: anywhere else a click does more than focus.
 */
export async function focus(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
  { seen, acted = false }: FocusHow = {},
): Promise<Done> {
  const attempts = new Attempts(`focus ${label(element)}`);
  const focused = (reading: Reading) => isIn(reading, "focused");
  const application = await applicationOf(desktop, element, deadline);
  const raised = await raise(desktop, application, deadline);
  const read = (how: { readonly recent?: true } = {}) =>
    desktop.read(element, { ...deadline.call(), ...how, place: false });
  const first = raised ? await read() : seen ?? await read({ recent: true });
  if (focused(first)) return attempts.done("none", true);
  const waited = !acted && await awaitFocus(desktop, application, deadline);
  const before = waited ? await read() : first;
  if (focused(before)) return attempts.done("none", true);
  if (desktop.mode === "background") throw needsFocus(attempts.doing);
  const grab = () =>
    attempts.attempt(GRAB, async () => {
      await desktop.act(element, { do: "focus" }, deadline.call());
      // After another program has turned a page of a notebook, a field of GTK 3 that has the focus never says so: a click
      // makes it say so, and is not put off for what will not come.
      if (isGtk3(application) && takesText(before) && desktop.capabilities.input) {
        const prompt = deadline.within(isPromptFor(desktop, before) ? COMES.isolated : COMES.other);
        const again = againAndAgain(desktop, element, deadline);
        return (await untilDeadline(desktop, again, focused, prompt, element)).held;
      }
      return (await until(desktop, element, focused, deadline)).held;
    });
  // GTK 4 refuses it. What is typed into is clicked at once: what was found at its place counts until something is sent.
  const clicks = isGtk4(application) && takesText(before) && desktop.capabilities.input;
  if (clicks) attempts.refuse(GRAB, "unsupported", "GTK 4 does not have it");
  const grabbed = clicks ? undefined : await grab();
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
