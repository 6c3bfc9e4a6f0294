import { pause } from "../../src/base/call.ts";
import type { Injector } from "./injector.ts";

/** Milliseconds between what one hand does: pointing and pressing, pressing and letting go, two keys. */
const AIM = 60;
const HOLD = 40;
const KEY = 25;
/** Between the clicks of a double click. */
const AGAIN = 80;
/** Milliseconds between two notches of the wheel, and its buttons. */
const NOTCH = 60;
const WHEEL_UP = 4;
const WHEEL_DOWN = 5;
/** Over what a drag ends on, which has to say first that it takes it. */
const DROPS = 400;
/** Steps of a drag. */
const STEPS = 8;

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A person in front of a display, by a second X client. */
export class Person {
  readonly #injector: Injector;

  constructor(injector: Injector) {
    this.#injector = injector;
  }

  async click({ x, y }: Place, button = 1, count = 1): Promise<void> {
    await this.#injector.move(x, y);
    await pause(AIM);
    for (let n = 0; n < count; n++) {
      if (n > 0) await pause(AGAIN);
      await this.#injector.down(button);
      await pause(HOLD);
      await this.#injector.up(button);
    }
  }

  async drag(from: Place, to: Place): Promise<void> {
    await this.#injector.move(from.x, from.y);
    await pause(AIM);
    await this.#injector.down(1);
    for (let n = 1; n <= STEPS; n++) {
      await pause(KEY);
      await this.#injector.move(from.x + (to.x - from.x) * n / STEPS, from.y + (to.y - from.y) * n / STEPS);
    }
    await pause(DROPS);
    await this.#injector.up(1);
  }

  /** Turns the wheel; down is positive. */
  async wheel({ x, y }: Place, notches: number): Promise<void> {
    await this.#injector.move(x, y);
    await pause(AIM);
    const button = notches > 0 ? WHEEL_DOWN : WHEEL_UP;
    for (let n = 0; n < Math.abs(notches); n++) {
      await this.#injector.down(button);
      await this.#injector.up(button);
      await pause(NOTCH);
    }
  }

  /** Holds a key while something else is done. */
  async holding(keysym: number, action: () => Promise<void>): Promise<void> {
    await this.#injector.key(keysym, true);
    await pause(KEY);
    await action();
    await pause(KEY);
    await this.#injector.key(keysym, false);
  }

  /** A key while another is held. */
  chord(held: number, keysym: number): Promise<void> {
    return this.holding(held, () => this.key(keysym));
  }

  /** Small letters, digits and blanks. */
  async type(text: string): Promise<void> {
    for (const character of text) {
      await this.key(character.charCodeAt(0));
    }
  }

  async key(keysym: number): Promise<void> {
    await this.#injector.key(keysym, true);
    await this.#injector.key(keysym, false);
    await pause(KEY);
  }
}
