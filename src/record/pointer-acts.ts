import type { Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { Role } from "../desktop/roles.ts";
import { isInQuickPopup } from "../desktop/quick.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { isQt, isWeb } from "../desktop/toolkits.ts";
import { wordOf } from "../desktop/vocabulary.ts";
import { clickActionOf, comboOf, isItem, itemName } from "./click-step.ts";
import { newExpansion, newlyChosen, newState, stateOf } from "./difference.ts";
import type { Gesture } from "./gestures.ts";
import { meantBy } from "./actionable.ts";
import type { Hit } from "./hit.ts";
import { type Look, rowAt } from "./look.ts";
import type { Maker, More } from "./maker.ts";
import type { Observer } from "./observer.ts";
import { judged, type Press } from "./press.ts";
import { type Scrolled, scrolledBy } from "./scrolled.ts";

/** Pixels of one notch of the wheel, where no scroll bar tells how far it went. */
const NOTCH = 50;

/** Milliseconds without a change after which a page has scrolled. */
const SCROLLS = 700;

/** Pixels between a row of a tree and the end of its arrow, beside the row's own height. */
const ARROW = 12;

/** A box whose list was opened: the next click may choose of it. */
interface Opener {
  readonly bus: string;
  readonly path: string;
  readonly target: Json;
}

/** Makes steps of what is done with the pointer. */
export class PointerActs {
  readonly #desktop: Desktop;
  readonly #observer: Observer;
  readonly #maker: Maker;
  #opener: Opener | undefined;
  /** What was switched on last. */
  #switched: Opener | undefined;

  constructor(desktop: Desktop, observer: Observer, maker: Maker) {
    this.#desktop = desktop;
    this.#observer = observer;
    this.#maker = maker;
  }

  async click(gesture: Gesture & { do: "click" }, pressed: Press): Promise<void> {
    const { application, look } = pressed;
    if (pressed.frame) return await this.#frame(gesture, pressed);
    if (application === undefined || look === undefined) return this.#place(gesture);
    const { bus } = application, { snapshot } = look;
    const app = await this.#maker.nameOf(application);
    const after = await this.#observer.atRest(bus, gesture.until);
    const hit = await judged(this.#observer, pressed, after);
    await this.#maker.expect(look);
    if (hit.row < 0) {
      const arrow = arrowOf(snapshot, pressed);
      const isOne = arrow >= 0 && after && this.#opened(gesture, look, arrow, after, app, true, {});
      return isOne ? undefined : this.#place(gesture);
    }
    const doubts = this.#maker.doubts(look, hit);
    const combo = gesture.count === 1 && gesture.button === "left" ? comboOf(snapshot, hit.row) : -1;
    const opener = this.#opener;
    this.#opener = undefined;
    if (opener?.bus === bus && isItem(snapshot, hit.row)) {
      const own = combo < 0
        ? pressed.window?.popup === true || isInQuickPopup(snapshot, hit.row)
        : snapshot.path(combo) === opener.path;
      if (own) {
        this.#maker.drop(`open ${opener.path}`);
        const value = itemName(snapshot, hit.row);
        return this.#maker.add("set", { target: opener.target, value }, hit.sure && value !== "", {
          ...doubts,
          // Two choices that follow each other are two steps.
          key: `choice ${gesture.from}`,
        });
      }
    }
    const row = combo < 0 || isItem(snapshot, hit.row) ? hit.row : combo;
    const target = this.#maker.targetOf(snapshot, row, app);
    if (target === null) return this.#place(gesture);
    if (after && this.#opened(gesture, look, row, after, app, hit.sure, doubts)) return;
    // What is typed into a field of numbers at once is not what the click did.
    const typed = wordOf(snapshot, row) === "spinbutton" && this.#observer.typedAt > gesture.until;
    const { verb, sets, more } = clickActionOf(gesture, snapshot, row, typed ? undefined : after?.snapshot);
    const path = snapshot.path(row);
    if (row === combo) {
      // Opened and shut again: nothing was done.
      if (opener?.path === path && this.#maker.drop(`open ${path}`)) return;
      this.#opener = { bus, path, target };
      return this.#maker.add(verb, { target, ...more }, hit.sure, { ...doubts, key: `open ${path}` });
    }
    const isField = snapshot.has(row, "editable") || wordOf(snapshot, row) === "spinbutton";
    const key = isField && !sets ? `click ${bus} ${path}` : undefined;
    this.#maker.add(verb, { target, ...more }, hit.sure, { ...doubts, ...defined({ key }) });
    if (after) this.#letShut(after, path, sets && more["value"] === true ? { bus, path, target } : undefined);
  }

  /** A toggle that was switched on and is off by itself after another act held a bubble open: it shuts before what follows. */
  #letShut({ application, snapshot }: Look, used: string, switched: Opener | undefined): void {
    const on = this.#switched;
    this.#switched = switched;
    if (on === undefined || on.bus !== application.bus || on.path === used) return;
    const row = snapshot.rowOf(on);
    if (row < 0 || snapshot.role(row) !== Role.toggleButton) return;
    if (stateOf(snapshot, row) === false) {
      this.#maker.add("wait", { target: on.target, for: "unchecked" }, true);
    } else this.#switched ??= on;
  }

  /** A click on the arrow of a row, which a click on the row would not be: what it chose as well, and that it is open or closed. */
  #opened(
    { button, count, modifiers }: Gesture & { do: "click" },
    { snapshot }: Look,
    row: number,
    after: Look,
    app: string,
    sure: boolean,
    doubts: More,
  ): boolean {
    if (button !== "left" || count !== 1 || modifiers.length > 0) return false;
    const value = newExpansion(snapshot, row, after.snapshot);
    const target = this.#maker.targetOf(snapshot, row, app);
    if (value === undefined || target === null) return false;
    for (const chosen of newlyChosen(snapshot, row, after.snapshot)) {
      const itself = after.snapshot.path(chosen) === snapshot.path(row);
      const other = itself ? target : this.#maker.targetOf(after.snapshot, chosen, app);
      if (other !== null) this.#maker.add(itself ? "click" : "select", { target: other }, sure);
    }
    this.#maker.add("set", { target, value }, sure, doubts);
    return true;
  }

  async drag(gesture: Gesture & { do: "drag" }, pressed: Press, released: Press): Promise<void> {
    const { application, look } = pressed;
    if (pressed.frame) return await this.#frame(gesture, pressed);
    const app = application ? await this.#maker.nameOf(application) : this.#maker.main ?? "";
    const place = ({ x, y }: { x: number; y: number }) => ({ x: Math.round(x), y: Math.round(y) });
    const places = { from: place(gesture.at), to: place(gesture.to) };
    if (application === undefined || look === undefined) return this.#maker.add("drag", places, false);
    const after = await this.#observer.atRest(application.bus, gesture.until);
    const hit = await judged(this.#observer, pressed, after);
    await this.#maker.expect(look);
    if (hit.row < 0) return this.#maker.add("drag", places, false);
    const from = this.#maker.targetOf(look.snapshot, hit.row, app);
    const doubts = this.#maker.doubts(look, hit);
    const state = newState(look.snapshot, hit.row, after?.snapshot);
    if (typeof state === "number" && from !== null) {
      return this.#maker.add("set", { target: from, value: state }, hit.sure, doubts);
    }
    const drop = released === pressed ? { ...hit, look } : await this.#dropped(look, released);
    const to = drop.row < 0 || drop.look === undefined || drop.row === hit.row
      ? null
      : this.#maker.targetOf(drop.look.snapshot, drop.row, app);
    const ends = { from: from ?? places.from, to: to ?? places.to };
    this.#maker.add("drag", ends, hit.sure && drop.sure && from !== null && to !== null, doubts);
  }

  /**
   * What something was dropped on. What was not there before the drag is its picture, which moves along below the pointer: what
   * lies under that is meant.
   */
  async #dropped(before: Look, released: Press): Promise<Hit & Pick<Press, "look">> {
    const { look, window, point } = released;
    const hit = await judged(this.#observer, released);
    const isNew = look !== undefined && hit.row >= 0 &&
      before.snapshot.rowOf(look.snapshot.element(hit.row)) < 0;
    const own = window === undefined || hit.row >= 0 && !isNew ? -1 : rowAt(before, window, point.x, point.y);
    const row = own < 0 ? -1 : meantBy(before.snapshot, own);
    return row < 0 ? { ...hit, look } : { row, sure: true, others: [], look: before };
  }

  async wheel(gesture: Gesture & { do: "wheel" }, pressed: Press): Promise<void> {
    const { application, look } = pressed;
    if (application === undefined || look === undefined || pressed.own < 0) return;
    const { snapshot } = look;
    this.#observer.dirty(application.bus);
    const after = await this.#observer.atRest(application.bus, gesture.until);
    const app = await this.#maker.nameOf(application);
    await this.#maker.expect(look);
    const hit = await judged(this.#observer, pressed, after);
    const state = hit.row < 0 ? undefined : newState(snapshot, hit.row, after?.snapshot);
    if (state !== undefined) {
      const target = this.#maker.targetOf(snapshot, hit.row, app);
      return this.#maker.add("set", { target, value: state }, hit.sure && target !== null);
    }
    const across = Math.abs(gesture.right) > Math.abs(gesture.down);
    const notches = across ? gesture.right : gesture.down;
    const moved = await this.#scrolled(look, pressed.own, gesture.until, across);
    // It lay at its end, and stayed there; or a slider or spin button that it does not change.
    const isNumber = hit.row >= 0 && typeof stateOf(snapshot, hit.row) === "number";
    if (notches === 0 || moved?.by === 0 || (moved === undefined && isNumber)) return;
    const target = this.#maker.targetOf(snapshot, moved?.area ?? (hit.row < 0 ? pressed.own : hit.row), app);
    if (target === null) return;
    const by = moved?.by ?? notches * NOTCH;
    const direction = across ? (by > 0 ? "right" : "left") : by > 0 ? "down" : "up";
    this.#maker.add("scroll", { target, direction, amount: Math.abs(by) }, moved !== undefined, {
      ...(moved === undefined ? { comment: "Nothing tells how far it scrolled." } : {}),
    });
  }

  /** How far something scrolled, once it rests: Chromium tells the first step, and half a second later where it ended. */
  async #scrolled(
    { application, snapshot }: Look,
    row: number,
    since: number,
    across: boolean,
  ): Promise<Scrolled | undefined> {
    const rest = isWeb(application) ? SCROLLS : 0;
    let last: Scrolled | undefined;
    for (let still = since; performance.now() < still + rest + 1 || last === undefined;) {
      this.#observer.dirty(application.bus);
      const after = await this.#observer.atRest(application.bus, performance.now());
      const now = after && scrolledBy(snapshot, row, after.snapshot, across);
      if (now === undefined) return undefined;
      if (now.by !== last?.by) still = performance.now();
      last = now;
    }
    return last;
  }

  /** What was done to what the window manager draws around a window. */
  async #frame(gesture: Gesture, { window, application }: Press): Promise<void> {
    if (window === undefined) return;
    const app = application ? await this.#maker.nameOf(application) : this.#maker.main ?? "";
    if (application) await this.#observer.atRest(application.bus, gesture.until);
    const now = (await this.#desktop.windows()).find(({ id }) => id === window.id);
    const title = window.title;
    const step = (more: Record<string, Json>, sure = true) =>
      this.#maker.add("window", { ...more, title, ...(app === this.#maker.main ? {} : { app }) }, sure);
    if (now === undefined) {
      const left = application && (await this.#desktop.windows()).some(({ pid }) => pid === application.pid);
      return left ? step({ do: "close" }) : this.#maker.add("quit", { app }, true);
    }
    if (now.minimised) return step({ do: "minimise" });
    const { x, y, width, height } = now.rect, was = window.rect;
    const moved = x !== was.x || y !== was.y, sized = width !== was.width || height !== was.height;
    if (moved || sized) {
      return step({ do: "place", ...(moved ? { x, y } : {}), ...(sized ? { width, height } : {}) });
    }
    if (now.active && !window.active) step({ do: "activate" });
  }

  /** A click on what has no name and no place in the tree. */
  #place(gesture: Gesture & { do: "click" }): void {
    const { at, button, count } = gesture;
    const more = defined({
      button: button === "left" ? undefined : button,
      count: count === 1 ? undefined : count,
    });
    this.#maker.add("click-at", { x: Math.round(at.x), y: Math.round(at.y), ...more }, false, {
      comment: "The tree tells nothing there that can be used.",
    });
  }
}

/** The row of a tree of Qt whose arrow lies at a point: the row's own place begins to the right of it. -1: none. */
function arrowOf(snapshot: Snapshot, { own, point: { x, y } }: Press): number {
  if (!isQt(snapshot.origin.application) || own < 0 || snapshot.role(own) !== Role.tree) return -1;
  const isBeside = (row: number) => {
    const rect = snapshot.rect(row);
    return snapshot.has(row, "expandable") && rect !== undefined && y >= rect.y && y < rect.y + rect.height &&
      x < rect.x && x >= rect.x - rect.height - ARROW;
  };
  return snapshot.children(own).find(isBeside) ?? -1;
}
