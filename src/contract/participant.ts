import type { Call } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import { isList } from "../base/json.ts";
import type { Application, Desktop, ElementRef, ReadCall } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";

/**
 * The protected properties of a participant at one moment. Equal images mean: as it was. The content of a password
 * field is never in one; `unrestorable` names what cannot be restored, and why. What is `incidental` (a caret) is
 * restored as far as it goes and never compared: toolkits move it by themselves when focus changes.
 */
export interface Image {
  /** What is compared: equal before and after means restored. */
  readonly properties: { readonly [property: string]: Json };
  /** What is restored as far as it goes, and never compared. */
  readonly incidental?: { readonly [property: string]: Json };
  /** By property, why it cannot be restored. */
  readonly unrestorable?: { readonly [property: string]: string };
  /** A password field: what is written into it must not be written down either. */
  readonly secure?: true;
}

/** What was written back as far as it can be. */
export interface PartlyRestored {
  /** The method used. */
  readonly method: string;
  /** By what it is, why it could not be restored; empty: all was. */
  readonly left: { readonly [property: string]: string };
}

/** What an element is drawn in, and goes away with. */
export interface Surface {
  /** Whose it is. */
  readonly application: Application;
  /** The window, dialog or menu itself, as it was when the element was found. */
  readonly element: ElementRef;
  /** For people. */
  readonly word: "window" | "dialog" | "menu";
}

/**
 * A thing that can be protected: its state captured, written back, and read again. One file in `src/participants/` is
 * one kind. The engine decides when and whether; a participant only knows how.
 */
export interface Participant {
  /** "text", "toggle", "clipboard"… */
  readonly kind: string;
  /** Unique within a run: two steps that touch the same thing enrol it once. */
  readonly key: string;
  /** For people: `text of textfield "Name"`. */
  readonly label: string;
  /**
   * It may change after the action's answer (a file that an application saves): what is seen to have changed until the next
   * action counts as the action's own, not as somebody else's.
   */
  readonly late?: true;
  /**
   * What answers for it may answer from a copy: a browser does while its page sleeps. That it reads as before is then no
   * proof that an action of which nothing came did nothing: it may still come.
   */
  readonly copied?: true;
  /** What it is drawn in: it cannot be read any more when that is closed. */
  readonly surface?: Surface;
  /**
   * How it found others, by their keys, that its action may change although it does not enrol them: of toggle buttons of which
   * one is always on, the one that was. A later step that enrols one of these finds it changed.
   */
  readonly beside?: ReadonlyMap<string, Image>;
  /** To be read it may have to be moved into view: it is not read while others are. */
  readonly moves?: true;
  /**
   * Rows of the elements whose state this is in a snapshot, -1 for each that does not stand in it; none: it is of another
   * application. Absent: its label alone names them.
   */
  rowsIn?(snapshot: Snapshot): readonly number[];
  /**
   * Reads the state as it is now; with `recent` as it was read a moment ago. Throws when the thing is gone or does not
   * answer.
   */
  capture(desktop: Desktop, call: ReadCall): Promise<Image>;
  /** Is it as an action left it, so that nobody else changed it since? Default: all properties are equal. */
  isAsLeft?(left: Image, now: Image): boolean;
  /** Writes a captured state back; resolves when the platform accepted it. The engine reads back. Answers the method used. */
  restore(image: Image, desktop: Desktop, call: Call): Promise<string | PartlyRestored>;
  /** What the journal keeps so that another process can find it again: locators and fingerprints, never an address alone. */
  describe(): Json;
}

/** One property that is not as it was. */
export interface Difference {
  /** Its label: `text of textfield "Name"`. */
  readonly participant: string;
  /** "text", "checked"… */
  readonly property: string;
  /** As it was captured. */
  readonly expected: Json;
  /** As it was read back; null: it is not there. */
  readonly actual: Json;
  /** It was read back as expected, and changed after that without an action of the run. */
  readonly afterwards?: true;
}

/** The properties in which two images differ, in the order of their names. */
export function differences(label: string, expected: Image, actual: Image): Difference[] {
  const names = new Set([...Object.keys(expected.properties), ...Object.keys(actual.properties)]);
  const found: Difference[] = [];
  for (const property of [...names].sort()) {
    const a = expected.properties[property] ?? null;
    const b = actual.properties[property] ?? null;
    if (!equalJson(a, b)) found.push({ participant: label, property, expected: a, actual: b });
  }
  return found;
}

/** Deep equality of JSON; the order of keys does not matter. */
export function equalJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (isList(a) || isList(b)) {
    return isList(a) && isList(b) && a.length === b.length && a.every((x, i) => equalJson(x, b[i] ?? null));
  }
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key] ?? null, b[key] ?? null));
}
