import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { requireInput } from "../mode.ts";
import { Role } from "../roles.ts";
import { isQt, isWeb, webFactsOf } from "../toolkits.ts";
import { actionMethod, actionNamed } from "./action.ts";
import { Attempts, type Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { isEnabled, isIn, label } from "./label.ts";
import { applicationOf, placeOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { until } from "./read-back.ts";
import { sendAndSee } from "./refused.ts";

/** What opens and closes, best first. A tree's row is also activated by "activate", which is not this. */
const ACTIONS = [
  "expand or contract",
  "toggleexpand",
  "togglepopup",
  "toggle",
  "click",
  "press",
  "dodefault",
];
/** Pixels from a row of Qt's trees to the middle of its arrow. */
const ARROW = 10;
const CLICKS: ReadonlySet<string> = new Set(["click", "press", "dodefault"]);
const ROWS: ReadonlySet<number> = new Set([Role.treeItem, Role.tableRow, Role.tableCell, Role.listItem]);

/** Gives a row the keyboard. */
export type FocusRow = (desktop: Desktop, row: ElementRef, deadline: Deadline) => Promise<void>;

/**
 * Opens or closes an expander, a menu, a row of a tree: its action, else the arrow keys on a row, once `focusRow` gave it
 * the keyboard, and a click elsewhere.
 */
export async function expand(
  desktop: Desktop,
  element: ElementRef,
  want: boolean,
  deadline: Deadline,
  focusRow: FocusRow = clickOn,
): Promise<Done> {
  const before = await desktop.read(element, { ...deadline.call(), recent: true });
  const attempts = new Attempts(`${want ? "expand" : "collapse"} ${label(element, before)}`);
  if (isExpanded(before) === want) return attempts.done("none", true);
  if (!isEnabled(before)) {
    throw new BackstepError("not_actionable", `Cannot ${attempts.doing}: it is disabled`);
  }
  const there = (now: Reading) => isExpanded(now) === want;
  const seen = async (within = deadline) => (await until(desktop, element, there, within)).held;
  const application = await applicationOf(desktop, element, deadline);
  const toggles = webFactsOf(application)?.expandToggles === true;
  const action = actionNamed(before, [
    want ? "expand" : "collapse",
    // GTK 4's rows of trees.
    want ? "listitem.expand" : "listitem.collapse",
    // What toggles a cell of Qt is whether it is selected.
    ...ACTIONS.filter((name) => name !== "toggle" || before.role !== Role.tableCell),
    ...(isRow(before) ? [] : ["activate"]),
    ...(toggles ? ["expand", "collapse"] : []),
  ]);
  const byAction = async () => {
    if (action === undefined) {
      attempts.refuse("Action.DoAction", "unsupported", "it offers no action for this");
      return undefined;
    }
    return await attempts.attempt(actionMethod(action), () =>
      sendAndSee(
        () => desktop.act(element, { do: "action", name: action }, deadline.call()),
        seen,
        deadline,
      ));
  };
  const method = inputMethod(desktop, isRow(before) ? "keys" : "click");
  const byInput = () =>
    attempts.attempt(method, async () => {
      requireInput(desktop, attempts.doing, isRow(before) ? "keyboard" : "pointer");
      if (isRow(before)) {
        await focusRow(desktop, element, deadline);
        await desktop.pressKeys([want ? "Right" : "Left"], deadline.call());
      } else {
        await clickOn(desktop, element, deadline);
      }
      return await seen();
    });
  // A row of Qt's tree is chosen where keys are to go to it: its arrow alone opens it.
  if (isQt(application) && isRow(before) && desktop.capabilities.input && desktop.mode !== "background") {
    const clicked = await attempts.attempt(
      inputMethod(desktop, "click"),
      async () => await clickArrow(desktop, element, deadline) && await seen(),
    );
    if (clicked) return clicked;
  }
  // What a row of a page does when it is clicked is the page's affair: most choose it.
  const chooses = isRow(before) && isWeb(application) && action !== undefined && CLICKS.has(action) &&
    desktop.capabilities.input && desktop.mode !== "background";
  const done = chooses ? await byInput() ?? await byAction() : await byAction() ?? await byInput();
  if (done) return done;
  throw attempts.failure();
}

/** Clicks where Qt draws the arrow of a row: to its left, in the middle of its indentation. False: there is no such place. */
async function clickArrow(desktop: Desktop, row: ElementRef, deadline: Deadline): Promise<boolean> {
  const { snapshot, row: at } = await placeOf(desktop, row, deadline, ["extents"]);
  const place = snapshot.rect(at), tree = snapshot.rect(snapshot.parent(at));
  if (place === undefined || tree === undefined || place.x - ARROW <= tree.x) return false;
  await clickOn(desktop, row, deadline, { at: (rect, { y }) => ({ x: rect.x - ARROW, y }) });
  return true;
}

/** Whether it is open. */
export function isExpanded(reading: Reading): boolean {
  return isIn(reading, "expanded");
}

function isRow(reading: Reading): boolean {
  return ROWS.has(reading.role);
}
