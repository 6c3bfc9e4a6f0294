import process from "node:process";
import { closest } from "../base/closest.ts";
import { BackstepError } from "../base/error.ts";

/** One key of a keyboard: its canonical name, its X keysym (X11/keysymdef.h), and whether it modifies others. */
export interface Key {
  readonly name: string;
  readonly keysym: number;
  readonly modifier: boolean;
}

/** The key of shortcuts: Command on macOS, which has the keysym of "super" here; Control elsewhere. */
export const COMMAND: "super" | "ctrl" = process.platform === "darwin" ? "super" : "ctrl";
const COMMAND_NAMES = ["cmd", "command"];

/** Canonical name, keysym, further names. Compared without regard to case, "_", "-" and blanks. */
const modifiers: readonly (readonly [name: string, keysym: number, ...others: string[]])[] = [
  ["ctrl", 0xffe3, "control", "control_l", ...(COMMAND === "ctrl" ? COMMAND_NAMES : [])],
  ["shift", 0xffe1, "shift_l"],
  ["alt", 0xffe9, "opt", "option", "alt_l"],
  ["super", 0xffeb, "meta", "win", "windows", "super_l", ...(COMMAND === "super" ? COMMAND_NAMES : [])],
  ["altgr", 0xfe03, "iso_level3_shift"],
];

const named: readonly (readonly [name: string, keysym: number, ...others: string[]])[] = [
  ["Return", 0xff0d, "enter"],
  ["Escape", 0xff1b, "esc"],
  ["Tab", 0xff09],
  ["BackSpace", 0xff08],
  ["Delete", 0xffff, "del"],
  ["Insert", 0xff63, "ins"],
  ["Home", 0xff50],
  ["End", 0xff57],
  ["PageUp", 0xff55, "prior", "pgup"],
  ["PageDown", 0xff56, "next", "pgdn"],
  ["Up", 0xff52, "arrowup"],
  ["Down", 0xff54, "arrowdown"],
  ["Left", 0xff51, "arrowleft"],
  ["Right", 0xff53, "arrowright"],
  ["Space", 0x20, "spacebar"],
  ["Menu", 0xff67, "contextmenu", "apps"],
  ["Print", 0xff61, "printscreen", "sysrq"],
  ["Pause", 0xff13],
  ["CapsLock", 0xffe5],
  ["NumLock", 0xff7f],
  ["ScrollLock", 0xff14],
  ["KP_Enter", 0xff8d, "numpadenter"],
  ["plus", 0x2b],
  ["minus", 0x2d],
  ["comma", 0x2c],
  ["period", 0x2e],
  ["slash", 0x2f],
  ["backslash", 0x5c],
  ["semicolon", 0x3b],
  ["equal", 0x3d, "equals"],
];

const FUNCTION_KEYS = 24;
const F1 = 0xffbe;

function plain(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, "");
}

const existing = new Map<string, Key>();
for (const [table, modifier] of [[modifiers, true], [named, false]] as const) {
  for (const [name, keysym, ...others] of table) {
    for (const alias of [name, ...others]) existing.set(plain(alias), { name, keysym, modifier });
  }
}
for (let n = 1; n <= FUNCTION_KEYS; n++) {
  existing.set(`f${n}`, { name: `F${n}`, keysym: F1 + n - 1, modifier: false });
}

/** Every name that is known, in small letters without "_", "-" and blanks, and its key. */
export const keySpellings: ReadonlyMap<string, Key> = existing;

/** The canonical names of all keys that have one; every single character is a key besides. */
export const keyNames: readonly string[] = [...new Set([...existing.values()].map((key) => key.name))];

/**
 * The key of a name: a letter, digit or any other single character; a named key such as "Return", "PageUp", "F5";
 * a modifier: ctrl (control; cmd where there is no Command), alt (option), shift, super (meta, win; cmd on macOS), altgr. Case does not matter: "A" is the key
 * that types "a"; a capital is `shift+a`.
 *
 * @throws {BackstepError} `invalid`, with the closest names.
 */
export function keyNamed(name: string): Key {
  const characters = [...name];
  if (characters.length === 1) return characterKey(name);
  const key = existing.get(plain(name));
  if (key) return key;
  const near = closest(name.slice(0, 60), keyNames);
  throw new BackstepError(
    "invalid",
    `Cannot press ${JSON.stringify(name.slice(0, 60))}: no key has this name`,
    {
      hint: near.length > 0
        ? `Did you mean ${near.join(", ")}?`
        : "A key is one character or a name such as Return, Escape, PageUp, F5, ctrl, shift.",
      details: { key: name.slice(0, 60), closest: near },
    },
  );
}

function characterKey(character: string): Key {
  const lower = character.toLowerCase();
  // Some capitals have no single small letter (İ): those stay what they are.
  const name = [...lower].length === 1 ? lower : character;
  const code = name.codePointAt(0) ?? 0;
  const special = controlKeys.get(code);
  if (special !== undefined) return keyNamed(special);
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000)) {
    throw new BackstepError(
      "invalid",
      `Cannot press the character U+${code.toString(16).toUpperCase().padStart(4, "0")}: it is no key`,
      { hint: "Use the name of the key, for example Escape." },
    );
  }
  // Latin-1 keysyms equal the code points; the rest of Unicode lies in a range of its own.
  return { name, keysym: code < 0x100 ? code : 0x01000000 + code, modifier: false };
}

const controlKeys: ReadonlyMap<number, string> = new Map([
  [0x08, "BackSpace"],
  [0x09, "Tab"],
  [0x0a, "Return"],
  [0x0d, "Return"],
  [0x1b, "Escape"],
  [0x20, "Space"],
  [0x7f, "Delete"],
]);

const nameOfSpecial: ReadonlyMap<number, string> = new Map(
  [...existing.values()].map(({ keysym, name }) => [keysym, name]),
);

/** The canonical name of the key with this keysym, as `keyNamed` takes it; undefined: it has none. */
export function keyNameOf(keysym: number): string | undefined {
  const special = nameOfSpecial.get(keysym);
  if (special !== undefined) return special;
  const code = keysym >= 0x01000100 && keysym <= 0x0110ffff ? keysym - 0x01000000 : keysym;
  if (code < 0x21 || code > 0x10ffff || (code > 0xff && code === keysym)) return undefined;
  const character = String.fromCodePoint(code);
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? keyNamed(character).name : undefined;
}

/**
 * The keysyms of keys that are pressed together, in the order given.
 *
 * @throws {BackstepError} `invalid`: an unknown key, the same key twice, or none at all.
 */
export function keysymsOf(keys: readonly string[]): number[] {
  const keysyms = keys.map((name) => keyNamed(name).keysym);
  if (keysyms.length === 0) throw new BackstepError("invalid", "Cannot press keys: none is given");
  if (new Set(keysyms).size < keysyms.length) {
    throw new BackstepError("invalid", `Cannot press ${keys.join("+")}: one key is in it twice`, {
      hint: "Press it in two steps, one after the other.",
    });
  }
  return keysyms;
}

/**
 * The keys of a chord such as "ctrl+shift+s", by their canonical names. A plus sign at the end is the plus key:
 * "ctrl++", or "+" alone.
 *
 * @throws {BackstepError} `invalid`: an unknown key, a key missing between two plus signs.
 *
 * @example
 * ```ts
 * import { parseChord } from "./keys.ts";
 * if (parseChord("Control+Shift+S").join(" ") !== "ctrl shift s") throw new Error();
 * ```
 */
export function parseChord(chord: string): string[] {
  const text = chord.trim();
  // Two plus signs at the end are a separator and the plus key.
  const head = text.replace(/\s*\+\s*\+$/, "");
  const names = text === "+" ? ["+"] : head.split("+").map((part) => part.trim());
  if (head !== text) names.push("+");
  if (names.some((name) => name === "")) {
    throw new BackstepError(
      "invalid",
      `Cannot press ${JSON.stringify(chord.slice(0, 60))}: a key is missing`,
      {
        hint: 'Write keys with a plus sign between them, as in "ctrl+shift+s"; "ctrl++" is the plus key.',
      },
    );
  }
  const keys = names.map((name) => keyNamed(name).name);
  keysymsOf(keys);
  return keys;
}
