import { BackstepError } from "../base/error.ts";

/** What people write for the modifiers. */
const MODIFIERS: ReadonlyMap<string, string> = new Map([
  ["control", "ctrl"],
  ["ctrl", "ctrl"],
  ["shift", "shift"],
  ["alt", "alt"],
  ["opt", "alt"],
  ["option", "alt"],
  ["super", "super"],
  ["meta", "super"],
  ["cmd", "super"],
  ["command", "super"],
  ["win", "super"],
]);

/**
 * Reads "ctrl+s", "ctrl+shift+Tab", "Escape", "ctrl++", and several of them with spaces between, as chords in order.
 * Throws `invalid` for an empty part.
 *
 * @example
 * ```ts
 * import { parseKeys } from "./keys.ts";
 * if (parseKeys("ctrl+k ctrl++").join(" ") !== "ctrl,k ctrl,+") throw new Error();
 * ```
 */
export function parseKeys(keys: string): string[][] {
  const chords = keys.split(/\s+/).filter((chord) => chord !== "").map((chord) => parseChord(chord, keys));
  if (chords.length > 0) return chords;
  throw new BackstepError("invalid", `Cannot press ${JSON.stringify(keys)}: it names no key`, {
    hint: 'Write keys as "ctrl+s", "Escape" or "space".',
  });
}

function parseChord(chord: string, keys: string): string[] {
  const plus = chord === "+" || chord.endsWith("++");
  const parts = (plus ? chord.slice(0, -1).replace(/\+$/, "") : chord).split("+");
  const names = plus ? [...parts.filter((part) => part !== ""), "+"] : parts;
  if (names.some((name) => name === "")) {
    throw new BackstepError("invalid", `Cannot press ${JSON.stringify(keys)}: "${chord}" lacks a key`, {
      hint: 'Write keys as "ctrl+s"; the plus key is "ctrl++".',
    });
  }
  return names.map((name, k) => k < names.length - 1 ? MODIFIERS.get(name.toLowerCase()) ?? name : name);
}
