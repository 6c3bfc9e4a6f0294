import type { Json } from "../base/error.ts";
import { shownWindows } from "./difference.ts";
import type { Look } from "./look.ts";

/** A window that came or went. `target` is undefined where it came. */
export type WindowChange =
  | { readonly came: true; readonly row: number; readonly path: string }
  | { readonly came: false; readonly target: Json };

/** Which windows of each application a recording knows of: what came or went since the step before is waited for. */
export class Windows {
  readonly #seen = new Map<string, Set<string>>();
  /** When the look began by which that is known. */
  readonly #from = new Map<string, number>();
  /** Those that a step waits for: when they go, that is waited for, too. */
  readonly #expected = new Map<string, Json>();

  /** What a look shows was there before. */
  know({ application, snapshot, windows, from }: Look): void {
    const shown = shownWindows(snapshot, windows);
    this.#from.set(application.bus, from);
    this.#seen.set(application.bus, new Set(shown.map((row) => snapshot.path(row))));
  }

  forget(bus: string): void {
    this.#seen.delete(bus);
    this.#from.delete(bus);
  }

  /** Nothing that came before is waited for any more. */
  begin(): void {
    this.#expected.clear();
  }

  /** A step waits for a window that came. */
  expect(path: string, target: Json): void {
    this.#expected.set(path, target);
  }

  /**
   * What a look shows that was not there before, and what was waited for and shows no more. An older look than the last one
   * tells nothing: a field that is typed into is known by a look from before its dialog closed, at times.
   */
  changes(look: Look): WindowChange[] {
    const { snapshot, application, windows } = look;
    if (look.from < (this.#from.get(application.bus) ?? -Infinity)) return [];
    const seen = this.#seen.get(application.bus);
    const shown = shownWindows(snapshot, windows);
    const paths = new Set(shown.map((row) => snapshot.path(row)));
    const changes: WindowChange[] = [];
    for (const [path, target] of this.#expected) {
      if (paths.has(path)) continue;
      this.#expected.delete(path);
      changes.push({ came: false, target });
    }
    for (const row of seen === undefined ? [] : shown) {
      const path = snapshot.path(row);
      if (seen?.has(path) === false) changes.push({ came: true, row, path });
    }
    this.know(look);
    return changes;
  }
}
