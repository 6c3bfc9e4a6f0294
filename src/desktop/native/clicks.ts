import { type Call, pause } from "../../base/call.ts";
import type { Gesture } from "../desktop.ts";
import type { ClickNotes, Done } from "./click-notes.ts";

/** Milliseconds within which toolkits take two clicks for a double click: GTK and Qt 400, Chromium 500. */
const DOUBLE = 500;
/** Pixels within which they do; GTK and Qt 5, twice as many at twice the size. */
const NEAR = 12;

/**
 * Keeps one click from being taken for the second half of a double click with an earlier one: the same button, at about the
 * same place, within half a second, whatever was clicked elsewhere meanwhile, since GTK counts the clicks of each list for
 * itself. Only time distinguishes the two, so that it is waited for, and only there. A double click waits wherever the one
 * before was: GTK's lists take none that begins while they may still wait for another's second half. What others clicked on the same
 * desktop counts, as far as they leave notes.
 */
export class Clicks {
  #recent: Done[] = [];
  /** When a window was moved last: what was clicked before may lie elsewhere by now. */
  #moved = -Infinity;
  readonly #notes: ClickNotes | undefined;

  constructor(notes?: ClickNotes) {
    this.#notes = notes;
  }

  /** Resolves when a gesture can begin. */
  async ready(gesture: Gesture, { signal }: Call = {}): Promise<void> {
    if (gesture.do !== "click" && gesture.do !== "drag") return;
    if (gesture.do === "click" && gesture.again === true) return;
    const wide = gesture.do === "click" && gesture.count > 1;
    const joined = [...this.#notes?.read() ?? [], ...this.#recent].filter(({ x, y, button, at }) =>
      button === gesture.button &&
      (wide || at < this.#moved || Math.abs(gesture.x - x) <= NEAR && Math.abs(gesture.y - y) <= NEAR)
    );
    const left = Math.max(...joined.map(({ at }) => at)) + DOUBLE - performance.now();
    if (left > 0) await pause(left, signal);
  }

  /** A window was moved or resized: toolkits count clicks by their place in it. */
  moved(): void {
    this.#moved = performance.now();
  }

  /** A gesture was done. */
  done(gesture: Gesture): void {
    if (gesture.do !== "click") return;
    const { x, y, button } = gesture, at = performance.now();
    this.#recent = this.#recent.filter((one) => at - one.at < DOUBLE);
    this.#recent.push({ x, y, button, at });
    this.#notes?.add({ x, y, button, at });
  }
}
