import { toBackstepError } from "../../base/error.ts";
import { type Platform, platformOf } from "../../base/platform.ts";
import { keyNamed } from "../../desktop/keys.ts";

/** A chord by what its keys resolve to, however they were written. */
export interface Chord {
  /** "ctrl+shift+d": modifiers in a fixed order, then the other keys. */
  readonly text: string;
  /** Modifiers other than shift: what makes a shortcut of a key. */
  readonly commands: boolean;
  /** The one key that modifies nothing; "" where there is none, or several. */
  readonly key: string;
  /** The character that it types, small; "" for keys that have a name. */
  readonly character: string;
}

const ORDER = ["ctrl", "alt", "altgr", "shift", "super"];
/** What else does what Return does. */
const SAME: ReadonlyMap<string, string> = new Map([["KP_Enter", "Return"]]);

/**
 * Reads a chord as the desktop presses it. Throws `invalid` for a key that there is not.
 *
 * @example
 * ```ts
 * import { chordOf } from "./chord.ts";
 * if (chordOf(["sp_ace"]).key !== "Space" || chordOf(["numpadenter"]).key !== "Return") throw new Error();
 * if (chordOf(["Shift", "control", "D"]).text !== "ctrl+shift+d") throw new Error();
 * ```
 */
export function chordOf(keys: readonly string[]): Chord {
  const pressed = keys.map(keyNamed);
  const held = new Set(pressed.filter(({ modifier }) => modifier).map(({ name }) => name));
  const others = pressed.filter(({ modifier }) => !modifier).map(({ name }) => SAME.get(name) ?? name);
  const [only = ""] = others;
  const key = others.length === 1 ? only : "";
  return {
    text: [...ORDER.filter((modifier) => held.has(modifier)), ...others].join("+"),
    commands: ["ctrl", "alt", "super"].some((modifier) => held.has(modifier)),
    key,
    character: [...key].length === 1 ? key : CHARACTERS.get(key) ?? "",
  };
}

/** Keys with a name that type a character. */
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["plus", "+"],
  ["minus", "-"],
  ["comma", ","],
  ["period", "."],
  ["slash", "/"],
  ["backslash", "\\"],
  ["semicolon", ";"],
  ["equal", "="],
]);

const HELD = /<(\w+)>/g;
const NAMES: ReadonlyMap<string, string> = new Map([
  ["primary", "ctrl"],
  ["control", "ctrl"],
  ["ctl", "ctrl"],
  ["mod1", "alt"],
  ["mod4", "super"],
]);

/** How toolkits write the keys of an action: the mnemonic within an open menu, and what works everywhere. */
export interface Bindings {
  readonly mnemonic: string | undefined;
  /** As `Chord.text` has them. */
  readonly chords: readonly string[];
}

/**
 * Reads "d;<Alt>f:d;<Primary>d" (ATK: mnemonic, way through the menus, shortcut), "<Alt>s", "Ctrl+D". What cannot be read is
 * left out.
 */
export function bindingsOf(keys: string): Bindings {
  const chords: string[] = [];
  let mnemonic: string | undefined;
  for (const part of keys.split(";").map((text) => text.trim())) {
    if (part === "" || (part.includes(":") && part.length > 1)) continue;
    const chord = readBinding(part);
    if (chord === undefined) continue;
    if (chord.commands || [...chord.key].length !== 1) chords.push(chord.text);
    else mnemonic ??= chord.key;
    // ATK tells a mnemonic of a button as "<Alt>s".
    if (/^alt\+.$/u.test(chord.text)) mnemonic ??= chord.key;
  }
  return { mnemonic, chords };
}

function readBinding(text: string): Chord | undefined {
  const held = [...text.matchAll(HELD)].map(([, name = ""]) => name.toLowerCase());
  const rest = text.replace(HELD, "");
  const names = held.length > 0 || rest === "+" ? [rest] : rest.split("+").map((name) => name.trim());
  try {
    return chordOf([...held.map((name) => NAMES.get(name) ?? name), ...names.filter((name) => name !== "")]);
  } catch (thrown) {
    if (toBackstepError(thrown).code !== "invalid") throw thrown;
    return undefined; // a key of theirs that we do not press
  }
}

const WORDS = (text: string) => new Set(text.split(" "));
/** Keys that go elsewhere, close what is open or show something; with shift, they select. */
const MOVES = WORDS("Tab Escape Up Down Left Right Home End PageUp PageDown Insert Menu Print F1 F10");
/** Conventional everywhere: copy, select all, find, zoom, go to another tab or place. */
const CONVENTIONAL = WORDS(
  "ctrl+c ctrl+a ctrl+f ctrl+g ctrl+shift+g ctrl+Insert ctrl+plus ctrl+minus ctrl+equal ctrl+0 ctrl+Tab ctrl+shift+Tab " +
    "ctrl+Home ctrl+End ctrl+Up ctrl+Down ctrl+Left ctrl+Right ctrl+PageUp ctrl+PageDown ctrl+shift+Home ctrl+shift+End " +
    "ctrl+shift+Up ctrl+shift+Down ctrl+shift+Left ctrl+shift+Right alt+Left alt+Right alt+Up alt+Down",
);
/** In what is typed into: cut, paste, undo, delete a word, bold. */
const IN_TEXT = WORDS(
  "ctrl+x ctrl+v ctrl+z ctrl+shift+z ctrl+y ctrl+b ctrl+i ctrl+u shift+Insert shift+Delete ctrl+Delete ctrl+BackSpace " +
    "Delete BackSpace shift+BackSpace shift+Tab ctrl+shift+v",
);
/** What types a character, or changes how the next ones are typed. */
const LOCKS = WORDS("CapsLock NumLock ScrollLock Pause");

/** Is it harmless by convention, where nothing says otherwise? `typing`: what has the keys is typed into. */
export function isConventional(
  { text: written, key, character, commands }: Chord,
  typing: boolean,
  platform: Platform = platformOf(),
): boolean {
  // On macOS the command key does what the control key does elsewhere.
  const isCommand = platform === "macos" && written.includes("super+");
  const text = isCommand ? `ctrl+${written.replace("super+", "")}` : written;
  if (typing && IN_TEXT.has(text)) return true;
  if (commands) return CONVENTIONAL.has(text);
  if (key === "") return !written.includes("super") && !written.includes("+"); // a modifier alone
  return MOVES.has(key) || LOCKS.has(key) || character !== "" || key === "Space";
}
