import { BackstepError } from "../../base/error.ts";
import { find, readSelector } from "../../desktop/selector/mod.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";

/** What is known and accepted: findings of a rule on certain elements, and why. */
export interface Suppression {
  /** Id of the rule; "*" for all. */
  readonly rule: string;
  /** The elements, with what they hold. */
  readonly selector: string;
  /** For whoever reads the report. */
  readonly reason: string;
}

/** Suppressions made ready for one snapshot; each remembers whether it was of any use. */
export class Suppressions {
  readonly #ready: readonly { readonly of: Suppression; readonly rows: readonly number[] }[];
  readonly #used = new Set<Suppression>();
  readonly #snapshot: Snapshot;

  /** Throws `selector` for a selector that cannot be read, `invalid` for a rule that does not exist. */
  constructor(suppressions: readonly Suppression[], snapshot: Snapshot, rules: ReadonlySet<string>) {
    this.#snapshot = snapshot;
    this.#ready = suppressions.map((of) => {
      if (of.rule !== "*" && !rules.has(of.rule)) {
        throw new BackstepError(
          "invalid",
          `Cannot suppress ${JSON.stringify(of.rule)}: there is no such rule`,
          {
            hint: 'docs/reference/audit-rules.md lists them; "*" stands for all.',
          },
        );
      }
      return { of, rows: find(readSelector(of.selector), snapshot).rows };
    });
  }

  /** The suppression that covers a finding, if any. */
  covering(rule: string, row: number): Suppression | undefined {
    const found = this.#ready.find(({ of, rows }) =>
      (of.rule === "*" || of.rule === rule) &&
      rows.some((from) => row >= from && row < this.#snapshot.end(from))
    );
    if (found !== undefined) this.#used.add(found.of);
    return found?.of;
  }

  /** Those that covered nothing: what they were for may be mended. */
  unused(): Suppression[] {
    return this.#ready.map(({ of }) => of).filter((of) => !this.#used.has(of));
  }
}
