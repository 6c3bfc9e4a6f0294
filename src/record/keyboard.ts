import type { Application } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { openPopups } from "../desktop/open-popups.ts";
import { Role } from "../desktop/roles.ts";
import { isQt } from "../desktop/toolkits.ts";
import { meantBy } from "./actionable.ts";
import { comboOf } from "./click-step.ts";
import { CELLS } from "./hit.ts";
import type { Observer } from "./observer.ts";
import type { Address, Reported } from "./reported.ts";
import type { Press } from "./press.ts";

/** Who has the keyboard. */
export interface Holder extends Address {
  /** Nobody said so: it was pressed then, and nothing was since. What it tells of the keys shows whether it is so. */
  readonly assumed?: number;
}

/** What is asked of an observer. */
interface Observed extends Pick<Observer, "applications" | "looks" | "windows"> {
  readonly reported: Pick<Reported, "edited" | "editedSince" | "focus" | "states">;
}

/**
 * Knows who has the keyboard: by what applications report, else by what their trees say, else by what was pressed. The last is
 * for Qt: where a dialog closes, its window is given the keyboard by the display, and does at times not notice. Then it reports no
 * focus any more, while it takes each key.
 */
export class Keyboard {
  readonly #observer: Observed;
  #pressed: Address & { readonly at: number } | undefined;
  #moved = -Infinity;

  constructor(observer: Observed) {
    this.#observer = observer;
  }

  /** A button of the pointer was pressed: what can take the keyboard has it now. */
  pressed({ look, own, time }: Pick<Press, "look" | "own" | "time">): void {
    const row = look === undefined || own < 0 ? -1 : meantBy(look.snapshot, own);
    if (look === undefined || row < 0 || !look.snapshot.has(row, "focusable")) return;
    this.#pressed = { ...look.snapshot.element(row), at: time };
  }

  /** A key was pressed that gives it to something else. */
  moved(at: number): void {
    this.#pressed = undefined;
    this.#moved = at;
  }

  /** Does what an element tells show that what was typed since then went there? */
  took({ assumed, bus, path }: Holder, since: number): boolean {
    return assumed === undefined || this.#observer.reported.edited({ bus, path }) >= since;
  }

  /** Is it sure enough that a key went there? A field that was pressed has the keyboard; an item of a list says where it went on to. */
  has({ assumed, bus, path }: Holder): boolean {
    if (assumed === undefined) return true;
    const since = assumed;
    const snapshot = this.#observer.looks.latest(bus)?.snapshot;
    const row = snapshot?.rowOf({ bus, path }) ?? -1;
    if (snapshot === undefined || row < 0) return false;
    if (snapshot.has(row, "editable")) return true;
    if (!CELLS.has(snapshot.role(row))) return false;
    return this.#observer.reported.states(bus, since, Infinity).some((one) =>
      snapshot.children(snapshot.parent(row)).includes(snapshot.rowOf({ bus, path: one }))
    );
  }

  /** Who has it; `before`: had it then. Undefined: nobody knows. */
  holder(before?: number): Holder | undefined {
    const unaware = this.#unaware();
    if (unaware === undefined) return this.#reported(before) ?? this.#inLooks();
    const focus = this.#observer.reported.focus(before), pressed = this.#pressed;
    // It goes on to report where the keyboard goes in a list.
    if (focus !== undefined && focus.at > Math.max(pressed?.at ?? -Infinity, this.#moved)) {
      if ((this.#observer.looks.latest(focus.bus)?.snapshot.rowOf(focus) ?? -1) >= 0) return focus;
    }
    if (pressed?.bus === unaware.bus) return { ...pressed, assumed: pressed.at };
    const since = Math.max(this.#moved, focus?.at ?? -Infinity);
    const edited = this.#editedIn(unaware.bus, since);
    return edited && { ...edited, assumed: since };
  }

  /** The one field that told since then that its text changed. */
  #editedIn(bus: string, since: number): Address | undefined {
    const snapshot = this.#observer.looks.latest(bus)?.snapshot;
    const [field, second] = this.#observer.reported.editedSince(bus, since).filter((path) => {
      const row = snapshot?.rowOf({ bus, path }) ?? -1;
      return row >= 0 && snapshot?.has(row, "editable");
    });
    return field === undefined || second !== undefined ? undefined : { bus, path: field };
  }

  /** The application whose window has the keyboard and says itself that it has not; undefined: there is none. */
  #unaware(): Application | undefined {
    const active = this.#observer.windows.find((window) => window.active);
    const application = this.#observer.applications.find(({ pid }) => pid === active?.pid);
    if (application === undefined || !isQt(application)) return undefined;
    const snapshot = this.#observer.looks.latest(application.bus)?.snapshot;
    const aware = snapshot?.children(0).some((row) => snapshot.has(row, "active")) ?? true;
    return aware ? undefined : application;
  }

  /** What an application said that got the keyboard, unless a later look shows that it has it no more. */
  #reported(before: number | undefined): Address | undefined {
    const focus = this.#observer.reported.focus(before);
    const look = focus && this.#observer.looks.latest(focus.bus);
    if (focus === undefined || look === undefined || look.from < focus.at) return focus;
    const { snapshot } = look;
    const row = snapshot.rowOf(focus);
    if (row < 0) return focus;
    // A view of Qt that gets the keyboard again says so; that its item has it, only the tree says.
    const item = itemWithKeyboard(snapshot, row);
    if (item >= 0) return snapshot.element(item);
    return hasKeyboard(snapshot, row) || this.#inLooks() === undefined ? focus : undefined;
  }

  #inLooks(): Address | undefined {
    const active = this.#observer.windows.find((window) => window.active);
    const application = this.#observer.applications.find(({ pid }) => pid === active?.pid);
    const snapshot = application && this.#observer.looks.latest(application.bus)?.snapshot;
    if (application === undefined || snapshot === undefined) return undefined;
    const rows = [];
    for (let row = snapshot.size - 1; row > 0; row--) if (hasKeyboard(snapshot, row)) rows.push(row);
    const [first] = rows;
    if (first === undefined) return undefined;
    if (!isQt(application)) return snapshot.element(first);
    // Each view of Qt goes on to say that its current item has the keyboard: of several, nobody knows which one has it.
    const outside = rows.find((row) => !CELLS.has(snapshot.role(row)));
    if (outside === undefined) return rows.length === 1 ? snapshot.element(first) : undefined;
    const item = itemWithKeyboard(snapshot, outside);
    return snapshot.element(item < 0 ? outside : item);
  }
}

/** The one item of a view of Qt that says that it has the keyboard; -1: none, or it is no such view. */
function itemWithKeyboard(snapshot: Snapshot, view: number): number {
  if (!isQt(snapshot.origin.application) || snapshot.role(view) === Role.comboBox) return -1;
  const [item, second] = snapshot.children(view).filter((row) =>
    CELLS.has(snapshot.role(row)) && snapshot.has(row, "focused")
  );
  return item === undefined || second !== undefined ? -1 : item;
}

/** Has a row the keyboard? Items in the closed lists of Qt's boxes go on to say that they are focused. */
function hasKeyboard(snapshot: Snapshot, row: number): boolean {
  if (!snapshot.has(row, "focused")) return false;
  if (!isQt(snapshot.origin.application)) return true;
  const combo = comboOf(snapshot, row);
  return combo < 0 || combo === row || openPopups(snapshot).includes(combo);
}
