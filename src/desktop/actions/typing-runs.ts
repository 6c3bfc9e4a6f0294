/** Keys that the core's keymap on Wayland has for characters. */
const KEYS = 47;
/** Characters that have keys of their own. */
const KEPT: ReadonlySet<string> = new Set(["\n", "\t"]);

/**
 * A text in parts that one keymap of the core has the characters of.
 *
 * @example
 * ```ts
 * import { typingRuns } from "./typing-runs.ts";
 * const parts = typingRuns("a".repeat(100));
 * if (parts.length !== 1) throw new Error(`${parts.length} parts of one character`);
 * ```
 */
export function typingRuns(text: string): string[] {
  const runs: string[] = [];
  let run = "", used = new Set<string>();
  for (const character of text) {
    if (!KEPT.has(character) && !used.has(character) && used.size === KEYS) {
      runs.push(run);
      run = "";
      used = new Set();
    }
    if (!KEPT.has(character)) used.add(character);
    run += character;
  }
  return run === "" ? runs : [...runs, run];
}
