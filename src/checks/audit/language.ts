const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/**
 * Is it the tag of a language that there is: well-formed by BCP 47, with a primary language of the registry?
 *
 * @example
 * ```ts
 * import { isLanguage } from "./language.ts";
 * if (!isLanguage("de-AT") || isLanguage("english") || isLanguage("xx") || isLanguage("")) throw new Error();
 * ```
 */
export function isLanguage(tag: string): boolean {
  try {
    const { language } = new Intl.Locale(tag);
    return names.of(language) !== undefined;
  } catch (thrown) {
    if (thrown instanceof RangeError) return false;
    throw thrown;
  }
}
