import { keyNamed, keySpellings } from "../../src/desktop/keys.ts";

/** X keysyms that do what the element with the focus is for: Return, Enter of the number pad, space. */
const CONFIRMING: ReadonlySet<number> = new Set([
  ...[0xff0d, 0xff8d, 0x20],
  // Linefeed, Tab and Space of the number pad, ISO_Enter, 3270_Enter: should they get names.
  ...[0xff0a, 0xff80, 0xfe34, 0xfd1e],
]);

/** How a name can be written otherwise, which the resolver may take or not. */
const VARIANTS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => [...name].map((one, k) => k % 2 ? one.toUpperCase() : one.toLowerCase()).join(""),
  (name) => `${name.slice(0, 2)}-${name.slice(2)}`,
  (name) => `${name.slice(0, 2)}_${name.slice(2)}`,
  (name) => name.replaceAll("_", "-"),
  (name) => name.replaceAll("_", ""),
  (name) => `_${name}_`,
];

function taken(name: string): number | undefined {
  try {
    return keyNamed(name).keysym;
  } catch {
    // What the resolver does not know is no key.
    return undefined;
  }
}

/** Every name that the resolver takes for one of the keys, as it stands in its table and otherwise spelt. */
function spelt(wanted: (keysym: number) => boolean, variants: typeof VARIANTS): string[] {
  const found = [...keySpellings].filter(([, { keysym }]) => wanted(keysym)).flatMap((
    [alias, { name, keysym }],
  ) =>
    [name, alias].flatMap((one) =>
      variants.map((variant) => variant(one)).filter((text) => taken(text) === keysym)
    )
  );
  return [...new Set(found)];
}

/** All spellings of keys that confirm. */
export const CONFIRMING_KEYS: readonly string[] = spelt((keysym) => CONFIRMING.has(keysym), VARIANTS);

/** Their names as the table has them. */
export const CONFIRMING_NAMES: readonly string[] = spelt((keysym) => CONFIRMING.has(keysym), [
  (name) => name,
]);

/** Keys that type something, whatever has the focus; that lock; that a browser or a desktop takes for itself. */
const APART = /^(F\d+|(Caps|Num|Scroll)Lock|Print|plus|minus|comma|period|slash|backslash|semicolon|equal)$/;

/** Every other key that has a name, once: should one do what the control with the focus is for, its twin says so. */
export const OTHER_KEYS: readonly string[] = [
  ...new Set(
    [...keySpellings.values()].filter(({ keysym, modifier }) => !modifier && !CONFIRMING.has(keysym))
      .map(({ name }) => name).filter((name) => !APART.test(name)),
  ),
];

/** Chords and sequences that end in a key that confirms, with the keys on the control itself. */
export const CHORDS: readonly string[] = [
  "shift+Return",
  "ctrl+Return",
  "alt+Return",
  "shift+space",
  "ctrl+space",
  "ctrl+KP_Enter",
  "shift+sp_ace",
  "Shift_L Return",
  "Return Return",
  "F15 spacebar",
  "shift+Tab Tab space",
];
