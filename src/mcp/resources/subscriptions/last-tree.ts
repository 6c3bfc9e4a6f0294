import type { DesktopEvent } from "../../../desktop/desktop.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";
import { State, type StateName } from "../../../desktop/states.ts";
import { shownRows } from "../../../desktop/shown-rows.ts";

/** The tree that was seen last: what an event says can be compared with it. */
export class LastTree {
  #snapshot: Snapshot | undefined;
  #rows: Map<string, number> | undefined;
  #shown: Uint8Array | undefined;

  get snapshot(): Snapshot | undefined {
    return this.#snapshot;
  }

  learn(snapshot: Snapshot): void {
    if (snapshot === this.#snapshot) return;
    this.#snapshot = snapshot;
    this.#rows = undefined;
    this.#shown = undefined;
  }

  /** The row of an object path; -1: it is not in the tree. */
  row(path: string): number {
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return -1;
    if (this.#rows === undefined) {
      this.#rows = new Map();
      for (let row = 0; row < snapshot.size; row++) this.#rows.set(snapshot.path(row), row);
    }
    return this.#rows.get(path) ?? -1;
  }

  /**
   * Does the event say nothing but what was seen, or speak of what does not show? Toolkits repeat themselves, some whenever
   * they are read: GTK 3 tells then of the check marks in its closed menus, and not the truth.
   */
  says({ kind, path, detail1, text }: DesktopEvent): boolean {
    const state = stateOf(kind);
    const name = isName(kind);
    if (state === undefined && !name) return false;
    const row = this.row(path);
    if (row < 0 || this.#snapshot === undefined) return false;
    this.#shown ??= shownRows(this.#snapshot);
    if (this.#shown[row] !== 1 && (state === undefined || !APPEARS.has(state))) return true;
    if (state !== undefined) return this.#snapshot.has(row, state) === (detail1 !== 0);
    return text !== "" && this.#snapshot.name(row) === text;
  }
}

/** What makes an element show. */
const APPEARS: ReadonlySet<StateName> = new Set(["visible", "showing", "defunct"]);
const STATE = "object:state-changed:";

/** The state that an event is about; undefined: it is no change of a state. */
export function stateOf(kind: string): StateName | undefined {
  if (!kind.startsWith(STATE)) return undefined;
  const [word = ""] = kind.slice(STATE.length).split(":");
  const name = word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return isState(name) ? name : undefined;
}

/** Is it the change of an element's name? Qt adds to the word. */
export function isName(kind: string): boolean {
  return /^object:property-change:accessible-name(:|$)/.test(kind);
}

/** Does it tell where the keyboard is now? */
export function isFocus({ kind, detail1 }: DesktopEvent): boolean {
  return kind.startsWith("focus:") || (kind === "object:state-changed:focused" && detail1 === 1);
}

function isState(name: string): name is StateName {
  return Object.hasOwn(State, name);
}
