import type { Effect } from "../../contract/effect.ts";
import type { Participant } from "../../contract/participant.ts";
import { Role } from "../../desktop/roles.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";

/** Trees kept beside the oldest: a long run must not hold one for each of its actions. */
const NEWEST = 15;

/** An action, by the number of its intent, and a tree that was read before it. */
interface TreeBefore {
  readonly intent: number;
  readonly snapshot: Snapshot;
}

/**
 * The trees in which the actions of an undo log found what they act on. What did not stand before an action came by it, or after it,
 * and may go when that is undone.
 *
 * @example
 * ```ts
 * import { TreesBefore } from "./trees-before.ts";
 * const trees = new TreesBefore();
 * trees.add({ intent: 7, effect: "compensable" }, undefined);
 * if (trees.lacking({ rowsIn: () => [-1] }).length !== 0) throw new Error();
 * ```
 */
export class TreesBefore {
  #kept: TreeBefore[] = [];
  /** Actions before which none was read, and that remove nothing: the tree of the next one stands for them, too. */
  #waiting: number[] = [];

  /** An action is about to be done. Undefined: it looks for nothing in a tree. */
  add({ intent, effect }: { readonly intent: number; readonly effect: Effect }, snapshot?: Snapshot): void {
    if (snapshot === undefined || snapshot.role(0) !== Role.application) {
      this.#waiting = effect === "compensable" ? [...this.#waiting, intent] : [];
      return;
    }
    this.#keep([...this.#waiting, intent].map((one) => ({ intent: one, snapshot })));
    this.#waiting = [];
  }

  /** Takes over those of an inner undo log. */
  absorb(inner: TreesBefore): void {
    this.#keep(inner.#kept);
    this.#waiting = [...inner.#waiting];
  }

  /** Forgets the actions from this one on: they were rolled back. */
  cut(intent: number): void {
    this.#kept = this.#kept.filter((one) => one.intent < intent);
    this.#waiting = this.#waiting.filter((one) => one < intent);
  }

  /** The actions before which nothing of this stood in its application. */
  lacking({ rowsIn }: Pick<Participant, "rowsIn">): number[] {
    if (rowsIn === undefined) return [];
    return this.#kept.filter(({ snapshot }) => {
      const rows = rowsIn(snapshot);
      return rows.length > 0 && rows.every((row) => row < 0);
    }).map(({ intent }) => intent);
  }

  #keep(more: readonly TreeBefore[]): void {
    const all = [...this.#kept, ...more];
    this.#kept = all.filter((_, at) => at === 0 || at >= all.length - NEWEST);
  }
}
