import { toBackstepError } from "../../base/error.ts";
import type { Deadline } from "../../base/call.ts";
import type { Application, Desktop, DesktopEvent, ElementRef } from "../../desktop/desktop.ts";
import { outline } from "../../desktop/outline.ts";
import { Role } from "../../desktop/roles.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";

/** What may bring an element that was not there. */
const RESHAPES = /^window:|^object:children-changed|^object:state-changed:(showing|visible|defunct)|role/;
/** What shows in no line of a tree. */
const UNSHOWN =
  /^(focus:|object:(bounds-changed|text-caret-moved|text-selection-changed|visible-data-changed))/;
const FOCUSED = "object:state-changed:focused";
/** Elements that are read again one by one; with more of them the whole tree is. */
const MOST = 24;

/** Where the lines of a tree stand among all. */
export interface TreePart {
  readonly snapshot: Snapshot;
  /** Of its rows, counted from `from`. */
  readonly lineOf: ReadonlyMap<number, number>;
  readonly from: number;
}

/**
 * The trees that were read last. As long as nothing comes or goes in them, only the lines are read again of which something
 * was told: a run that goes on need not wait for all the others.
 */
export class KeptTrees {
  #snapshots: readonly Snapshot[] | undefined;
  #parts: readonly TreePart[] = [];
  /** Undefined: only their shape is known. */
  #lines: readonly string[] | undefined;
  #reshaped = true;
  /** Paths of elements of which something was told since, by bus name. */
  readonly #dirty = new Map<string, Set<string>>();
  #focused: { readonly bus: string; readonly path: string } | undefined;

  /** They are about to be read: what is told from now on is not in them. */
  begin(): void {
    this.#reshaped = false;
    this.#dirty.clear();
    this.#focused = undefined;
    this.#snapshots = undefined;
    this.#lines = undefined;
  }

  /** They were read; without lines only their shape was. */
  take(snapshots: readonly Snapshot[], lines?: readonly string[], parts: readonly TreePart[] = []): void {
    this.#snapshots = snapshots;
    this.#lines = lines;
    this.#parts = parts;
  }

  /** Events came; undefined: some were lost. */
  note(events: readonly DesktopEvent[] | undefined): void {
    this.#reshaped ||= events === undefined;
    for (const { bus, path, kind, detail1 } of events ?? []) {
      this.#reshaped ||= RESHAPES.test(kind);
      if (kind === FOCUSED && detail1 === 1) this.#focused = { bus, path };
      if (UNSHOWN.test(kind)) continue;
      const paths = this.#dirty.get(bus) ?? new Set();
      this.#dirty.set(bus, paths.add(path));
    }
  }

  /** The trees, where nothing came or went since; undefined: something may have. */
  current(applications: readonly Application[]): readonly Snapshot[] | undefined {
    const existing = this.#snapshots;
    if (!existing || this.#reshaped) return undefined;
    const there = new Set(existing.map(({ origin }) => origin.application.bus));
    return applications.every(({ bus, toolkit }) => toolkit === "" || there.has(bus)) ? existing : undefined;
  }

  get parts(): readonly TreePart[] {
    return this.#parts;
  }

  /** What got the keyboard since they were read; undefined: nothing did. */
  get focused(): ElementRef | undefined {
    const focused = this.#focused;
    if (!focused) return undefined;
    for (const snapshot of this.#snapshots ?? []) {
      const row = snapshot.origin.application.bus === focused.bus ? snapshot.rowOf(focused) : -1;
      if (row >= 0) return snapshot.element(row);
    }
    return undefined;
  }

  /** Their lines as they are now; undefined: that takes the whole tree. */
  async lines(desktop: Desktop, deadline: Deadline): Promise<readonly string[] | undefined> {
    const lines = this.#lines;
    if (!lines) return undefined;
    const again = this.#parts.flatMap(({ snapshot, lineOf, from }) =>
      [...this.#dirty.get(snapshot.origin.application.bus) ?? []].flatMap((path) => {
        const row = snapshot.rowOf({ bus: snapshot.origin.application.bus, path });
        const line = lineOf.get(row);
        return line === undefined ? [] : [{ snapshot, row, line: from + line }];
      })
    );
    if (again.length > MOST) return undefined;
    this.#dirty.clear();
    try {
      const fresh = await Promise.all(
        again.map(({ snapshot, row }) =>
          desktop.snapshot(snapshot.origin.application, {
            ...deadline.call(),
            root: snapshot.element(row),
            maxDepth: 1,
            fields: ["text", "value", "id"],
          })
        ),
      );
      const now = [...lines];
      for (const [index, one] of fresh.entries()) {
        const at = again[index]?.line ?? -1;
        if (one.size === 0 || one.role(0) === Role.passwordText) return this.#forget();
        const indent = /^ */.exec(lines[at] ?? "")?.[0] ?? "";
        now[at] = indent + (outline(one, { maxDepth: 0, collapse: false }).split("\n")[0] ?? "");
      }
      this.#lines = now;
      return now;
    } catch (thrown) {
      void toBackstepError(thrown); // one of them is gone, or does not answer: the whole tree says so
      return this.#forget();
    }
  }

  #forget(): undefined {
    this.#reshaped = true;
    return undefined;
  }
}
