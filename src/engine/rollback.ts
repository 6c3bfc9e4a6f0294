import type { Deadline } from "../base/call.ts";
import { type BackstepError, type Json, toBackstepError } from "../base/error.ts";
import type {
  Enrolled,
  RollbackResult,
  RollbackStep,
  RollbackVerdict,
  StepVerdict,
} from "../contract/events.ts";
import { type Difference, differences, type Image } from "../contract/participant.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { Enrolment, Ledger, LedgerEntry } from "./ledger.ts";
import { settled } from "./settle.ts";

/** What taking back needs from the run around it. */
export interface RollbackPorts {
  readonly desktop: Desktop;
  readonly deadline: Deadline;
  /** Runs the author's `undo:` or the opposite deed through the gate; answers undefined when its guard does not hold. */
  compensate(entry: LedgerEntry): Promise<string | undefined>;
  /** Hears of each thing taken back, as it happens: the journal and the reports. */
  told(step: RollbackStep): void;
}

/** How long the desktop must be quiet before the last look, in milliseconds. */
const QUIET = 150;
/** How a step of the way back names a deed, in contrast to a participant. */
const DEED = "deed ";

/**
 * Takes back a ledger's deeds, last first, and says what came of it. `restored` means that every protected property of
 * every enrolled participant was read back, after a quiet window, equal to the savepoint. It goes back to the last
 * barrier when `toBarrier` is set, and past barriers, naming each, when it is not.
 */
export async function rollBack(
  ledger: Ledger,
  options: { readonly toBarrier: boolean },
  ports: RollbackPorts,
): Promise<RollbackResult> {
  const lastBarrier = options.toBarrier
    ? ledger.entries.findLastIndex((e) => e.barrier && e.outcome !== "failed")
    : -1;
  const from = lastBarrier + 1;
  const steps: RollbackStep[] = [];
  const tell = (step: RollbackStep) => {
    steps.push(step);
    ports.told(step);
  };
  const last = new LastLook(ledger, from, ports);
  for (const [index, entry] of [...ledger.entries.entries()].slice(from).reverse()) {
    // What later steps enrolled may leave with the window or the application that this closes: look at it before.
    if (entry.undo || entry.inverse) await last.look(index);
    for (const step of await takeBack(entry, ports)) tell(step);
  }
  for (const step of await putBackIncidentals(ledger, from, ports)) tell(step);
  if (steps.length === 0) return { verdict: "none", steps, drift: [], enrolled: [] };
  await last.look(-1);
  const drift = [
    ...last.drift,
    ...steps.flatMap((step) => step.verdict === "unrestorable" ? deedLeft(step) : []),
  ];
  return { verdict: verdictOf(steps, drift, last.enrolled), steps, drift, enrolled: last.enrolled };
}

/** Reads every enrolled participant once more, after a quiet window, and compares it with the savepoint. */
class LastLook {
  readonly drift: Difference[] = [];
  readonly enrolled: Enrolled[] = [];
  readonly #ports: RollbackPorts;
  readonly #pending: Map<string, { readonly enrolment: Enrolment; readonly index: number }>;

  constructor(ledger: Ledger, from: number, ports: RollbackPorts) {
    this.#ports = ports;
    this.#pending = new Map(
      [...ledger.savepoint(from)].filter(([, first]) => !isIncidental(first.enrolment.before)),
    );
  }

  /** At those that were enrolled first by entries after `index`. */
  async look(index: number): Promise<void> {
    const due = [...this.#pending].filter(([, first]) => first.index > index);
    if (due.length === 0) return;
    await settled(this.#ports.desktop, QUIET, this.#ports.deadline);
    for (const [key, { enrolment }] of due) {
      this.#pending.delete(key);
      const { participant, before } = enrolment;
      const found = await compare(enrolment, this.#ports);
      this.drift.push(...found.drift);
      this.enrolled.push({
        kind: participant.kind,
        label: participant.label,
        properties: [...Object.keys(before.properties), ...Object.keys(before.unrestorable ?? {})].sort(),
        verdict: found.verdict,
      });
    }
  }
}

/** Focus and the like: put back once, as far as it goes; it never decides the verdict. */
async function putBackIncidentals(
  ledger: Ledger,
  from: number,
  ports: RollbackPorts,
): Promise<RollbackStep[]> {
  const steps: RollbackStep[] = [];
  for (const { enrolment, index } of ledger.savepoint(from).values()) {
    if (!isIncidental(enrolment.before)) continue;
    const { participant, before } = enrolment;
    const step = {
      path: ledger.entries[index]?.path ?? "",
      what: participant.label,
      incidental: true,
    } as const;
    try {
      const now = await participant.capture(ports.desktop, ports.deadline.call());
      if (sameIncidentals(before, now)) continue;
      const method = await participant.restore(before, ports.desktop, ports.deadline.call());
      steps.push({ ...step, verdict: "restored", method });
    } catch (thrown) {
      steps.push({ ...step, verdict: "unrestorable", reason: toBackstepError(thrown).message });
    }
  }
  return steps;
}

/** An irreversible deed that was passed is a difference, by name. */
function deedLeft(step: RollbackStep): Difference[] {
  if (step.incidental || !step.what.startsWith(DEED)) return [];
  return [{
    participant: step.what.slice(DEED.length),
    property: "effect",
    expected: "not done",
    actual: "done",
  }];
}

function isIncidental(image: Image): boolean {
  return Object.keys(image.properties).length === 0 && image.unrestorable === undefined;
}

function sameIncidentals(a: Image, b: Image): boolean {
  return same({ properties: a.incidental ?? {} }, { properties: b.incidental ?? {} });
}

async function takeBack(entry: LedgerEntry, ports: RollbackPorts): Promise<RollbackStep[]> {
  const { path } = entry;
  const deed = `${DEED}${entry.name}`;
  const steps: RollbackStep[] = [];
  if (entry.undo || entry.inverse) {
    steps.push(await compensated(entry, ports));
  } else if (entry.barrier && entry.outcome !== "failed") {
    steps.push({
      path,
      verdict: "unrestorable",
      what: deed,
      reason: "it is irreversible and was declared so",
    });
  } else if (entry.effect === "compensable" && entry.outcome === "unknown") {
    steps.push({ path, verdict: "unknown", what: deed, reason: "whether it happened is not known" });
  }
  for (const enrolment of [...entry.enrolments].reverse()) {
    if (isIncidental(enrolment.before)) continue;
    steps.push({ path, ...await putBack(enrolment, ports) });
  }
  return steps;
}

async function compensated(entry: LedgerEntry, ports: RollbackPorts): Promise<RollbackStep> {
  const { path } = entry;
  const what = `${DEED}${entry.name}`;
  if (entry.outcome === "failed") return { path, verdict: "already", what, reason: "it did not happen" };
  try {
    const method = await ports.compensate(entry);
    return method === undefined
      ? { path, verdict: "already", what, reason: "what it left is no longer there" }
      : { path, verdict: "compensated", what, method };
  } catch (thrown) {
    return { path, verdict: "failed", what, reason: toBackstepError(thrown).message };
  }
}

/** One participant: looks, leaves it alone when it is as before or was changed by somebody else, writes, reads back. */
async function putBack(enrolment: Enrolment, ports: RollbackPorts): Promise<Omit<RollbackStep, "path">> {
  const { participant, before, after } = enrolment;
  const { desktop, deadline } = ports;
  const what = participant.label;
  const cannot = Object.entries(before.unrestorable ?? {}).map(([property, reason]) =>
    `${property}: ${reason}`
  );
  try {
    const now = await participant.capture(desktop, deadline.call());
    if (same(before, now) && cannot.length === 0) {
      // A text that is back already may have its caret elsewhere.
      if (!sameIncidentals(before, now)) {
        await participant.restore(before, desktop, deadline.call());
      }
      return { verdict: "already", what };
    }
    if (after !== undefined && !same(after, now) && cannot.length === 0) {
      const [first] = differences(participant.label, after, now);
      const reason = first
        ? `${first.property} is ${show(first.actual)}, the step left ${show(first.expected)}, before it was ${
          show(before.properties[first.property] ?? null)
        }`
        : "it changed";
      return { verdict: "conflict", what, reason };
    }
    const method = await participant.restore(before, desktop, deadline.call());
    if (cannot.length > 0) return { verdict: "unrestorable", what, method, reason: cannot.join("; ") };
    const back = await reads(enrolment, ports);
    return back
      ? { verdict: "restored", what, method }
      : { verdict: "failed", what, method, reason: "it was written back and reads otherwise" };
  } catch (thrown) {
    const error = toBackstepError(thrown);
    return { verdict: isSilence(error) ? "unknown" : "failed", what, reason: error.message };
  }
}

/** Reads until it is as before, a second at most: toolkits answer a write before its effect shows. */
async function reads(enrolment: Enrolment, ports: RollbackPorts): Promise<boolean> {
  const { participant, before } = enrolment;
  const limit = ports.deadline.within(1_000);
  for (;;) {
    if (same(before, await participant.capture(ports.desktop, ports.deadline.call()))) return true;
    if (limit.passed) return false;
    await settled(ports.desktop, 50, limit);
  }
}

async function compare(
  enrolment: Enrolment,
  ports: RollbackPorts,
): Promise<{ verdict: StepVerdict; drift: Difference[] }> {
  const { participant, before } = enrolment;
  const unrestorable = Object.keys(before.unrestorable ?? {});
  const gone: Difference[] = unrestorable.map((property) => ({
    participant: participant.label,
    property,
    expected: "as before",
    actual: before.unrestorable?.[property] ?? "not restorable",
  }));
  try {
    const now: Image = await participant.capture(ports.desktop, ports.deadline.call());
    const drift = [...differences(participant.label, before, now), ...gone];
    if (drift.length === 0) return { verdict: "restored", drift };
    return { verdict: unrestorable.length > 0 ? "unrestorable" : "failed", drift };
  } catch (thrown) {
    const error = toBackstepError(thrown);
    const drift: Difference[] = [{
      participant: participant.label,
      property: "state",
      expected: "as before",
      actual: `not readable: ${error.message}`,
    }, ...gone];
    return { verdict: "unknown", drift };
  }
}

/** The gravest wins: what could not be done or seen, then what is known to differ. */
function verdictOf(
  steps: readonly RollbackStep[],
  drift: readonly Difference[],
  enrolled: readonly Enrolled[],
) {
  const verdicts = [
    ...steps.filter((s) => !s.incidental).map((s) => s.verdict),
    ...enrolled.filter((e) => e.verdict === "unknown").map((e) => e.verdict),
  ];
  let verdict: RollbackVerdict = "restored";
  if (drift.length > 0 || verdicts.includes("conflict") || verdicts.includes("unrestorable")) {
    verdict = "drift";
  }
  if (verdicts.includes("failed") || verdicts.includes("unknown")) verdict = "failed";
  return verdict;
}

function same(a: Image, b: Image): boolean {
  return differences("", a, b).length === 0;
}

function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function isSilence(error: BackstepError): boolean {
  return error.code === "timeout" || error.code === "app_gone" || error.code === "cancelled";
}
