import type { Deadline } from "../base/call.ts";
import { type ErrorCode, toBackstepError } from "../base/error.ts";
import type { Enrolled, StepVerdict } from "../contract/events.ts";
import { type Difference, differences } from "../contract/participant.ts";
import type { Enrolment, Ledger } from "./ledger.ts";
import { Patience } from "./patience.ts";
import { blindTo, isIncidental, type Workbench } from "./put-back.ts";
import { settled } from "./settle.ts";

/** How long the desktop must be quiet before the last look, in milliseconds. */
const QUIET = 150;

/** Of the time that a rollback has left, what one wait before a look that comes early may take: one part in so many. */
const EARLY_SHARE = 8;

/** How one participant stands. */
interface Found {
  readonly verdict: StepVerdict;
  readonly drift: Difference[];
  /** Its window or its application is gone. */
  readonly closed: boolean;
}

/** What the look that is taken once more found. */
export interface LaterLook {
  /** What reads otherwise than at the look before. */
  readonly drift: readonly Difference[];
  /** How everything stands now. */
  readonly enrolled: readonly Enrolled[];
}

/** Errors by which an element says that it is no longer there. */
const CLOSED: ReadonlySet<ErrorCode> = new Set(["stale", "app_gone", "app_not_running"]);

/** Reads every enrolled participant once more, after a quiet window, and compares it with the savepoint. */
export class LastLook {
  readonly drift: Difference[] = [];
  readonly enrolled: Enrolled[] = [];
  /** What the look found as before, by its place in `enrolled`: it is looked at once more. */
  readonly #restored = new Map<number, string>();
  readonly #bench: Workbench;
  readonly #all: Map<string, { readonly enrolment: Enrolment; readonly index: number }>;
  /** Looks at what may be closed by the end. */
  readonly #early = new Map<string, Found>();
  /** Those that a deed may have touched; of the others nothing needs putting back that cannot be. */
  readonly #touched = new Set<string>();
  /** That these read as before is no proof that they are. */
  readonly #unproved = new Set<string>();

  constructor(ledger: Ledger, from: number, bench: Workbench) {
    this.#bench = bench;
    this.#all = new Map(
      [...ledger.savepoint(from)].filter(([, first]) => !isIncidental(first.enrolment.before)),
    );
    // A way back that was cut off closed what these were in, after it had looked at them.
    const closed = ledger.entries.findIndex((entry) =>
      [...entry.undone ?? []].some(([what, verdict]) =>
        verdict === "compensated" || (verdict === "restored" && what.startsWith("process "))
      )
    );
    for (const [key, { index, enrolment }] of this.#all) {
      if (closed < 0 || index <= closed) continue;
      this.#all.delete(key);
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

  /** What reads as before may be older than what was done: it is not known to be restored. */
  unproved(key: string): void {
    this.#unproved.add(key);
  }

  /**
   * Before a deed that may close what stands: at those that were enrolled first by entries after `index`. Answers what forgets
   * these looks: what is gone although nothing was closed is not known.
   */
  async before(index: number): Promise<() => void> {
    const due = [...this.#all].filter(([key, first]) => first.index > index && !this.#early.has(key));
    if (due.length > 0) {
      // A share of the time that is left: many such deeds must not spend what the rest of the rollback needs.
      const { deadline } = this.#bench.patience;
      await this.#rest(deadline.within(deadline.remaining() / EARLY_SHARE));
      await this.#quiet();
    }
    for (const [key, { enrolment }] of due) {
      this.#early.set(key, await this.#compare(enrolment, this.#touched.has(key)));
    }
    return () => {
      for (const [key] of due) this.#early.delete(key);
    };
  }

  /** At all of them: what an opposite deed did to what had been put back is seen only now. */
  async finish(): Promise<void> {
    if (this.#all.size === 0) return;
    await this.#quiet();
    for (const [key, { enrolment }] of this.#all) {
      const now = await this.#compare(enrolment, this.#touched.has(key));
      const seen = now.closed ? this.#early.get(key) ?? now : now;
      const doubt = seen.verdict === "restored" && this.#unproved.has(key);
      const found = doubt ? { ...seen, verdict: "unknown" as const } : seen;
      if (found === now && now.verdict === "restored") this.#restored.set(this.enrolled.length, key);
      this.drift.push(...found.drift);
      this.enrolled.push(enrolledAs(enrolment, found.verdict));
    }
  }

  /** At what was found as before, a second after the last write: some applications change a value back a moment later. */
  async again(deadline: Deadline): Promise<LaterLook> {
    const patience = new Patience(deadline);
    const enrolled = [...this.enrolled];
    const drift: Difference[] = [];
    if (this.#restored.size > 0) await this.#rest(deadline);
    for (const [at, key] of this.#restored) {
      const enrolment = this.#all.get(key)?.enrolment;
      if (!enrolment) continue;
      const now = await this.#compare(enrolment, false, patience);
      drift.push(...now.drift.map((one): Difference => ({ ...one, afterwards: true })));
      enrolled[at] = enrolledAs(enrolment, now.verdict);
    }
    return { drift, enrolled };
  }

  async #rest(deadline: Deadline): Promise<void> {
    try {
      await this.#bench.lastWrite.rest(this.#bench.desktop, deadline);
    } catch {
      // Called off, or the desktop is gone: the looks that follow fail too, and each says that it does not know.
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
    patience = this.#bench.patience,
  ): Promise<Found> {
    const lost: Difference[] = (touched ? blindTo(before) : []).map((property) => ({
      participant: participant.label,
      property,
      expected: "as before",
      actual: before.unrestorable?.[property] ?? "not restorable",
    }));
    try {
      const now = await patience.with((call) => participant.capture(this.#bench.desktop, call));
      const drift = [...differences(participant.label, before, now), ...lost];
      if (drift.length === 0) return { verdict: "restored", drift, closed: false };
      return { verdict: before.unrestorable === undefined ? "failed" : "unrestorable", drift, closed: false };
    } catch (thrown) {
      const { code, message } = toBackstepError(thrown);
      const actual = `not readable: ${message}`;
      const unread = { participant: participant.label, property: "state", expected: "as before", actual };
      return { verdict: "unknown", drift: [unread, ...lost], closed: CLOSED.has(code) };
    }
  }
}

function enrolledAs({ participant: { kind, label }, before }: Enrolment, verdict: StepVerdict): Enrolled {
  const names = new Set([...Object.keys(before.properties), ...Object.keys(before.unrestorable ?? {})]);
  return { kind, label, properties: [...names].sort(), verdict };
}
