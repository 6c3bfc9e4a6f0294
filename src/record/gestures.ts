import type { Modifier } from "../desktop/desktop.ts";
import type { ButtonInput, KeyInput, WheelInput } from "../desktop/input-events.ts";

/** A place of the screen, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Which button of the pointer. */
export type Button = "left" | "middle" | "right";

/** What acts are made of: an input event whose `time` is that of `performance.now()`. */
export type Heard = ButtonInput | WheelInput | KeyInput | { readonly what: "text"; readonly time: number };

/** What a person did, as one act. Times are milliseconds of `performance.now()`, from its first event to its last. */
export type Gesture = GestureBody & { readonly from: number; readonly until: number };

type GestureBody =
  | {
    readonly do: "click";
    readonly button: Button;
    readonly at: Point;
    readonly count: 1 | 2 | 3;
    readonly modifiers: readonly Modifier[];
  }
  | {
    readonly do: "drag";
    readonly button: Button;
    readonly at: Point;
    readonly to: Point;
    readonly modifiers: readonly Modifier[];
  }
  /** Notches; down and right are positive. */
  | {
    readonly do: "wheel";
    readonly at: Point;
    readonly right: number;
    readonly down: number;
    readonly modifiers: readonly Modifier[];
  }
  | { readonly do: "key"; readonly keysym: number; readonly modifiers: readonly Modifier[] }
  /** Keys that type: which ones is not known. */
  | { readonly do: "typing"; readonly keys: number };

/** Milliseconds within which another press makes a double click. */
export const DOUBLE = 400;
/** Milliseconds without another notch that end a turn of the wheel. */
export const WHEEL_ENDS = 250;
/** Milliseconds without another key that end a run of typing. */
export const TYPING_ENDS = 500;
/** Pixels that a pointer moves during a click. */
const STILL = 8;

const BUTTONS: ReadonlySet<string> = new Set<Button>(["left", "middle", "right"]);

type Press = ButtonInput;
type Click = Gesture & { do: "click" };

/**
 * Makes acts out of single events: clicks that follow each other at one place are one click, notches of the wheel one turn,
 * keys that type one run. What may still grow is held until something else happens or its time is over.
 */
export class Gestures {
  #down: Press | undefined;
  #held: Gesture | undefined;

  /** Takes one event; answers the acts that are complete with it. */
  push(event: Heard): Gesture[] {
    switch (event.what) {
      case "button":
        return event.down ? this.#press(event) : this.#release(event);
      case "wheel":
        return this.#wheel(event);
      case "key":
        return [...this.flush(), {
          do: "key",
          keysym: event.keysym,
          modifiers: event.modifiers,
          from: event.time,
          until: event.time,
        }];
      case "text":
        return this.#text(event.time);
    }
  }

  /** A text is being typed. */
  get typing(): boolean {
    return this.#held?.do === "typing";
  }

  /** A button is held down. */
  get pressed(): boolean {
    return this.#down !== undefined;
  }

  /** A button that is held was let go unseen. */
  forget(): void {
    this.#down = undefined;
  }

  /** When what is held is over if nothing else comes, in milliseconds of `performance.now()`; undefined: nothing is held. */
  get due(): number | undefined {
    const held = this.#held;
    if (held === undefined || this.#down !== undefined) return undefined;
    return held.until + (held.do === "click" ? DOUBLE : held.do === "wheel" ? WHEEL_ENDS : TYPING_ENDS);
  }

  /** What is held and complete by this time. */
  flushDue(now: number): Gesture[] {
    return this.due !== undefined && now >= this.due ? this.flush() : [];
  }

  /** Everything that is held, since nothing more is to come. */
  flush(): Gesture[] {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined ? [] : [held];
  }

  #press(event: Press): Gesture[] {
    const grows = this.#held?.do === "click" && continues(this.#held, event);
    const before = grows ? [] : this.flush();
    // A second button during a drag belongs to it.
    this.#down ??= event;
    return before;
  }

  #release(event: Press): Gesture[] {
    const down = this.#down;
    // Pressed before the recording began, or another button than the one that is held.
    if (down === undefined || down.button !== event.button) return [];
    this.#down = undefined;
    const { button } = down;
    // What goes back and forward in a browser has no step.
    if (!isButton(button)) return this.flush();
    const at = { x: down.x, y: down.y };
    const shared = { button, at, modifiers: down.modifiers, from: down.time, until: event.time };
    if (!near(down, event)) {
      return [...this.flush(), { ...shared, do: "drag", to: { x: event.x, y: event.y } }];
    }
    const held = this.#held;
    if (held?.do === "click" && continues(held, down)) {
      const count = held.count === 1 ? 2 : 3;
      const grown: Click = { ...held, count, until: event.time };
      this.#held = grown;
      return count === 3 ? this.flush() : [];
    }
    const before = this.flush();
    this.#held = { ...shared, do: "click", count: 1 };
    return before;
  }

  #wheel(event: WheelInput): Gesture[] {
    const { x, y, right, down, modifiers, time } = event;
    const held = this.#held;
    if (held?.do === "wheel" && near(held.at, event) && time - held.until <= WHEEL_ENDS) {
      this.#held = { ...held, right: held.right + right, down: held.down + down, until: time };
      return [];
    }
    const before = this.flush();
    this.#held = { do: "wheel", at: { x, y }, right, down, modifiers, from: time, until: time };
    return before;
  }

  #text(time: number): Gesture[] {
    const held = this.#held;
    if (held?.do === "typing" && time - held.until <= TYPING_ENDS) {
      this.#held = { ...held, keys: held.keys + 1, until: time };
      return [];
    }
    const before = this.flush();
    this.#held = { do: "typing", keys: 1, from: time, until: time };
    return before;
  }
}

function isButton(button: string): button is Button {
  return BUTTONS.has(button);
}

function near(a: Point, b: Point): boolean {
  return Math.abs(a.x - b.x) <= STILL && Math.abs(a.y - b.y) <= STILL;
}

/** Does this press make one more of the same click? */
function continues(click: Click, press: Press): boolean {
  return click.count < 3 && press.button === click.button && near(click.at, press) &&
    press.time - click.from <= DOUBLE * click.count &&
    click.modifiers.join() === press.modifiers.join();
}
