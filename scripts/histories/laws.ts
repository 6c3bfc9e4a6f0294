import type { Breach } from "./judge.ts";
import type { History } from "./live.ts";
import type { Step } from "./values.ts";

/** The run ends, throws nothing, and its journal is whole. */
export function ranToItsEnd({ thrown, journal, stoppedHard, result, log, story }: History): Breach[] {
  const breaches: Breach[] = [];
  if (thrown !== undefined) {
    const why = thrown instanceof Error ? thrown.stack ?? thrown.message : String(thrown);
    breaches.push({ law: "end", why: `the run throws ${why.slice(0, 800)}` });
  }
  const inner = result?.steps.find(({ error }) => error?.code === "internal");
  if (inner) breaches.push({ law: "end", why: `step ${inner.path} ends in ${JSON.stringify(inner.error)}` });
  const finished = journal.at(-1)?.entry.kind === "end";
  if (result && finished === stoppedHard) {
    breaches.push({
      law: "end",
      why: finished ? "a run that was stopped hard has ended its journal" : "the journal is open",
    });
  }
  // Nothing misled: a button that was pressed back more often than it had been pressed was undone twice.
  const misled = story.faults.some(({ fault }) => BLINDING.has(fault));
  const below = misled ? undefined : log.flatMap(({ changes }) => changes)
    .find(({ element, after }) => element === "count" && String(after).startsWith("Count -"));
  if (below) {
    breaches.push({ law: "twice", why: "an action was rolled back that had not been done, or twice" });
  }
  return breaches;
}

/** Faults by which an application says yes to what it does not do, or does it when nobody waits any more. */
const BLINDING: ReadonlySet<string> = new Set([
  "no_effect",
  "lie",
  "delay",
  "partial",
  "hang",
  "slow",
  "recycle",
]);

/** Verdicts of what was done on rollback. */
const DID: ReadonlySet<string> = new Set(["restored", "compensated"]);

/** Whatever our actions changed was announced in the journal when they did, as what it was; nothing is undone twice. */
export function journalHasAll({ calls, journal, log }: History): Breach[] {
  const breaches: Breach[] = [];
  const changed = new Set(
    log.flatMap(({ by, changes }, at) => by === "caller" && changes.length > 0 ? [at] : []),
  );
  for (const { at, call, journal: size, path } of calls) {
    if (!changed.has(at)) continue;
    const before = journal.filter((line) => line.from < size).map(({ entry }) => entry);
    const open = before.filter((one) =>
      one.kind === "action-begin" && one.path === path &&
      !before.some((end) => end.kind === "action-end" && end.begin === one.n)
    );
    const back = before.filter(({ kind }) => kind === "rollback").length >
      before.filter(({ kind }) => kind === "rolled-back").length;
    if (open.length > 0 || back) continue;
    breaches.push({
      law: "journal",
      why: `${call} of step ${path ?? "?"} is in the world's log and not in the journal before it`,
    });
  }
  const undone = new Map<string, number>();
  for (const { entry } of journal) {
    if (entry.kind !== "undone" || entry.begin === undefined || !DID.has(entry.verdict)) continue;
    const what = `${entry.what} of the action in line ${entry.begin}`;
    undone.set(what, (undone.get(what) ?? 0) + 1);
  }
  for (const [what, times] of undone) {
    if (times > 1) {
      breaches.push({ law: "twice", why: `${what} is rolled back ${times} times` });
    }
  }
  return breaches;
}

/** The exit code says what status, verdict and doubt say. */
export function exitFits({ result, journal }: History): Breach[] {
  if (!result) return [];
  const { status, exit, rollback } = result;
  const outcomes = new Map(
    journal.flatMap(({ entry }) =>
      entry.kind === "action-end" ? [[entry.begin, entry.outcome] as const] : []
    ),
  );
  if (status === "passed" && rollback.verdict !== "none" && rollback.verdict !== "restored") {
    return [{ law: "exit", why: `the run passed, and its undo is ${rollback.verdict}` }];
  }
  const doubt = journal.some(({ entry }) =>
    (entry.kind === "action-begin" || entry.kind === "action-renewed") && entry.effect === "irreversible" &&
    outcomes.get(entry.kind === "action-begin" ? entry.n : entry.begin) === "unknown"
  );
  const expected = status === "passed"
    ? 0
    : rollback.verdict === "failed" || doubt
    ? 4
    : rollback.verdict === "drift"
    ? 3
    : status === "cancelled"
    ? 130
    : 1;
  if (exit === expected) return [];
  return [{
    law: "exit",
    why: `exit ${exit} for ${status} and ${rollback.verdict}${doubt ? ", in doubt" : ""}, not ${expected}`,
  }];
}

/** A step that passed did what it says: nothing is reported that was not observed. */
export function passedIsTrue(history: History, changes: readonly Step[]): Breach[] {
  const { reported, story } = history;
  const text = JSON.stringify(story.steps);
  const breaches: Breach[] = [];
  let began = 0;
  for (const { event, at, truth, lies } of reported) {
    if (event.event === "step-started") began = at;
    if (event.event !== "step-finished" || event.step.status !== "passed" || event.step.operation !== "set") {
      continue;
    }
    const key = /"(\w+)"/.exec(event.step.name)?.[1]?.toLowerCase() ?? "";
    const value = /"value":("[^"]*"|\d+|true|false)/.exec(text.slice(text.indexOf(key)))?.[1];
    const misled = lies.has(key) ||
      changes.some((one) => one.key === key && one.by !== "us" && one.at >= began);
    if (key !== "alpha" || value === undefined || misled) continue;
    const now = truth.get(key) ?? "gone";
    if (!text.includes(`"value":${now}`)) {
      breaches.push({ law: "passed", why: `step ${event.step.path} passed, and ${key} is ${now}` });
    }
  }
  return breaches;
}

/**
 * A button is pressed once in a step, unless its `done_when` says that it was not: input is never repeated blindly. What is
 * written down late may be the press of a step before, if none was seen in that.
 */
export function pressedOnce({ reported, story, late }: History, changes: readonly Step[]): Breach[] {
  if (JSON.stringify(story.steps).includes('"done_when"')) return [];
  const breaches: Breach[] = [];
  let began = 0, owed = 0;
  for (const { event, at } of reported) {
    if (event.event === "step-started") began = at;
    if (event.event !== "step-finished" || event.step.operation !== "click") continue;
    let seen = 0;
    for (const key of ["count", "sent"]) {
      const times = changes.filter((one) =>
        one.key === key && one.at >= began && one.at < at && one.by !== "other"
      );
      seen += times.length;
      const landed = late ? owed : Math.min(owed, times.filter(({ by }) => by === "late").length);
      if (times.length <= 1 + landed) continue;
      const why = `step ${event.step.path} presses the button of "${key}" ${times.length} times`;
      breaches.push({ law: "repeated", why });
    }
    owed = Math.max(0, owed + 1 - seen);
  }
  return breaches;
}
