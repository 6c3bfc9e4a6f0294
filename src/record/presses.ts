import type { Desktop } from "../desktop/desktop.ts";
import type { ButtonInput, RestInput, WheelInput } from "../desktop/input-events.ts";
import { WHEEL_ENDS } from "./gestures.ts";
import type { Observer } from "./observer.ts";
import { notePress, type Press, type Rest, rest } from "./press.ts";

/** Presses that are kept. */
const PRESSES = 16;
/** Pixels that a pointer moves during a click. */
const STILL = 8;

/** What was known of the last presses at the moment that each came. */
export class Presses {
  readonly #desktop: Desktop;
  readonly #observer: Observer;
  readonly #presses: Press[] = [];
  /** When the wheel was turned last. */
  #wheeled = -Infinity;
  #rest: Rest | undefined;

  constructor(desktop: Desktop, observer: Observer) {
    this.#desktop = desktop;
    this.#observer = observer;
  }

  /** The pointer rests. */
  rests(event: RestInput): void {
    this.#rest = rest(this.#desktop, this.#observer, event, event.time);
  }

  /** A button or the wheel was used; where it is let go counts only when that is elsewhere. */
  note(event: ButtonInput | WheelInput): void {
    const last = this.#presses.at(-1);
    const same = last !== undefined && Math.abs(last.point.x - event.x) <= STILL &&
      Math.abs(last.point.y - event.y) <= STILL;
    const turns = event.what === "wheel" && event.time - this.#wheeled <= WHEEL_ENDS;
    if (event.what === "wheel") this.#wheeled = event.time;
    if (same && (event.what === "wheel" ? turns : !event.down)) return;
    const windows = event.what === "button" && !event.down ? last?.windows : undefined;
    this.#presses.push(
      notePress(this.#desktop, this.#observer, event, event.time, this.#rest, windows),
    );
    this.#presses.splice(0, Math.max(0, this.#presses.length - PRESSES));
  }

  /** The last one that had come by then. */
  at(wanted: number): Press | undefined {
    return this.#presses.findLast(({ time }) => time <= wanted);
  }
}
