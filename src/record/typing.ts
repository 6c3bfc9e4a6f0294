import type { KeyInput } from "../desktop/input-events.ts";
import { keyOf } from "./chord.ts";

/** Keys that change a text or the place in it, in a field of any kind. */
const EDITS: ReadonlySet<string> = new Set(["BackSpace", "Delete", "Left", "Right", "Home", "End"]);
/** The same in a field of several lines. */
const EDITS_LINES: ReadonlySet<string> = new Set([...EDITS, "Up", "Down", "PageUp", "PageDown", "Return"]);
/** Chords that change a text: cut, paste, undo, redo, choose all, and words at once. */
const EDITING_CHORD =
  /^ctrl\+(?:shift\+)?(?:a|x|v|z|y|Left|Right|Home|End|BackSpace|Delete)$|^shift\+(?:Left|Right|Home|End|Insert|Delete)$/;

/** Is a key a part of what is typed into a field? Its text tells what came of it. */
export function edits(
  event: Pick<KeyInput, "keysym" | "modifiers">,
  multiLine: boolean,
  chord: string | undefined,
): boolean {
  if (chord === undefined) return false;
  if (event.modifiers.length > 0) return EDITING_CHORD.test(chord);
  const key = keyOf(event.keysym) ?? "";
  return (multiLine ? EDITS_LINES : EDITS).has(key);
}
