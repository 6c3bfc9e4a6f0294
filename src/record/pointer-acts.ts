import type { Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { clickActionOf, comboOf, isItem, itemName } from "./click-step.ts";
import { newExpansion, newlyChosen, newState } from "./difference.ts";
import type { Gesture } from "./gestures.ts";
import type { Look } from "./look.ts";
import type { Maker, More } from "./maker.ts";
import type { Observer } from "./observer.ts";
import { judged, type Press } from "./press.ts";

/** Pixels of one notch of the wheel. */
const NOTCH = 50;

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
    const hit = await judged(this.#observer, pressed);
    await this.#maker.expect(look);
    if (hit.row < 0) return this.#place(gesture);
    const doubts = this.#maker.doubts(look, hit);
    const combo = gesture.count === 1 && gesture.button === "left" ? comboOf(snapshot, hit.row) : -1;
    const opener = this.#opener;
    this.#opener = undefined;
    if (opener?.bus === bus && isItem(snapshot, hit.row)) {
      const own = combo < 0 || snapshot.path(combo) === opener.path;
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
    const { verb, sets, more } = clickActionOf(gesture, snapshot, row, after?.snapshot);
    const path = snapshot.path(row);
    if (row === combo) {
      // Opened and shut again: nothing was done.
      if (opener?.path === path && this.#maker.drop(`open ${path}`)) return;
      this.#opener = { bus, path, target };
      return this.#maker.add(verb, { target, ...more }, hit.sure, { ...doubts, key: `open ${path}` });
    }
    const key = snapshot.has(row, "editable") && !sets ? `click ${bus} ${path}` : undefined;
    this.#maker.add(verb, { target, ...more }, hit.sure, { ...doubts, ...defined({ key }) });
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
    const hit = await judged(this.#observer, pressed);
    await this.#maker.expect(look);
    if (hit.row < 0) return this.#maker.add("drag", places, false);
    const from = this.#maker.targetOf(look.snapshot, hit.row, app);
    const doubts = this.#maker.doubts(look, hit);
    const state = newState(look.snapshot, hit.row, after?.snapshot);
    if (typeof state === "number" && from !== null) {
      return this.#maker.add("set", { target: from, value: state }, hit.sure, doubts);
    }
    const drop = released === pressed ? hit : await judged(this.#observer, released);
    const to = drop.row < 0 || released.look === undefined || drop.row === hit.row
      ? null
      : this.#maker.targetOf(released.look.snapshot, drop.row, app);
    const ends = { from: from ?? places.from, to: to ?? places.to };
    this.#maker.add("drag", ends, hit.sure && drop.sure && from !== null && to !== null, doubts);
  }

  async wheel(gesture: Gesture & { do: "wheel" }, pressed: Press): Promise<void> {
    const { application, look } = pressed;
    if (application === undefined || look === undefined || pressed.own < 0) return;
    const { snapshot } = look;
    this.#observer.dirty(application.bus);
    const after = await this.#observer.atRest(application.bus, gesture.until);
    const app = await this.#maker.nameOf(application);
    await this.#maker.expect(look);
    const hit = await judged(this.#observer, pressed);
    const state = hit.row < 0 ? undefined : newState(snapshot, hit.row, after?.snapshot);
    if (state !== undefined) {
      const target = this.#maker.targetOf(snapshot, hit.row, app);
      return this.#maker.add("set", { target, value: state }, hit.sure && target !== null);
    }
    const target = this.#maker.targetOf(snapshot, hit.row < 0 ? pressed.own : hit.row, app);
    const across = Math.abs(gesture.right) > Math.abs(gesture.down);
    const notches = across ? gesture.right : gesture.down;
    if (notches === 0 || target === null) return;
    const direction = across ? (notches > 0 ? "right" : "left") : notches > 0 ? "down" : "up";
    this.#maker.add("scroll", { target, direction, amount: Math.abs(notches) * NOTCH }, true);
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
