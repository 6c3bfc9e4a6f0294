import type { Call } from "../base/call.ts";

/** A key that is held while something else is done. */
export type Modifier = "ctrl" | "shift" | "alt" | "super";

/** Something that a person did with keyboard or pointer. Which key typed a text is never known. */
export type InputEvent = ButtonInput | WheelInput | KeyInput | TextInput | RestInput;

/** When something happened, and at which place of the screen. */
export interface PlacedInput {
  /** Screen pixels. */
  readonly x: number;
  /** Screen pixels. */
  readonly y: number;
  /** The pointer went on before its place could be asked: the place may be some pixels late. */
  readonly moved?: true;
  /** Keys that were held. */
  readonly modifiers: readonly Modifier[];
  /** Milliseconds of the display's own clock. */
  readonly time: number;
}

/** A button of the pointer went down, or came up. */
export interface ButtonInput extends PlacedInput {
  /** A button of the pointer. */
  readonly what: "button";
  /** False: it came up. */
  readonly down: boolean;
  /** As it is mapped: of swapped buttons the one that acts as "left" is "left". */
  readonly button: "left" | "middle" | "right" | "back" | "forward";
}

/** The wheel was turned by a notch; down and right are positive. */
export interface WheelInput extends PlacedInput {
  /** The wheel. */
  readonly what: "wheel";
  /** 1, 0, or -1 to the left. */
  readonly right: number;
  /** 1, 0, or -1 upwards. */
  readonly down: number;
}

/** A key that types nothing was pressed, or any key with ctrl, alt or super; once more for each time it repeats while held. */
export interface KeyInput {
  /** A key that types nothing, or a chord. */
  readonly what: "key";
  /** X keysym of the key, as it is without Shift. */
  readonly keysym: number;
  /** Its name, as `pressKeys` takes it; absent: it has none there. */
  readonly name?: string;
  /** Keys that were held. */
  readonly modifiers: readonly Modifier[];
  /** Milliseconds of the display's own clock. */
  readonly time: number;
}

/** A key that types, or may, was pressed. Which one is never known: what was typed stands in the field. */
export interface TextInput {
  /** A key that types. */
  readonly what: "text";
  /** Milliseconds of the display's own clock. */
  readonly time: number;
}

/** The pointer was moved, and has stood still there for 50 ms. */
export interface RestInput extends PlacedInput {
  /** The pointer stands still. */
  readonly what: "rest";
}

/** What others than this desktop do with keyboard and pointer, one thing after another. */
export interface InputRecording {
  /**
   * Resolves with "event" as soon as anything was done since the last call, "lost" when some of it could not be kept, or
   * "timeout". Throws `cancelled` when the signal fires or the recording is closed.
   */
  next(call: Call): Promise<"event" | "lost" | "timeout">;
  /** What was done since the last call, in order, bounded; empty after "lost". */
  take(): readonly InputEvent[];
  /** Ends the recording; a `next` that waits ends with it. */
  close(): Promise<void>;
}
