import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { Application, ElementRef, Reading } from "../element.ts";
import { Interface } from "../interfaces.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { isGtk3, isQt, isWeb, tellsByElement } from "../toolkits.ts";
import { actionMethod, actionNamed } from "./action.ts";
import { Attempts, type Done } from "./attempts.ts";
import { chooseInCombo } from "./choose-in-combo.ts";
import { inputMethod } from "./input-method.ts";
import { containerOf, itemName, itemRows, noSuchItem, SHOWN } from "./items.ts";
import { implementsAll, isChosen, isEnabled, isIn, label } from "./label.ts";
import { applicationOf, insideOf, keptAround, type Place, placeOf, requireSame } from "./place.ts";
import { chooseQtRow } from "./choose-qt-row.ts";
import { chooseTableRows, columnsOf } from "./choose-table-rows.ts";
import { chooseRows, isRowView, rowPathOf } from "./choose-rows.ts";
import { clickAction, isRow } from "./click-action.ts";
import { clickOn } from "./point.ts";
import { focus } from "./focus.ts";
import { isSheetCell } from "./sheet-cell.ts";
import { until, watchUntil } from "./read-back.ts";
import { sendAndSee } from "./refused.ts";
import { untilChosen } from "./until-chosen.ts";

/** What selects an item without also opening it. */
const ACTIONS = ["select", "click", "press", "dodefault"];

/**
 * Chooses one item of its container, and nothing else there: Selection.SelectChild, else the item's own action, else a
 * click on what does nothing but be chosen by it (tabs). A row is never clicked, but for one of a web page or of Qt Quick, which is
 * chosen by a click and by nothing else: that may open what it stands for. Reads
 * back SELECTED. A row of Qt as in `choose-qt-row.ts`, an item of a combo box is chosen as in `choose-in-combo.ts`.
 */
export async function chooseItem(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<Done> {
  const place = await tabPlaceOf(desktop, element, deadline) ??
    await listedPlaceOf(desktop, element, deadline) ??
    await placeOf(desktop, element, deadline, ["extents", "selection", "text"]);
  const container = containerOf(place.snapshot, place.row);
  if (container >= 0 && place.snapshot.role(container) === Role.comboBox) {
    const index = itemRows(place.snapshot, container).indexOf(place.row);
    const name = itemName(place.snapshot, place.row);
    return await chooseInCombo(desktop, place.snapshot.element(container), { index, name }, deadline);
  }
  return await chooseListed(desktop, element, place, container, deadline);
}

/** A tab beside the others of its row, without what is on their pages; undefined: it is no tab, or not among them any more. */
async function tabPlaceOf(
  desktop: Desktop,
  tab: ElementRef,
  deadline: Deadline,
): Promise<Place | undefined> {
  if (tab.fingerprint.role !== Role.pageTab) return undefined;
  const application = await applicationOf(desktop, tab, deadline);
  if (!tellsByElement(application)) {
    const place = await placeOf(desktop, tab, deadline, ["extents"], { recent: true });
    const list = place.snapshot.parent(place.row);
    return place.snapshot.implements(list, Interface.selection) ? undefined : place;
  }
  const kept = await keptAround(desktop, application, tab, deadline, { recent: true });
  const list = kept.parent(kept.rowOf(tab));
  if (list < 0 || kept.role(list) !== Role.pageTabList) return undefined;
  const root = kept.element(list);
  const snapshot = await desktop.snapshot(application, {
    ...deadline.call(),
    root,
    maxDepth: 1,
    fields: ["selection", "id"],
  });
  const row = snapshot.rowOf(tab);
  return row < 0 ? undefined : { application, snapshot, row };
}

/** An item of Qt beside the others of what it is chosen in; undefined: where it is is to be read. */
async function listedPlaceOf(
  desktop: Desktop,
  item: ElementRef,
  deadline: Deadline,
): Promise<Place | undefined> {
  const application = await applicationOf(desktop, item, deadline);
  if (!isQt(application)) return undefined;
  const kept = await keptAround(desktop, application, item, deadline, { recent: true });
  const at = kept.rowOf(item);
  const container = at < 0 ? -1 : containerOf(kept, at);
  if (container < 0 || kept.role(container) === Role.comboBox) return undefined;
  const inside = await insideOf(desktop, kept.element(container), deadline, ["extents", "selection", "text"]);
  const row = inside.snapshot.rowOf(item);
  if (row < 0) return undefined;
  requireSame(item, inside.snapshot, row);
  return { ...inside, row };
}

/**
 * What can be chosen in a container: it and what is in it, of a row of tabs not what is on their pages. Where what is kept of an
 * application is not all true, it in its application.
 */
async function containerPlaceOf(
  desktop: Desktop,
  container: ElementRef,
  deadline: Deadline,
): Promise<Place> {
  const fields = ["extents", "selection", "text"] as const;
  if (!tellsByElement(await applicationOf(desktop, container, deadline))) {
    return await placeOf(desktop, container, deadline, fields);
  }
  const tabs = container.fingerprint.role === Role.pageTabList;
  return await insideOf(desktop, container, deadline, fields, tabs ? { maxDepth: 1 } : {});
}

/** Chooses the item with this index (from 0) of a list, a row of tabs, a combo box. Errors: `not_found`. */
export async function chooseChild(
  desktop: Desktop,
  container: ElementRef,
  index: number,
  deadline: Deadline,
): Promise<Done> {
  if (container.fingerprint.role === Role.comboBox) {
    return await chooseInCombo(desktop, container, { index, name: undefined }, deadline);
  }
  const place = await containerPlaceOf(desktop, container, deadline);
  const rows = itemRows(place.snapshot, place.row);
  const row = rows[index];
  if (row !== undefined) {
    return await chooseListed(desktop, place.snapshot.element(row), { ...place, row }, place.row, deadline);
  }
  throw new BackstepError(
    "not_found",
    `Cannot choose item ${index} of ${label(container)}: it has ${rows.length}`,
    { details: { items: rows.slice(0, SHOWN).map((r) => itemName(place.snapshot, r)) } },
  );
}

/** Chooses the item of this name. Errors: `not_found` with the nearest names, `ambiguous`. */
export async function chooseNamed(
  desktop: Desktop,
  container: ElementRef,
  name: string,
  deadline: Deadline,
): Promise<Done> {
  if (container.fingerprint.role === Role.comboBox) {
    return await chooseInCombo(desktop, container, { index: undefined, name }, deadline);
  }
  const place = await containerPlaceOf(desktop, container, deadline);
  const rows = itemRows(place.snapshot, place.row);
  const named = rows.filter((r) => itemName(place.snapshot, r) === name);
  const [row] = named;
  if (row === undefined || named.length > 1) {
    const names = rows.map((r) => itemName(place.snapshot, r));
    throw noSuchItem(label(container), name, names, named.length);
  }
  return await chooseListed(desktop, place.snapshot.element(row), { ...place, row }, place.row, deadline);
}

/**
 * Makes exactly these children of a container the selected ones, as `Reading.selectedChildren` counts them: what puts a
 * selection back.
 */
export async function choose(
  desktop: Desktop,
  application: Application,
  container: ElementRef,
  wanted: readonly number[],
  deadline: Deadline,
): Promise<Done> {
  const before = await desktop.read(container, { ...deadline.call(), recent: true, place: false });
  const attempts = new Attempts(`choose in ${label(container, before)} of ${application.name}`);
  const exact = (now: Reading) => sameNumbers(now.selectedChildren ?? [], wanted);
  if (before.selectedChildren !== undefined && exact(before)) return attempts.done("none", true);
  const [only] = wanted;
  if (only !== undefined && wanted.length === 1) {
    return await chooseOnly(desktop, container, before, only, deadline);
  }
  if (isGtk3(application) && implementsAll(before, Interface.table)) {
    const { snapshot, row } = await containerPlaceOf(desktop, container, deadline);
    const columns = columnsOf(snapshot, row);
    if (columns > 0) return await chooseTableRows(desktop, container, columns, wanted, attempts, deadline);
  }
  const done = await attempts.attempt("Selection", async () => {
    const selected = before.selectedChildren ?? [];
    const cleared = wanted.length === 0 && await clear(desktop, container, deadline);
    for (const child of cleared ? [] : selected.filter((c) => !wanted.includes(c))) {
      await desktop.act(container, { do: "deselect", child }, deadline.call());
    }
    for (const child of wanted.filter((c) => !selected.includes(c))) {
      await desktop.act(container, { do: "select", child }, deadline.call());
    }
    return (await until(desktop, container, exact, deadline)).held;
  });
  if (done) return done;
  throw attempts.failure();
}

/** Lets go of all at once; false: the list refuses that, and may let go of one after the other. */
async function clear(desktop: Desktop, container: ElementRef, deadline: Deadline): Promise<boolean> {
  try {
    await desktop.act(container, { do: "selectNone" }, deadline.call());
    return true;
  } catch (thrown) {
    if (thrown instanceof BackstepError && thrown.code === "refused") return false;
    throw thrown;
  }
}

async function chooseOnly(
  desktop: Desktop,
  container: ElementRef,
  before: Reading,
  index: number,
  deadline: Deadline,
): Promise<Done> {
  if (before.role === Role.comboBox) return await chooseChild(desktop, container, index, deadline);
  const place = await containerPlaceOf(desktop, container, deadline);
  const row = place.snapshot.children(place.row)[index];
  if (row !== undefined) {
    return await chooseListed(desktop, place.snapshot.element(row), { ...place, row }, place.row, deadline);
  }
  // A container that manages its descendants need not show them.
  const attempts = new Attempts(`choose child ${index} of ${label(container, before)}`);
  const done = await attempts.attempt("Selection.SelectChild", async () => {
    const there = (now: Reading) => now.selectedChildren?.includes(index) ?? false;
    return await sendAndSee(
      () => desktop.act(container, { do: "select", child: index }, deadline.call()),
      async (within) => (await until(desktop, container, there, within)).held,
      deadline,
    );
  });
  if (done) return done;
  throw attempts.failure();
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((n) => b.includes(n));
}

async function chooseListed(
  desktop: Desktop,
  element: ElementRef,
  place: Place,
  container: number,
  deadline: Deadline,
): Promise<Done> {
  const { snapshot, row } = place;
  const reading = await desktop.read(element, { ...deadline.call(), recent: true, place: false });
  const attempts = new Attempts(`choose ${label(element, reading)}`);
  if (!isEnabled(reading)) {
    throw new BackstepError("not_actionable", `Cannot ${attempts.doing}: it is disabled`);
  }
  // A spreadsheet's cursor is its focus; selecting a cell leaves the cursor where it is.
  if (isSheetCell(reading)) return await focus(desktop, element, deadline);
  const holder = container < 0 ? undefined : snapshot.element(container);
  if (holder !== undefined && isRowView(snapshot, container)) {
    return await chooseRows(desktop, holder, [rowPathOf(snapshot, container, row)], attempts.doing, deadline);
  }
  const index = indexIn(snapshot, container, row);
  const columns = columnsOf(snapshot, container);
  if (holder !== undefined && columns > 0 && index >= 0) {
    return await chooseTableRows(desktop, holder, columns, [index], attempts, deadline);
  }
  const others = holder === undefined ? [] : (snapshot.selected(container) ?? []);
  // Where the container does not tell, its items do.
  const reported = container < 0 || snapshot.implements(container, Interface.selection)
    ? []
    : itemRows(snapshot, container).filter((other) => other !== row && snapshot.has(other, "selected"));
  if (isChosen(reading) && others.every((other) => other === index) && reported.length === 0) {
    return attempts.done("none", true);
  }
  // What a flow box of GTK 3 holds does not say that it is chosen: the box does.
  const flow = isGtk3(place.application) && !isIn(reading, "selectable") && index >= 0 ? holder : undefined;
  const chosen = async (within = deadline) => {
    if (flow === undefined) return await untilChosen(desktop, element, place, within);
    const among = (now: Reading) => now.selectedChildren?.includes(index) ?? false;
    return (await until(desktop, flow, among, within)).held;
  };

  if (holder !== undefined && index >= 0 && snapshot.implements(container, Interface.selection)) {
    const done = await attempts.attempt("Selection.SelectChild", async () => {
      const select = () => desktop.act(holder, { do: "select", child: index }, deadline.call());
      if (!await sendAndSee(select, chosen, deadline)) return false;
      const { selectedChildren = [] } = await desktop.read(holder, {
        ...deadline.call(),
        recent: true,
        place: false,
      });
      for (const child of selectedChildren) {
        if (child !== index) await desktop.act(holder, { do: "deselect", child }, deadline.call());
      }
      return true;
    });
    if (done) return done;
  } else {
    attempts.refuse("Selection.SelectChild", "unsupported", "its container does not implement Selection");
  }
  // A row of Qt Quick offers no action, one of Qt Widgets that which chooses it.
  const quickRow = isQt(place.application) && isIn(reading, "selectable") && reading.actions.length === 0;
  if (isQt(place.application) && isRow(reading.role, true) && !quickRow) {
    const others = reported.map((other) => snapshot.element(other));
    const done = await chooseQtRow(desktop, element, others, attempts, deadline);
    if (done) return done;
  }
  // A page that marks one and clears another does so one after the other, and tells both.
  const alone = async (within = deadline) => {
    if (!await chosen(within)) return false;
    if (reported.length === 0 || snapshot.has(container, "multiselectable")) return true;
    const others = () =>
      Promise.all(reported.map((row) => desktop.read(snapshot.element(row), within.call())));
    await watchUntil(desktop, others, (now) => !now.some(isChosen), within, element);
    return true;
  };
  // A page chooses what is clicked.
  const action = isWeb(place.application)
    ? clickAction(reading, place.application)
    : actionNamed(reading, ACTIONS);
  if (action !== undefined) {
    const done = await attempts.attempt(actionMethod(action), () =>
      sendAndSee(
        () => desktop.act(element, { do: "action", name: action }, deadline.call()),
        isWeb(place.application) ? alone : chosen,
        deadline,
      ));
    if (done) return done;
  }
  if (isRow(reading.role, true) && !isWeb(place.application) && !quickRow) {
    attempts.refuse(inputMethod(desktop, "click"), "unsupported", "a click may do more than choose it");
    throw attempts.failure("`click` it, if it may do what a click there does.");
  }
  const clicked = await attempts.attempt(inputMethod(desktop, "click"), async () => {
    await clickOn(desktop, element, deadline);
    return await chosen();
  });
  if (clicked) return clicked;
  throw attempts.failure();
}

/** Which child of its container a row is, or is in, as a cell in a row and GTK 3's parts of a cell; -1 without one. */
function indexIn(snapshot: Snapshot, container: number, row: number): number {
  if (container < 0) return -1;
  let child = row;
  while (child >= 0 && snapshot.parent(child) !== container) child = snapshot.parent(child);
  return child < 0 ? -1 : snapshot.children(container).indexOf(child);
}
