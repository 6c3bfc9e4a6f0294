import type { Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Rect } from "../element.ts";
import { requireInput } from "../mode.ts";
import { outermost } from "../own-window.ts";
import { quickFieldOf, quickPopups } from "../quick.ts";
import { centre, type Point } from "../rect.ts";
import type { Snapshot } from "../snapshot.ts";
import { intersection } from "../visible.ts";
import type { Attempts, Done } from "./attempts.ts";
import { inputMethod } from "./input-method.ts";
import { entryOf, itemName, itemRows, noSuchItem, shownName } from "./items.ts";
import { label } from "./label.ts";
import { insideOf, type Place, placeOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { REREADS_OF_PLACES, watchUntil } from "./read-back.ts";
import { setText } from "./set-text.ts";
import { afterWheel, NOTCH_OF_QUICK, notchesFor } from "./wheel.ts";

/** Milliseconds that are kept for closing a list in which nothing was found. */
const CLOSES = 1_000;
/** Turns without a move after which the end of a list is reached: Qt 5 loses one now and then. */
const ENDS = 2;
/** Milliseconds within which a list moves by the wheel, if it can. */
const MOVES = 300;
/** Milliseconds without a move after which it is at rest. */
const REST = 60;

/**
 * Chooses in a combo box of Qt Quick. Nothing in the tree tells of its items before its list is open, which lies in the window, beside
 * everything else, and has those items alone that are in view. It is opened with the pointer, looked through with the wheel, and the
 * item is clicked; a list without such an item is closed again. A name that no item has goes into the field of a box that one may
 * write in. Reads back that the box shows the item.
 */
export async function chooseInQuickCombo(
  desktop: Desktop,
  { snapshot, row }: Place,
  item: Wanted,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done> {
  const combo = snapshot.element(row);
  const entry = entryOf(snapshot, row);
  if (item.name !== undefined && shownName(snapshot, row) === item.name) return attempts.done("none", true);
  attempts.refuse("Selection.SelectChild", "unsupported", "the box does not implement Selection");
  let names: readonly string[] | undefined;
  const done = await attempts.attempt(inputMethod(desktop, "click"), async () => {
    requireInput(desktop, `open ${label(combo)}`, "pointer");
    const list = await OpenList.open(desktop, combo, deadline);
    if (list === undefined) return false;
    let chosen = false;
    try {
      const found = await list.find(item);
      if (found === undefined) names = list.names;
      else {
        await clickOn(desktop, found.element, deadline);
        const shows = (now: Place) => shownName(now.snapshot, now.row) === found.name;
        const look = () => insideOf(desktop, combo, deadline, ["text"]);
        chosen = (await watchUntil(desktop, look, shows, deadline, combo)).held;
      }
      return chosen;
    } finally {
      // One that stays open has the pointer, and swallows the next click.
      if (!chosen) await list.close();
    }
  });
  if (done) return done;
  if (names === undefined) throw attempts.failure();
  if (entry !== undefined && item.name !== undefined) {
    return await setText(desktop, snapshot.element(entry), item.name, deadline);
  }
  throw noSuchItem(label(combo), item.name ?? `item ${item.index}`, names, 0);
}

/** Which item: by its index from 0 among those that are in the tree, or by its name. */
interface Wanted {
  readonly index: number | undefined;
  readonly name: string | undefined;
}

interface Found {
  readonly element: ElementRef;
  readonly name: string;
}

/** The list of a combo box while it is open. */
class OpenList {
  readonly #desktop: Desktop;
  readonly #combo: ElementRef;
  readonly #deadline: Deadline;
  readonly #list: ElementRef;
  /** What it shows inside of its window. */
  readonly #shown: Rect;
  readonly #names = new Set<string>();

  private constructor(
    desktop: Desktop,
    combo: ElementRef,
    deadline: Deadline,
    list: ElementRef,
    shown: Rect,
  ) {
    this.#desktop = desktop;
    this.#combo = combo;
    this.#deadline = deadline;
    this.#list = list;
    this.#shown = shown;
  }

  /** The list that is open, or what a click opens; undefined: nothing opened. */
  static async open(desktop: Desktop, combo: ElementRef, deadline: Deadline): Promise<OpenList | undefined> {
    const look = () => placeOf(desktop, combo, deadline, ["extents", "text"]);
    const listAt = ({ snapshot }: Place, row: number | undefined) => {
      const shown = row === undefined ? undefined : shownOf(snapshot, row);
      if (row === undefined || shown === undefined) return undefined;
      return new OpenList(desktop, combo, deadline, snapshot.element(row), shown);
    };
    const there = await look();
    const already = listAt(there, popups(there).find((row) => isListOf(there, row)));
    if (already !== undefined) return already;
    const before = await look();
    const others = new Set(popups(before).map((row) => before.snapshot.path(row)));
    const opened = (now: Place) => popups(now).findLast((row) => !others.has(now.snapshot.path(row)));
    await clickOn(desktop, combo, deadline, defined({ at: arrowOf(before) }));
    const { last } = await watchUntil(
      desktop,
      look,
      (now) => opened(now) !== undefined,
      deadline,
      combo,
      REREADS_OF_PLACES,
    );
    return listAt(last, opened(last));
  }

  /** Names that were seen in it. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  /** The item, once it is in view; undefined: the list has none such, or does not bring it into view. */
  async find(wanted: Wanted): Promise<Found | undefined> {
    let now = await this.#inside();
    for (const down of [1, -1]) {
      for (let still = 0; still < ENDS;) {
        const found = this.#itemIn(now, wanted);
        const beyond = found === undefined ? 0 : beyondOf(this.#shown, now.rect(found.row));
        if (found !== undefined && beyond === 0) {
          return { element: now.element(found.row), name: found.name };
        }
        if (wanted.name === undefined && found === undefined) return undefined;
        this.#requireTime(wanted);
        const from = shapeOf(now);
        now = await this.#turned(now, beyond || down * this.#shown.height / 2, found !== undefined);
        still = shapeOf(now) === from ? still + 1 : 0;
      }
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.#desktop.pressKeys(["Escape"], this.#deadline.call());
    const isOpen = async () =>
      (await placeOf(this.#desktop, this.#combo, this.#deadline, [])).snapshot.rowOf(this.#list) >= 0;
    await watchUntil(this.#desktop, isOpen, (open) => !open, this.#deadline, this.#combo);
  }

  async #inside(): Promise<Snapshot> {
    return (await insideOf(this.#desktop, this.#list, this.#deadline, ["extents", "text"])).snapshot;
  }

  #itemIn(
    now: Snapshot,
    { index, name }: Wanted,
  ): { readonly row: number; readonly name: string } | undefined {
    const rows = itemRows(now, 0);
    for (const row of rows) this.#names.add(itemName(now, row));
    const named = rows.filter((row) => itemName(now, row) === name);
    if (name !== undefined && named.length > 1) throw noSuchItem(label(this.#combo), name, [], named.length);
    const row = name === undefined ? rows[index ?? -1] : named[0];
    return row === undefined ? undefined : { row, name: itemName(now, row) };
  }

  #requireTime({ name, index }: Wanted): void {
    if (this.#deadline.remaining() >= CLOSES) return;
    const what = name === undefined ? `item ${index}` : JSON.stringify(name);
    throw new BackstepError(
      "timeout",
      `Cannot choose ${what} in ${
        label(this.#combo)
      }: ${this.#names.size} items were seen before the time was over`,
      { hint: "Give the step more time." },
    );
  }

  /** The list once it moved by the wheel, by so many pixels at most; with `rest`, once it stands still again. */
  async #turned(now: Snapshot, pixels: number, rest: boolean): Promise<Snapshot> {
    const over = centre(this.#shown);
    const down = notchesFor(pixels, NOTCH_OF_QUICK);
    await this.#desktop.pointer({ do: "wheel", ...over, right: 0, down }, this.#deadline.call());
    const how = { moves: MOVES, rest: rest ? REST : undefined };
    return await afterWheel(
      this.#desktop,
      this.#combo,
      () => this.#inside(),
      shapeOf,
      now,
      how,
      this.#deadline,
    );
  }
}

/** Where a click opens a box: beside a field that one may write in, which would take it. */
function arrowOf({ snapshot, row }: Place): ((rect: Rect) => Point) | undefined {
  const field = snapshot.has(row, "editable") ? quickFieldOf(snapshot, row) : undefined;
  const box = snapshot.rect(row), inside = field === undefined ? undefined : snapshot.rect(field);
  if (box === undefined || inside === undefined) return undefined;
  const left = inside.x - box.x, right = box.x + box.width - inside.x - inside.width;
  return (rect) =>
    centre(
      right >= left
        ? { ...rect, x: rect.x + left + inside.width, width: Math.max(1, right) }
        : { ...rect, width: left },
    );
}

/** How far below what a list shows an item has its middle, in pixels; above it less than 0, in it 0. */
function beyondOf(shown: Rect, item: Rect | undefined): number {
  if (item === undefined) return 0;
  const middle = item.y + item.height / 2;
  if (middle >= shown.y && middle < shown.y + shown.height) return 0;
  return middle - shown.y - shown.height / 2;
}

/** What a list shows inside of its window. */
function shownOf(snapshot: Snapshot, list: number): Rect | undefined {
  const rect = snapshot.rect(list);
  const window = snapshot.rect(outermost({ snapshot, row: list }));
  return rect === undefined || window === undefined ? rect : intersection(rect, window);
}

/** Which items a list has in the tree, and where. */
function shapeOf(list: Snapshot): string {
  return itemRows(list, 0).map((row) => {
    const { x = 0, y = 0 } = list.rect(row) ?? {};
    return `${itemName(list, row)} ${x} ${y}`;
  }).join("\n");
}

/** Pixels between a box and its list. */
const GAP = 8;

/** Is what pops up the list of a box: does it lie over it, or right below or above it? */
function isListOf({ snapshot, row }: Place, popup: number): boolean {
  const box = snapshot.rect(row), list = snapshot.rect(popup);
  if (box === undefined || list === undefined) return false;
  const near = { ...box, y: box.y - GAP, height: box.height + 2 * GAP };
  const shared = intersection(near, list);
  return shared !== undefined && 2 * shared.width > box.width;
}

/** What is open in the window of a row with things to choose from. */
function popups({ snapshot, row }: Pick<Place, "snapshot" | "row">): number[] {
  return quickPopups(snapshot, outermost({ snapshot, row })).filter((one) =>
    itemRows(snapshot, one).length > 0
  );
}
