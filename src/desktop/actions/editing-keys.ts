import type { Desktop, Modifier } from "../desktop.ts";

/** The keys of a platform that edit texts and choose among rows. */
export interface EditingKeys {
  readonly selectAll: readonly string[];
  /** To the first and the last place of a text of several lines. */
  readonly top: readonly string[];
  readonly bottom: readonly string[];
  /** To the first and the last place of a line. */
  readonly start: readonly string[];
  readonly end: readonly string[];
  /** Held while a click adds a row to those that are chosen, or lets go of it. */
  readonly more: Modifier;
}

const ELSEWHERE: EditingKeys = {
  selectAll: ["ctrl", "a"],
  top: ["ctrl", "Home"],
  bottom: ["ctrl", "End"],
  start: ["Home"],
  end: ["End"],
  more: "ctrl",
};

/** Apple, "Mac keyboard shortcuts": Home and End scroll there and leave the caret. `super` is the command key. */
const MACOS: EditingKeys = {
  selectAll: ["super", "a"],
  top: ["super", "Up"],
  bottom: ["super", "Down"],
  start: ["super", "Left"],
  end: ["super", "Right"],
  more: "super",
};

/**
 * The keys that edit texts on a desktop.
 *
 * @example
 * ```ts
 * import { editingKeys } from "./editing-keys.ts";
 * const able = { accessibility: true, input: true, pictures: true, clipboard: true, windows: true };
 * const mac = editingKeys({ capabilities: { ...able, display: "macos" } });
 * if (mac.selectAll.join("+") !== "super+a") throw new Error();
 * ```
 */
export function editingKeys({ capabilities }: Pick<Desktop, "capabilities">): EditingKeys {
  return capabilities.display === "macos" ? MACOS : ELSEWHERE;
}
