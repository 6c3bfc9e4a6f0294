import { Deadline, pause } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { Desktop, Modifier } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { centre } from "../rect.ts";
import { MENU_ITEMS, Role } from "../roles.ts";
import { actionMethod } from "./action.ts";
import { Attempts, type Done } from "./attempts.ts";
import { chooseItem } from "./choose.ts";
import { clickAction, isRow } from "./click-action.ts";
import { clickRow } from "./click-row.ts";
import { closeMenus } from "./close-menu.ts";
import { clickText } from "./click-text.ts";
import { doAction, warningOf } from "./do-action.ts";
import { takesText } from "./focus.ts";
import { canBeChosen, containerOf, isContainer } from "./items.ts";
import { inputMethod } from "./input-method.ts";
import { isEnabled, isIn, label } from "./label.ts";
import { applicationOf, type Place, placeOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { requireNoModal } from "./modal.ts";
import { pointerFirst } from "./pointer-first.ts";
import { isGtk4, isQt, isWeb, leavesMenusOpen } from "../toolkits.ts";
import { isSheetCell } from "./sheet-cell.ts";
import { sendAndSee, sendOnce } from "./refused.ts";
import { until, untilDeadline } from "./read-back.ts";
import { isOn, setChecked } from "./set-checked.ts";
import { setExpanded } from "./set-expanded.ts";
import { isExpanded } from "./expand.ts";
import { isDeafButton } from "./deaf-button.ts";
import { raise } from "./window.ts";

/** How to press. */
export interface PressOptions {
  /** Default 1. */
  readonly count?: 1 | 2 | 3;
  /** Default left. */
  readonly button?: "left" | "middle" | "right";
  /** Held meanwhile; an accessible action knows none, so that it is the pointer's then. Default none. */
  readonly modifiers?: readonly Modifier[];
}

const TOGGLES: ReadonlySet<number> = new Set([
  Role.checkBox,
  Role.radioButton,
  Role.toggleButton,
  Role.switch,
]);
/**
 * Clicks an element, and does no more than a person's click would. A single left click is its own action where that is a
 * click (`click-action.ts`), else the pointer. Fields and rows are the pointer's, and what its toolkit does badly by its
 * action (`pointer-first.ts`); so are double, triple, middle and right clicks and those with a key held. Toggles, tabs, fields and rows are read back; what a button does cannot be:
 * `verified` is false then, and means that the platform accepted it.
 */
export async function press(
  desktop: Desktop,
  element: ElementRef,
  options: PressOptions,
  deadline: Deadline,
): Promise<Done> {
  const { count = 1, button = "left", modifiers = [] } = options;
  const reading = await desktop.read(element, { ...deadline.call(), recent: true });
  const attempts = new Attempts(`click ${label(element, reading)}`);
  if (!isEnabled(reading)) {
    throw new BackstepError("not_actionable", `Cannot ${attempts.doing}: it is disabled`, {
      hint: "Wait until it is enabled, or first do what enables it.",
    });
  }
  const application = await applicationOf(desktop, element, deadline);
  await requireNoModal(desktop, element, application, attempts.doing, deadline);
  if (count === 1 && button === "left" && modifiers.length === 0) {
    if (isIn(reading, "expandable") && TOGGLES.has(reading.role)) {
      return await setExpanded(desktop, element, !isExpanded(reading), deadline);
    }
    if (bearsState(reading)) return await flip(desktop, element, reading, deadline);
    if (isSheetCell(reading)) return await chooseItem(desktop, element, deadline);
    if (isRow(reading.role, isIn(reading, "selectable"))) {
      const place = await placeOf(desktop, element, deadline, ["extents"]);
      if (isOfCombo(place)) return await chooseItem(desktop, element, deadline);
      return await clickRow(desktop, element, reading, place, attempts, deadline);
    }
    if (takesText(reading)) return await clickText(desktop, element, reading, attempts, deadline);
    if (reading.role === Role.pageTab && await canChoose(desktop, element, reading, deadline)) {
      return await chooseItem(desktop, element, deadline);
    }
    const clicked = await pointerFirst(desktop, element, reading, application, attempts, deadline);
    if (clicked) return await readMark(desktop, element, reading, clicked, deadline);
    const name = isView(reading.role) ? undefined : clickAction(reading, application);
    if (await isDeafButton(desktop, element, reading, application, deadline)) {
      attempts.refuse("Action.DoAction(Press)", "unsupported", "a button of Qt Quick 6 does nothing then");
    } else if (name === undefined) {
      const why = reading.actions.length === 0 ? "it offers no action" : "none of its actions is a click";
      attempts.refuse("Action.DoAction", "unsupported", why);
    } else {
      let method = actionMethod(name);
      const done = await attempts.attempt(method, async () => {
        const lag = await lagOf(desktop, element, reading, deadline);
        await inFront(desktop, element, reading, deadline);
        const send = () => doAction(desktop, element, name, deadline);
        if (isIn(reading, "expandable")) {
          const flipped = (now: Reading) => isExpanded(now) !== isExpanded(reading);
          // Accepted, it may have done anything; refused, it may be done otherwise only while it is as before.
          await sendAndSee(
            async () => method = await send(),
            async (within, refused) => !refused || (await until(desktop, element, flipped, within)).held,
            deadline,
          );
          if (isWeb(application)) await opened(desktop, element, flipped, deadline);
        } else method = await sendOnce(attempts, method, send);
        // An interrupt finds an action that is done, and not one of which nobody knows.
        if (lag > 0) await pause(Math.min(lag, deadline.remaining()));
        return true;
      }, { verified: false });
      if (done && MENU_ITEMS.has(reading.role) && leavesMenusOpen(application)) {
        await closeMenus(desktop, element, deadline);
      }
      if (done) {
        const all = { ...done, method, ...warningOf(desktop, element) };
        return all.warning === undefined ? await readMark(desktop, element, reading, all, deadline) : all;
      }
    }
  }
  const kind = [...modifiers, ...(button === "left" ? [] : [button]), "click"].join(" ");
  const clicked = await attempts.attempt(inputMethod(desktop, kind), async () => {
    await clickOn(desktop, element, deadline, { count, button, modifiers });
    return true;
  }, { verified: false });
  if (clicked) return clicked;
  throw attempts.failure();
}

/** Items of menus with a mark of their own. */
const MARKED: ReadonlySet<number> = new Set([Role.checkMenuItem, Role.radioMenuItem]);
/** Milliseconds that an item is given to change its mark: its menu closes first. */
const MARKS = 1_000;

const UNREADABLE: ReadonlySet<string> = new Set(["stale", "app_gone", "timeout"]);

/** Reads back the mark of an item of a menu, which comes once the menu has closed. One that stays may be refused by the application. */
async function readMark(
  desktop: Desktop,
  element: ElementRef,
  before: Reading,
  done: Done,
  deadline: Deadline,
): Promise<Done> {
  if (!MARKED.has(before.role) && !(before.role === Role.menuItem && isIn(before, "checked"))) return done;
  const wanted = before.role === Role.radioMenuItem || isOn(before) !== true;
  try {
    const marked = (now: Reading) => isOn(now) === wanted;
    const { held } = await until(
      desktop,
      element,
      marked,
      deadline.within(Math.min(MARKS, deadline.remaining())),
    );
    return { ...done, verified: held };
  } catch (thrown) {
    // Gone with its menu, or held up by a dialog that it opened: nobody can tell.
    if (UNREADABLE.has(toBackstepError(thrown).code)) return done;
    throw thrown;
  }
}

/** Milliseconds that a page is given to open what was accepted; 50 to 170 were seen. */
const OPENS = 500;

/**
 * Waits until a page has opened or closed what it was told to: its own process does that after the browser's has answered. Then
 * whoever looks what came of it finds it. That the action was accepted stands, whatever is read.
 */
async function opened(
  desktop: Desktop,
  element: ElementRef,
  flipped: (reading: Reading) => boolean,
  deadline: Deadline,
): Promise<void> {
  // An interrupt does not end it: it finds an action that is done.
  const patience = Deadline.after(Math.min(OPENS, deadline.remaining() / 2));
  const look = async () => {
    try {
      return flipped(await desktop.read(element, patience.call()));
    } catch (thrown) {
      const { code } = toBackstepError(thrown);
      // Gone with what it did, or too busy to say.
      if (code === "stale" || code === "app_gone" || code === "timeout") return true;
      throw thrown;
    }
  };
  await untilDeadline(desktop, look, (done) => done, patience, element);
}

/**
 * Toolkits press a button as a finger would, and do what it does when it is let go: GTK 4 250 ms after it has answered
 * (gtk_button_real_activate), Qt 100 ms (QAbstractButton::animateClick). Nothing tells of it; a little is for the action itself.
 */
const HELD = { gtk4: 270, qt: 120 } as const;

/** Milliseconds until a button that is pressed by its action has done what it does. */
async function lagOf(
  desktop: Desktop,
  element: ElementRef,
  reading: Reading,
  deadline: Deadline,
): Promise<number> {
  if (reading.role !== Role.pushButton) return 0;
  const application = await applicationOf(desktop, element, deadline);
  return isGtk4(application) ? HELD.gtk4 : isQt(application) ? HELD.qt : 0;
}

/**
 * What opens a list is brought to the front first, as a pointer would: the keys that choose in a list, or close it, go to the
 * window in front, and Qt closes a dialog that is there with the same Escape.
 */
async function inFront(
  desktop: Desktop,
  element: ElementRef,
  reading: Reading,
  deadline: Deadline,
): Promise<void> {
  if (desktop.mode === "background" || reading.rect === undefined) return;
  if (reading.role !== Role.comboBox && !isIn(reading, "hasPopup")) return;
  const application = await applicationOf(desktop, element, deadline);
  try {
    await raise(desktop, application, deadline, centre(reading.rect));
  } catch (thrown) {
    // An action needs no place in front: what is held back is pressed where it is.
    if (toBackstepError(thrown).code !== "no_effect") throw thrown;
  }
}

/** Is it an item of a combo box's list? */
function isOfCombo({ snapshot, row }: Place): boolean {
  const container = containerOf(snapshot, row);
  return container >= 0 && snapshot.role(container) === Role.comboBox;
}

/** A view of rows: a click there is one on what lies in its middle. A combo box is a button that opens a list. */
function isView(role: number): boolean {
  return isContainer(role) && role !== Role.comboBox;
}

async function canChoose(
  desktop: Desktop,
  element: ElementRef,
  reading: Reading,
  deadline: Deadline,
): Promise<boolean> {
  if (isIn(reading, "selectable")) return true;
  const { snapshot, row } = await placeOf(desktop, element, deadline, []);
  return canBeChosen(snapshot, row);
}

function bearsState(reading: Reading): boolean {
  // A toggle button that opens a menu is a button: whether it opened cannot be told from CHECKED alone.
  const pressed = reading.role === Role.pushButton && isIn(reading, "pressed");
  return (TOGGLES.has(reading.role) || pressed) && !isIn(reading, "hasPopup");
}

function flip(desktop: Desktop, element: ElementRef, reading: Reading, deadline: Deadline): Promise<Done> {
  const radio = reading.role === Role.radioButton;
  const want = radio || isOn(reading) !== true;
  return setChecked(desktop, element, want, deadline, { momentary: true, seen: reading });
}
