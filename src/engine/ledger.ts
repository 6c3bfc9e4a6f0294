import type { Json } from "../base/error.ts";
import type { StepVerdict } from "../contract/events.ts";
import type { Effect } from "../contract/effect.ts";
import type { Invocation } from "../contract/operation.ts";
import type { Image, Participant } from "../contract/participant.ts";
import type { Picture } from "./picture.ts";
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
  /** The tool that it was called as, in the raw form. */
  readonly tool?: string;
  readonly effect: Effect;
  readonly enrolments: readonly Enrolment[];
  /** The author's way back, with the scope it is filled in from. */
  readonly undo: DeclaredUndo | undefined;
  /** The opposite deed, known after the deed. */
  inverse: Invocation | undefined;
  /** Nothing leads back past it… */
  readonly barrier: boolean;
  /** …unless it counts as declared, as in the raw `tool:` form: then the way back passes it, and names it. */
  readonly passable: boolean;
  /** How many steps had passed before it, in the run's history. */
  readonly history: number;
  /** Number of its intent's line in the journal. */
  readonly intent: number;
  /** Of an observed deed: the windows that stood before it, and those that it left. */
  readonly opened:
    | { readonly app: string | undefined; readonly before: string; left: string | undefined }
    | undefined;
  /** "done", "failed", or "unknown": it may have landed although no answer came. */
  outcome: "pending" | "done" | "failed" | "unknown";
  /** What a way back that was cut off has dealt with already, by what it called it. */
  readonly undone?: ReadonlyMap<string, StepVerdict>;
}

/** Where a savepoint is: so many entries of its ledger, and so many steps of the run, are before it. */
export interface Mark {
  readonly at: number;
  readonly history: number;
  /** The application as it was here, where the desktop may have to be rebuilt. */
  readonly picture: Picture | undefined;
}

/**
 * What has been done and not yet settled, oldest first. A transaction has a ledger of its own; when it commits, its
 * entries move into the one around it.
 */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  /** Of the transaction around this one; undefined: there is none that a savepoint may be in. */
  readonly parent: Ledger | undefined;
  /** How many steps of the run had passed when it began. */
  readonly history: number;
  /** The transaction that it belongs to, "" for the file; undefined: what is in it is never taken back. */
  readonly owner: string | undefined;
  readonly #marks = new Map<string, Mark>();

  constructor(history = 0, parent?: Ledger, owner?: string) {
    this.history = history;
    this.parent = parent;
    this.owner = owner;
  }

  /** Takes over what an inner transaction did, and its savepoints. */
  absorb(inner: Ledger): void {
    for (const [name, mark] of inner.#marks) {
      this.#marks.set(name, { ...mark, at: this.entries.length + mark.at });
    }
    this.entries.push(...inner.entries);
  }

  /** Sets a savepoint here; the same name again moves it. */
  mark(savepoint: string, here: Omit<Mark, "at">): void {
    this.#marks.set(savepoint, { at: this.entries.length, ...here });
  }

  /** Where a savepoint is; undefined: this ledger has none of this name. */
  markOf(savepoint: string): Mark | undefined {
    return this.#marks.get(savepoint);
  }

  /** Forgets what came after the first `from` entries, savepoints too: it has been taken back, and is not again. */
  cut(from: number): LedgerEntry[] {
    for (const [name, { at }] of this.#marks) if (at > from) this.#marks.delete(name);
    return this.entries.splice(from);
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
    ...(image.secure ? { secure: true } : {}),
  };
}
