import { type Call, pause } from "../../base/call.ts";
import type { Gesture } from "../desktop.ts";

/** Milliseconds within which toolkits take two clicks for a double click: GTK and Qt 400, Chromium 500. */
const DOUBLE = 500;
/** Pixels within which they do; GTK and Qt 5, twice as many at twice the size. */
const NEAR = 12;

/**
 * Keeps one click from being taken for the second half of a double click with the one before: the same button, at about
 * the same place, within half a second. Only time distinguishes the two, so that it is waited for, and only there. A double
 * click waits wherever the one before was: GTK's lists take none that begins while they may still wait for another's second half.
 */
export class Clicks {
  #last: { readonly x: number; readonly y: number; readonly button: string; readonly at: number } | undefined;

  /** Resolves when a gesture can begin. */
  async ready(gesture: Gesture, { signal }: Call = {}): Promise<void> {
    const last = this.#last;
    if (last === undefined || (gesture.do !== "click" && gesture.do !== "drag")) return;
    if (gesture.do === "click" && gesture.again === true) return;
    const far = Math.abs(gesture.x - last.x) > NEAR || Math.abs(gesture.y - last.y) > NEAR;
    const apart = far && !(gesture.do === "click" && gesture.count > 1);
    const left = last.at + DOUBLE - performance.now();
    if (!apart && gesture.button === last.button && left > 0) await pause(left, signal);
  }

  /** A gesture was done. */
  done(gesture: Gesture): void {
    if (gesture.do !== "click") return;
    const { x, y, button } = gesture;
    this.#last = { x, y, button, at: performance.now() };
  }
}
