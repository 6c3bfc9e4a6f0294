import type { Operation } from "../contract/operation.ts";
import type { Trait } from "../contract/traits.ts";

/** Verbs that hold other steps or files. */
export const STRUCTURAL = [
  "transaction",
  "savepoint",
  "rollback_to",
  "reject",
  "if",
  "repeat",
  "for_each",
  "run",
  "tool",
] as const;

/** What every step may say beside its verb. */
export const COMMON = ["id", "name", "if", "timeout", "retry", "optional"] as const;

/** What only a step that acts may say. */
export const ACTING = ["undo", "done_when", "irreversible", "changes"] as const;

/** What only a step that looks may say. */
export const CHECKING = ["soft"] as const;

/** Keys that belong to one structural verb. */
export const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  if: ["then", "else"],
  run: ["with"],
  tool: ["args", "wait_after_ms", "on_fail"],
};

/** The operations a workflow file can call, by the verb they are written with. */
export class Verbs {
  readonly #byVerb = new Map<string, Operation>();
  readonly #byName = new Map<string, Operation>();

  constructor(operations: Iterable<Operation>) {
    for (const operation of operations) {
      this.#byName.set(operation.name, operation);
      if (operation.views.yaml) this.#byVerb.set(operation.views.yaml.verb, operation);
    }
  }

  /** The operation written `verb:`. */
  get(verb: string): Operation | undefined {
    return this.#byVerb.get(verb);
  }

  /** By its neutral name. */
  named(name: string): Operation | undefined {
    return this.#byName.get(name);
  }

  /** The first one that has a trait. */
  with(trait: Trait): Operation | undefined {
    return this.#byName.values().find(({ traits }) => traits[trait]);
  }

  /** All operations that have a verb. */
  entries(): IterableIterator<[string, Operation]> {
    return this.#byVerb.entries();
  }

  /** Every word that may start a step, for suggestions. */
  words(): string[] {
    return [...this.#byVerb.keys(), ...STRUCTURAL];
  }
}
