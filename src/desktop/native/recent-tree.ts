import type { SnapshotField } from "../desktop.ts";
import type { Snapshot } from "../snapshot.ts";

/** Milliseconds for which a tree that was read does for who asks for a recent one. */
const RECENT = 100;

/**
 * The tree that was read last, for a moment: while nothing was sent to anybody, and its application reported nothing. Of those that
 * report little, who finds an element and who uses it share one.
 */
export class RecentTree {
  #kept: { readonly snapshot: Snapshot; readonly fields: ReadonlySet<SnapshotField> } | undefined;
  #changes = 0;

  /** To be called before a tree is asked for. */
  begin(): number {
    return this.#changes;
  }

  /** A whole tree came. It is not kept where anything may have changed meanwhile. */
  keep(snapshot: Snapshot, fields: readonly SnapshotField[], begun: number): void {
    this.#kept = begun === this.#changes ? { snapshot, fields: new Set(fields) } : undefined;
  }

  /** The tree of an application with at least these fields, where it was read a moment ago; undefined: it is to be read. */
  of(bus: string, fields: readonly SnapshotField[]): Snapshot | undefined {
    const { snapshot, fields: existing } = this.#kept ?? {};
    const { application, readAt = -Infinity } = snapshot?.origin ?? {};
    const does = application?.bus === bus && performance.now() - readAt <= RECENT &&
      fields.every((field) => existing?.has(field));
    return does ? snapshot : undefined;
  }

  /** Something is sent, or was. */
  sent(): void {
    this.#changes++;
    this.#kept = undefined;
  }

  /** An application reported something. */
  reported(bus: string): void {
    // Also of one that is being read.
    this.#changes++;
    if (this.#kept?.snapshot.origin.application.bus === bus) this.#kept = undefined;
  }
}
