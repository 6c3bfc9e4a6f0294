import { keyNameOf } from "../desktop/keys.ts";
import type { Modifier } from "../desktop/desktop.ts";

/** Keysyms that mean the same key: left tab with shift, keys of the number pad. */
const SAME: ReadonlyMap<number, number> = new Map([
  [0xfe20, 0xff09],
  [0xff8d, 0xff0d],
  [0xff95, 0xff50],
  [0xff96, 0xff51],
  [0xff97, 0xff52],
  [0xff98, 0xff53],
  [0xff99, 0xff54],
  [0xff9a, 0xff55],
  [0xff9b, 0xff56],
  [0xff9c, 0xff57],
  [0xff9e, 0xff63],
  [0xff9f, 0xffff],
]);
/** The name of a key by its keysym, as `press` takes it; undefined: it has none. */
export function keyOf(keysym: number): string | undefined {
  return keyNameOf(SAME.get(keysym) ?? keysym);
}

/** Keys pressed together as `press` takes them: "ctrl+shift+s"; undefined: the key has no name. */
export function chordOf(keysym: number, modifiers: readonly Modifier[]): string | undefined {
  const key = keyOf(keysym);
  if (key === undefined) return undefined;
  const order: readonly Modifier[] = ["ctrl", "alt", "shift", "super"];
  return [...order.filter((one) => modifiers.includes(one)), key === "plus" ? "+" : key].join("+");
}
