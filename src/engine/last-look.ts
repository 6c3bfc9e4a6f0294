import { toBackstepError } from "../base/error.ts";
import type { Enrolled, StepVerdict } from "../contract/events.ts";
import { type Difference, differences } from "../contract/participant.ts";
import type { Enrolment, Ledger } from "./ledger.ts";
import { blindTo, isIncidental, type Workbench } from "./put-back.ts";
import { settled } from "./settle.ts";

/** How long the desktop must be quiet before the last look, in milliseconds. */
const QUIET = 150;

/** Reads every enrolled participant once more, after a quiet window, and compares it with the savepoint. */
export class LastLook {
  readonly drift: Difference[] = [];
  readonly enrolled: Enrolled[] = [];
  readonly #bench: Workbench;
  readonly #pending: Map<string, { readonly enrolment: Enrolment; readonly index: number }>;
  /** Those that a deed may have touched; of the others nothing needs putting back that cannot be. */
  readonly #touched = new Set<string>();

  constructor(ledger: Ledger, from: number, bench: Workbench) {
    this.#bench = bench;
    this.#pending = new Map(
      [...ledger.savepoint(from)].filter(([, first]) => !isIncidental(first.enrolment.before)),
    );
    // A way back that was cut off closed what these were in, after it had looked at them.
    const closed = ledger.entries.findIndex((entry) =>
      [...entry.undone ?? []].some(([what, verdict]) =>
        verdict === "compensated" || (verdict === "restored" && what.startsWith("process "))
      )
    );
    for (const [key, { index, enrolment }] of this.#pending) {
      if (closed < 0 || index <= closed) continue;
      this.#pending.delete(key);
      const verdict = ledger.entries[index]?.undone?.get(enrolment.participant.label);
      if (verdict !== undefined) {
        this.enrolled.push(enrolledAs(enrolment, verdict === "already" ? "restored" : verdict));
      }
    }
    for (const { outcome, enrolments } of ledger.entries.slice(from)) {
      if (outcome === "failed") continue;
      for (const { participant } of enrolments) this.#touched.add(participant.key);
    }
  }

  /** At those that were enrolled first by entries after `index`. */
  async look(index: number): Promise<void> {
    const due = [...this.#pending].filter(([, first]) => first.index > index);
    if (due.length === 0) return;
    await this.#quiet();
    for (const [key, { enrolment }] of due) {
      this.#pending.delete(key);
      const found = await this.#compare(enrolment, this.#touched.has(key));
      this.drift.push(...found.drift);
      this.enrolled.push(enrolledAs(enrolment, found.verdict));
    }
  }

  async #quiet(): Promise<void> {
    try {
      await settled(this.#bench.desktop, QUIET, this.#bench.patience.deadline);
    } catch {
      // Called off, or the desktop is gone: the looks that follow fail too, and each says that it does not know.
    }
  }

  async #compare(
    { participant, before }: Enrolment,
    touched: boolean,
  ): Promise<{ verdict: StepVerdict; drift: Difference[] }> {
    const lost: Difference[] = (touched ? blindTo(before) : []).map((property) => ({
      participant: participant.label,
      property,
      expected: "as before",
      actual: before.unrestorable?.[property] ?? "not restorable",
    }));
    try {
      const now = await this.#bench.patience.with((call) => participant.capture(this.#bench.desktop, call));
      const drift = [...differences(participant.label, before, now), ...lost];
      if (drift.length === 0) return { verdict: "restored", drift };
      return { verdict: before.unrestorable === undefined ? "failed" : "unrestorable", drift };
    } catch (thrown) {
      const actual = `not readable: ${toBackstepError(thrown).message}`;
      const unread = { participant: participant.label, property: "state", expected: "as before", actual };
      return { verdict: "unknown", drift: [unread, ...lost] };
    }
  }
}

function enrolledAs({ participant: { kind, label }, before }: Enrolment, verdict: StepVerdict): Enrolled {
  const names = new Set([...Object.keys(before.properties), ...Object.keys(before.unrestorable ?? {})]);
  return { kind, label, properties: [...names].sort(), verdict };
}
