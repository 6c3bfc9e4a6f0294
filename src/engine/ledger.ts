import type { Json } from "../base/error.ts";
import type { Effect } from "../contract/effect.ts";
import type { Invocation } from "../contract/operation.ts";
import type { Image, Participant } from "../contract/participant.ts";
import type { Scope } from "./scope.ts";
import type { Undo } from "./step.ts";

/** One participant of one deed: how it was before, and how the deed left it. */
export interface Enrolment {
  readonly participant: Participant;
  readonly before: Image;
  /** Undefined until the deed's outcome is read, and where it could not be. */
  after: Image | undefined;
}

/** The author's way back. */
export interface DeclaredUndo {
  readonly declared: Undo;
  readonly scope: Scope;
  readonly app: string | undefined;
  /** What stood before the step, where no guard is declared. */
  readonly before: string | undefined;
  /** What the step left standing, where no guard is declared; undefined when it could not be read. */
  left: string | undefined;
}

/** One deed that may have to be taken back. It is entered before it is done. */
export interface LedgerEntry {
  readonly path: string;
  readonly name: string;
  readonly operation: string;
  readonly effect: Effect;
  readonly enrolments: readonly Enrolment[];
  /** The author's way back, with the scope it is filled in from. */
  readonly undo: DeclaredUndo | undefined;
  /** The opposite deed, known after the deed. */
  inverse: Invocation | undefined;
  /** Nothing leads back past it. */
  readonly barrier: boolean;
  /** "done", "failed", or "unknown": it may have landed although no answer came. */
  outcome: "pending" | "done" | "failed" | "unknown";
}

/**
 * What has been done and not yet settled, oldest first. A transaction has a ledger of its own; when it commits, its
 * entries move into the one around it.
 */
export class Ledger {
  readonly entries: LedgerEntry[] = [];

  /** Takes over what an inner transaction did. */
  absorb(inner: Ledger): void {
    this.entries.push(...inner.entries);
  }

  /** Each participant once, with its image at entry `from` or later, and the entry that enrolled it first. */
  savepoint(from = 0): Map<string, { readonly enrolment: Enrolment; readonly index: number }> {
    const first = new Map<string, { readonly enrolment: Enrolment; readonly index: number }>();
    for (const [index, entry] of this.entries.entries()) {
      if (index < from) continue;
      for (const enrolment of entry.enrolments) {
        const { key } = enrolment.participant;
        if (!first.has(key)) first.set(key, { enrolment, index });
      }
    }
    return first;
  }
}

/** An image as the journal seals it. */
export function imageJson(image: Image): Json {
  return {
    properties: image.properties,
    ...(image.incidental ? { incidental: image.incidental } : {}),
    ...(image.unrestorable ? { unrestorable: image.unrestorable } : {}),
  };
}
