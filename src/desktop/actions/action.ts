import type { Reading } from "../element.ts";

/**
 * The word of an action that this code compares: in small letters, since toolkits differ there ("click", "Click"), and without
 * the "AX" of macOS ("AXPress" is "press").
 *
 * @example
 * ```ts
 * import { actionWord } from "./action.ts";
 * if (actionWord("AXShowMenu") !== "showmenu" || actionWord("Axis") !== "axis") throw new Error();
 * ```
 */
export function actionWord(name: string): string {
  return name.replace(/^AX(?=[A-Z])/, "").toLowerCase();
}

/**
 * The first of `wanted` that an element offers, as the element spells it. Names differ in case between toolkits
 * ("click", "Click", "Toggle"), and some say "press" in several words.
 */
export function actionNamed(reading: Reading, wanted: readonly string[]): string | undefined {
  for (const want of wanted) {
    const found = reading.actions.find((name) => actionWord(name) === want);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How the method is called in results. */
export function actionMethod(name: string): string {
  return `Action.DoAction(${name})`;
}
