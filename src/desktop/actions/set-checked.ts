import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop, DesktopEvent, StateBits } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { Role } from "../roles.ts";
import { actionMethod, actionNamed } from "./action.ts";
import { Attempts, type Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { isEnabled, isIn, label } from "./label.ts";
import { applicationOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { clickShown, prefersPointer } from "./pointer-first.ts";
import { until } from "./read-back.ts";
import { sendAndSee } from "./refused.ts";
import { stateWords } from "../states.ts";
import { isQt } from "../toolkits.ts";

/** What flips a toggle, best first: GTK3 and Chromium "click", GTK4's switch "Toggle", Qt "Toggle" and "Press". */
const ACTIONS = ["toggle", "click", "check", "press", "activate", "dodefault"];

/** What a radio button is checked by beside these: Firefox "select", which chooses a row elsewhere. */
const RADIO_ACTIONS = [...ACTIONS, "select"];

/** Codes of what was sent, and may have been done. */
const SENT: ReadonlySet<string | undefined> = new Set(["no_effect", "refused"]);

/** What says PRESSED for on; GTK4 gives its toggle buttons the role of push buttons. */
const BUTTONS: ReadonlySet<number> = new Set([Role.toggleButton, Role.pushButton]);

/** Whether a check box, switch, radio button or toggle button is on; undefined when it is in between. */
export function isOn(reading: StateBits & Pick<Reading, "role">): boolean | undefined {
  if (isIn(reading, "indeterminate")) return undefined;
  return isIn(reading, "checked") || (BUTTONS.has(reading.role) && isIn(reading, "pressed"));
}

/**
 * Sets a check box, switch, toggle or radio button: its action, else a click (GTK4 check boxes offer no action); the click
 * first where that is better (`pointer-first.ts`). Reads back CHECKED or PRESSED; never flips twice, but past a third state. Errors: `unsupported` for taking the mark from a radio button: another has to be chosen.
 */
export async function setChecked(
  desktop: Desktop,
  element: ElementRef,
  want: boolean,
  deadline: Deadline,
  options: {
    /** What came and went again is enough: a press of a key that lets go of itself. Default false. */
    readonly momentary?: boolean;
    /** As it was read just now. Default: it is read. */
    readonly seen?: Reading;
  } = {},
): Promise<Done> {
  const { momentary = false } = options;
  const before = options.seen ??
    await desktop.read(element, { ...deadline.call(), recent: true, place: false });
  const attempts = new Attempts(`${want ? "check" : "uncheck"} ${label(element, before)}`);
  if (isOn(before) === want) return attempts.done("none", true);
  if (!isEnabled(before)) {
    throw new BackstepError("not_actionable", `Cannot ${attempts.doing}: it is disabled`);
  }
  if (!want && (before.role === Role.radioButton || before.role === Role.radioMenuItem)) {
    throw new BackstepError("unsupported", `Cannot ${attempts.doing}: a radio button stays on`, {
      hint: "Choose another radio button of its group.",
    });
  }
  const flip: Flip = {
    desktop,
    element,
    there: (now) => isOn(now) === want,
    before,
    momentary,
    attempts,
    deadline,
  };
  const pointer = inputMethod(desktop, "click");
  const application = await applicationOf(desktop, element, deadline);
  // A group box of Qt: what lies in its middle is what it holds, and a click there would press that.
  const holds = isQt(application) && before.childCount > 0;
  const sooner = !holds && desktop.mode === "focus" && prefersPointer(desktop, before, application);
  if (sooner) {
    const click = () => clickShown(desktop, element, before, application, attempts.doing, deadline);
    const done = await flipOnce(flip, pointer, click);
    if (done) return done;
  }
  const actions = before.role === Role.radioButton ? RADIO_ACTIONS : ACTIONS;
  const name = actionNamed(before, want ? actions : ["uncheck", ...actions]);
  if (name === undefined) {
    attempts.refuse("Action.DoAction", "unsupported", "it offers no action");
  } else {
    const act = () => desktop.act(element, { do: "action", name }, deadline.call());
    const done = await flipOnce(flip, actionMethod(name), act);
    if (done) return done;
  }
  if (holds) attempts.refuse(pointer, "unsupported", "its middle shows what it holds");
  // A click that did nothing is not followed by another one.
  else if (
    !sooner || attempts.tried.some(({ method, code }) => method === pointer && code === "not_actionable")
  ) {
    const clicked = await attempts.attempt(pointer, async () => {
      await clickOn(desktop, element, deadline);
      return (await until(desktop, element, flip.there, deadline)).held;
    });
    if (clicked) return clicked;
  }
  throw attempts.failure("Look at it with `attributes`: it may belong to a group that forbids it.");
}

/** What is to be flipped, and how that is known. */
interface Flip {
  readonly desktop: Desktop;
  readonly element: ElementRef;
  readonly there: (now: Reading) => boolean;
  readonly before: Reading;
  readonly momentary: boolean;
  readonly attempts: Attempts;
  readonly deadline: Deadline;
  /** It was flipped once, and came into its third state. */
  readonly twice?: boolean;
}

/**
 * Flips it by one method, and sees what came of it. Undefined only where nothing did, so that another method can be tried:
 * what came late, came and went again, or came otherwise must not be followed by a second flip. A box with a third state is
 * flipped past that.
 */
async function flipOnce(
  flip: Flip,
  method: string,
  send: () => Promise<unknown>,
): Promise<Done | undefined> {
  const { desktop, element, there, before, momentary, attempts, deadline, twice = false } = flip;
  const isThird = (now: Reading) => isOn(before) !== undefined && isOn(now) === undefined;
  const stops = (now: Reading) => there(now) || (isThird(now) && !twice);
  // Before it is sent: what comes and goes between two readings is told by events alone.
  const watch = desktop.watch();
  try {
    const done = await attempts.attempt(method, () =>
      sendAndSee(
        send,
        async (within) => {
          const { held, last } = await until(desktop, element, stops, within);
          return held && there(last);
        },
        deadline,
      ));
    if (done) return done;
    // What was sent and refused may have been done; of anything else nothing was sent.
    if (!SENT.has(attempts.tried.at(-1)?.code)) return undefined;
    const now = await desktop.read(element, deadline.call());
    if (there(now)) return attempts.done(method, true);
    if (isThird(now) && !twice) return await flipOnce({ ...flip, before: now, twice: true }, method, send);
    const news = await watch.next({ timeout: 0 });
    if (news === "event" && watch.take().some((event) => tellsOfFlip(event, element))) {
      if (momentary) return attempts.done(method, false);
      throw attempts.failure("It changed, and let go of itself again: click it instead.");
    }
    if (isOtherwise(before, now)) {
      throw attempts.failure("It changed otherwise than by its check mark; look at it with `attributes`.");
    }
    if (news === "lost") throw attempts.failure("Events were lost: it may have changed. Look at it first.");
    if (hidesThirdState(before)) {
      throw attempts.failure(
        "It may be partly checked now, which Qt Quick tells nobody; or a modal dialog above it took the click.",
      );
    }
    return undefined;
  } finally {
    watch.close();
  }
}

/** Qt Quick offers to press a check box, too; Qt Widgets, which tells of a third state, only to toggle it. */
function hidesThirdState(reading: Reading): boolean {
  return reading.role === Role.checkBox &&
    ["toggle", "press"].every((name) => actionNamed(reading, [name]) !== undefined);
}

function tellsOfFlip({ bus, path, kind }: DesktopEvent, element: ElementRef): boolean {
  return bus === element.bus && path === element.path &&
    /^object:state-changed:(?:checked|pressed)$/.test(kind);
}

/** Did something about it change, beside what the focus and the pointer bring? */
function isOtherwise(before: Reading, now: Reading): boolean {
  const passing = stateWords(["focused", "armed", "active", "showing"]);
  return before.name !== now.name ||
    ((before.statesLow ^ now.statesLow) & ~passing[0]) !== 0 ||
    ((before.statesHigh ^ now.statesHigh) & ~passing[1]) !== 0;
}
