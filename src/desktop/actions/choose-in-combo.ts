import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { Interface } from "../interfaces.ts";
import { requireInput } from "../mode.ts";
import { actionMethod, actionNamed } from "./action.ts";
import {
  hasGtk3Widgets,
  isGtk4,
  isMac,
  isQt,
  isSwing,
  isWeb,
  opensInside,
  UNHEARD,
  webFactsOf,
} from "../toolkits.ts";
import { isQuickCombo } from "../quick.ts";
import { Attempts, type Done } from "./attempts.ts";
import { chooseInQuickCombo } from "./choose-in-quick-combo.ts";
import { chooseApart } from "./choose-apart.ts";
import { chooseInPopUp } from "./choose-in-pop-up.ts";
import { inputMethod } from "./input-method.ts";
import { buttonOf, entryOf, itemName, itemRows, noSuchItem, shownName, tellsByNameAlone } from "./items.ts";
import { label } from "./label.ts";
import { applicationOf, insideOf, type Place, placeOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { watchUntil } from "./read-back.ts";
import { sendAndSee } from "./refused.ts";
import { expand } from "./expand.ts";
import { focus } from "./focus.ts";
import { requireWritable, setText } from "./set-text.ts";
import { visiblePart } from "../visible.ts";

/** Which item: by its index from 0, by its name, or both when it has been seen. */
export interface Pick {
  readonly index: number | undefined;
  readonly name: string | undefined;
}

const ITEM_ACTIONS = ["select", "click", "press", "activate", "dodefault"];

/**
 * Chooses in a combo box: Selection.SelectChild on the box (GTK3, GTK4's old one), else the item's own action (GTK3,
 * Chromium), else opens it, goes there with the arrow keys and presses Return once the item has the focus (GTK4 drop-downs),
 * else opens it and clicks the item (one of Qt Quick as in `choose-in-quick-combo.ts`). A name that no item has goes into
 * the entry of a box that has one. Reads back that the box shows the item.
 */
export async function chooseInCombo(
  desktop: Desktop,
  combo: ElementRef,
  item: Pick,
  deadline: Deadline,
): Promise<Done> {
  const reading = await desktop.read(combo, { ...deadline.call(), recent: true, place: false });
  const what = item.name === undefined ? `item ${item.index}` : JSON.stringify(item.name);
  const attempts = new Attempts(`choose ${what} in ${label(combo, reading)}`);
  requireWritable(reading, attempts.doing);
  const place = await lookInside(desktop, combo, deadline);
  if (isMac(place.application) && entryOf(place.snapshot, place.row) === undefined) {
    return await chooseInPopUp(desktop, combo, item, deadline);
  }
  if (isQuickCombo(place.snapshot, place.row)) {
    return await chooseInQuickCombo(desktop, place, item, attempts, deadline);
  }
  const existing = find(place, item);
  const pick: Pick = { ...item, name: item.name ?? existing?.name };
  if (existing !== undefined && shows(place, existing)) return attempts.done("none", true);
  const entry = entryOf(place.snapshot, place.row);
  // Qt counts what is written for the item only once the field is left, if then.
  if (isQt(place.application) && entry !== undefined && existing !== undefined && !choosesByInput(desktop)) {
    const done = await setText(desktop, place.snapshot.element(entry), existing.name, deadline);
    return { ...done, warning: NOT_CHOSEN };
  }
  if (existing === undefined) {
    // What is no item of a box with an entry can be written into it; GTK 4 names none of its items.
    if (entry !== undefined && pick.name !== undefined) {
      return await setText(desktop, place.snapshot.element(entry), pick.name, deadline);
    }
    if (isComplete(place)) throw unknownItem(place, pick);
  }
  const apart = webFactsOf(place.application)?.listsApart;
  if (existing !== undefined && apart !== undefined) {
    attempts.refuse("Selection.SelectChild", "unsupported", UNHEARD);
    const shown = () => showsSoon(desktop, combo, existing, deadline);
    const done = await chooseApart(desktop, combo, { ...place, apart }, existing, shown, attempts, deadline);
    if (done) return done;
    throw attempts.failure();
  }
  const done = await closed(desktop, combo, place, existing ?? pick, attempts, deadline);
  if (done) return done;
  // Its popup closes before Return reaches it, which goes to the window then: a default button would be pressed.
  const closesTooSoon = isQt(place.application) && desktop.capabilities.display === "wayland";
  const last: { came: Opened } = { came: "unsent" };
  for (const way of closesTooSoon ? ["click"] as const : ["keys", "click"] as const) {
    const done = await attempts.attempt(
      inputMethod(desktop, way),
      async () => (last.came = await opened(desktop, combo, pick, way, deadline)) === "shown",
    );
    if (done) return done;
    // Chosen once more, what it does then would be done twice. The list of GTK 4 takes no Return at times.
    if (last.came === "chosen" && isQt(place.application)) break;
  }
  if (isQt(place.application) && entry !== undefined && existing !== undefined) {
    const written = await setText(desktop, place.snapshot.element(entry), existing.name, deadline);
    return { ...written, tried: [...attempts.tried, ...written.tried], warning: NOT_CHOSEN };
  }
  if (last.came === "chosen" && isQt(place.application)) throw attempts.failure(SHOWS_ANOTHER);
  throw attempts.failure(
    existing === undefined ? "It may be that its list did not open, or is empty." : undefined,
  );
}

/** What came of opening the list of a box: it shows the item, the item was chosen and it does not, or nothing was chosen. */
type Opened = "shown" | "chosen" | "unsent";

const SHOWS_ANOTHER =
  "The item was chosen, and the box shows another one: what it does may be done. Open it with " +
  "`click`, and choose with `press`, where it does something and then shows what it showed before.";

/** What a box of Qt is written instead of opened for. */
const NOT_CHOSEN =
  "the name of the item was written: the application may count it as chosen only once the field is left";

/** Can a list be opened, and gone through by keys? */
export function choosesByInput(desktop: Desktop): boolean {
  return desktop.capabilities.input && desktop.mode === "focus";
}

/** An item of the box in a picture of the tree. */
interface Item {
  readonly row: number;
  readonly index: number;
  readonly name: string;
}

function look(desktop: Desktop, combo: ElementRef, deadline: Deadline): Promise<Place> {
  return placeOf(desktop, combo, deadline, ["extents", "selection", "text"]);
}

/** The same of the box and its items alone, where they keep their addresses, or what is read next is found by its name. */
async function lookInside(desktop: Desktop, combo: ElementRef, deadline: Deadline): Promise<Place> {
  const application = await applicationOf(desktop, combo, deadline);
  const lasting = hasGtk3Widgets(application) || isGtk4(application) || isQt(application);
  const web = webFactsOf(application);
  if (!lasting && (web === undefined || web.listsApart !== undefined)) {
    return await look(desktop, combo, deadline);
  }
  return await insideOf(desktop, combo, deadline, ["selection", "text"]);
}

/** What an open box and its list say for who goes through it by keys: Qt's list is inside of the box, open or closed. */
async function lookOpen(desktop: Desktop, combo: ElementRef, deadline: Deadline): Promise<Place> {
  if (!isQt(await applicationOf(desktop, combo, deadline))) return await look(desktop, combo, deadline);
  return await insideOf(desktop, combo, deadline, ["selection", "text"]);
}

function find({ snapshot, row }: Place, pick: Pick): Item | undefined {
  const rows = itemRows(snapshot, row);
  const named = pick.name === undefined ? [] : rows.filter((r) => itemName(snapshot, r) === pick.name);
  if (pick.index === undefined && named.length > 1) {
    throw noSuchItem(label(snapshot.element(row)), pick.name ?? "", [], named.length);
  }
  const found = pick.index === undefined ? named[0] : rows[pick.index];
  if (found === undefined) return undefined;
  return { row: found, index: rows.indexOf(found), name: itemName(snapshot, found) };
}

/** Are all its items in the tree while it is closed? GTK4 makes them when it opens, and only those in view. */
function isComplete({ application, snapshot, row }: Place): boolean {
  return !isGtk4(application) && itemRows(snapshot, row).length > 0;
}

function unknownItem({ snapshot, row }: Place, pick: Pick): BackstepError {
  const names = itemRows(snapshot, row).map((r) => itemName(snapshot, r));
  return noSuchItem(label(snapshot.element(row)), pick.name ?? `item ${pick.index}`, names, 0);
}

/** Does the box show this item? By its selection, its name or text, or what its button shows (GTK4). */
function shows({ application, snapshot, row }: Place, item: Pick): boolean {
  const entry = entryOf(snapshot, row);
  // What Swing's list has marked follows neither what is written nor the arrow keys in an open list.
  if (isSwing(application)) {
    return item.name === (entry === undefined ? snapshot.name(row) : snapshot.text(entry));
  }
  const selected = snapshot.selected(row);
  if (selected !== undefined && selected.length > 0) return selected.includes(item.index ?? -1);
  const { name } = item;
  if (name !== undefined && tellsByNameAlone(snapshot, row)) return shownName(snapshot, row) === name;
  if (name === undefined || name === "") return false;
  if (isWeb(application)) {
    // The name of a page's box is its label; what is chosen is marked among its items.
    const at = item.index ?? find({ application, snapshot, row }, item)?.index ?? -1;
    const there = itemRows(snapshot, row)[at];
    return there === undefined ? snapshot.text(row) === name : snapshot.has(there, "selected");
  }
  if (!isGtk4(application) && snapshot.name(row) === name || shownName(snapshot, row) === name) return true;
  const there = itemRows(snapshot, row).find((r) => itemName(snapshot, r) === name);
  return there !== undefined && snapshot.has(there, "selected");
}

/** Chooses without opening: by index on the box, or by the action of the item where it is in the tree. */
async function closed(
  desktop: Desktop,
  combo: ElementRef,
  place: Place,
  item: Pick & { readonly row?: number },
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done | undefined> {
  const { index } = item;
  const seen = (within: Deadline) => showsSoon(desktop, combo, item, within);
  if (index === undefined) {
    attempts.refuse("Selection.SelectChild", "unsupported", "the index of the item is not known");
  } else if (!place.snapshot.implements(place.row, Interface.selection)) {
    attempts.refuse("Selection.SelectChild", "unsupported", "the box does not implement Selection");
  } else {
    const select = () => desktop.act(combo, { do: "select", child: index }, deadline.call());
    const done = await attempts.attempt("Selection.SelectChild", () => sendAndSee(select, seen, deadline));
    if (done) {
      // Chosen so, Swing leaves its list open, which a click on the item would have closed.
      if (opensInside(place.application) && place.snapshot.has(place.row, "expanded")) {
        await expand(desktop, combo, false, deadline);
      }
      return done;
    }
  }
  if (item.row === undefined) return undefined;
  const element = place.snapshot.element(item.row);
  const action = actionNamed(await desktop.read(element, deadline.call()), ITEM_ACTIONS);
  if (action === undefined) {
    attempts.refuse("Action.DoAction", "unsupported", "its items offer no action");
    return undefined;
  }
  const act = () => desktop.act(element, { do: "action", name: action }, deadline.call());
  return await attempts.attempt(actionMethod(action), () => sendAndSee(act, seen, deadline));
}

async function showsSoon(
  desktop: Desktop,
  combo: ElementRef,
  item: Pick,
  deadline: Deadline,
): Promise<boolean> {
  // The box's own name may be what it shows: its address stays, its fingerprint does not.
  const read = () => lookInside(desktop, combo, deadline);
  return (await watchUntil(desktop, read, (now) => shows(now, item), deadline, combo)).held;
}

/** Opens the box, chooses, and closes it again if that did not work. */
async function opened(
  desktop: Desktop,
  combo: ElementRef,
  pick: Pick,
  way: "click" | "keys",
  deadline: Deadline,
): Promise<Opened> {
  requireInput(desktop, `open ${label(combo)}`, way === "keys" ? "keyboard" : "pointer");
  await open(desktop, combo, deadline);
  const ready = (now: Place) => {
    const item = find(now, pick);
    if (item === undefined) return false;
    if (way === "click") return visiblePart(now.snapshot, item.row) !== undefined;
    // A key that comes before Qt's list changes what the closed box shows.
    return !isQt(now.application) || focusedItem(now) >= 0;
  };
  const list = () => (way === "keys" ? lookOpen : look)(desktop, combo, deadline);
  const seen = await watchUntil(desktop, list, ready, deadline, combo);
  const item = find(seen.last, pick);
  if (item === undefined) {
    await closeAgain(desktop, seen.last, deadline);
    // Without any item its list did not open.
    if (itemRows(seen.last.snapshot, seen.last.row).length === 0) return "unsent";
    throw unknownItem(seen.last, pick);
  }
  if (way === "click") {
    await clickOn(desktop, seen.last.snapshot.element(item.row), deadline);
  } else {
    if (!await walkTo(desktop, combo, item, deadline)) {
      await closeAgain(desktop, await list(), deadline);
      return "unsent";
    }
    await desktop.pressKeys(["Return"], deadline.call());
  }
  if (await showsSoon(desktop, combo, item, deadline)) return "shown";
  await closeAgain(desktop, await list(), deadline);
  return "chosen";
}

/** Closes the list. A dialog of GTK 4 would take an Escape that its list does not. */
async function closeAgain(desktop: Desktop, now: Place, deadline: Deadline): Promise<void> {
  if (isOpen(now) === false) return;
  await desktop.pressKeys(["Escape"], deadline.call());
}

/** Is its list open? Undefined where that is not told: drop-downs and combo rows of GTK 4 have their items in the tree only then. */
function isOpen({ application, snapshot, row }: Place): boolean | undefined {
  if (!isGtk4(application) || snapshot.implements(row, Interface.selection)) return undefined;
  return itemRows(snapshot, row).length > 0;
}

/**
 * Moves the focus to the item by the arrow keys: as many as there are items in between, and one after the other where
 * that led elsewhere. Nothing is chosen before it is there.
 */
async function walkTo(desktop: Desktop, combo: ElementRef, item: Item, deadline: Deadline): Promise<boolean> {
  const read = () => lookOpen(desktop, combo, deadline);
  let now = await read();
  const steps = itemRows(now.snapshot, now.row).length + 2;
  for (let step = 0; step < steps; step++) {
    const at = focusedItem(now);
    const leaves = at === item.index && isPassedOver(now, at);
    if (at === item.index && !leaves) return true;
    const keys = step === 0 && at >= 0 && !leaves ? Math.abs(at - item.index) : 1;
    const up = at > item.index || leaves && at > 0;
    for (let key = 0; key < keys; key++) await desktop.pressKeys([up ? "Up" : "Down"], deadline.call());
    const arrived = (next: Place) => keys === 1 ? focusedItem(next) !== at : focusedItem(next) === item.index;
    const seen = await watchUntil(desktop, read, arrived, deadline, combo);
    if (focusedItem(seen.last) === at) return false;
    now = seen.last;
  }
  return false;
}

/**
 * Has the item the focus, and another one is marked? A combo row of libadwaita opens so with its first item, and Return chooses what is
 * marked: only moving there marks it.
 */
function isPassedOver({ application, snapshot, row }: Place, index: number): boolean {
  const items = itemRows(snapshot, row);
  return isGtk4(application) && items.some((item) => snapshot.has(item, "selected")) &&
    !snapshot.has(items[index] ?? -1, "selected");
}

/** Index of the item that has the focus, -1 when none has. */
function focusedItem({ snapshot, row }: Place): number {
  return itemRows(snapshot, row).findIndex((r) => snapshot.has(r, "focused"));
}

/** A click, since keys or another click follow, and they go to the window in front. */
async function open(desktop: Desktop, combo: ElementRef, deadline: Deadline): Promise<void> {
  const { application, snapshot, row } = await lookOpen(desktop, combo, deadline);
  // A click on an open one would close it.
  if (isOpen({ application, snapshot, row }) === true) return;
  const entry = isQt(application) ? entryOf(snapshot, row) : undefined;
  if (entry !== undefined) {
    // A click goes into the entry; where its arrow is, nothing tells.
    await focus(desktop, snapshot.element(entry), deadline);
    await desktop.pressKeys(["alt", "Down"], deadline.call());
    return;
  }
  await clickOn(desktop, snapshot.element(buttonOf(snapshot, row) ?? row), deadline);
}
