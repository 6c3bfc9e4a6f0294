import type { Reading } from "../element.ts";

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

/** The name of an action as toolkits have it in common: small letters, and AXPress of macOS is "press". */
export function actionWord(name: string): string {
  return (/^AX[A-Z][A-Za-z]*$/.test(name) ? name.slice(2) : name).toLowerCase();
}

/** How the method is called in results. */
export function actionMethod(name: string): string {
  return `Action.DoAction(${name})`;
}
