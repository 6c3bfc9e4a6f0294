import { isActionWhat } from "../../src/contract/rollback-what.ts";
import type { Breach } from "./judge.ts";
import { COLOURS, FORM } from "./form.ts";
import type { History } from "./live.ts";
import { keysOf, named } from "./naming.ts";
import type { Scope } from "./scopes.ts";
import type { Step } from "./values.ts";

/** What a rollback said, against what is true. */
export function judgeScope(
  scope: Scope,
  earlier: readonly Scope[],
  changes: readonly Step[],
  history: History,
): Breach[] {
  const { back, done, start } = scope;
  const inner = earlier.filter((one) => one.begun.at >= start.at);
  const reported = named(back);
  // What a rollback inside of this one left and named is not touched again.
  for (const { keys, paths } of inner.map((one) => named(one.back))) {
    for (const key of keys) reported.keys.add(key);
    for (const path of paths) reported.paths.add(path);
  }
  const mine = changes.filter((one) => one.at >= start.at && one.at < done.at);
  const where = scope.path === "" ? "the file's rollback" : `the undo of ${scope.path}`;
  const enrolled = new Set(back.enrolled.flatMap(({ label }) => keysOf(label)));
  const touched = new Set(mine.filter((one) => one.by === "us").map(({ key }) => key));
  const seesAll = scope.path !== "" && !scope.toSavepoint && !sawNothingElse(scope, history);
  // An action that stays is named, and with it what it changed.
  const byNamedAction = (key: string) =>
    mine.some((one) => one.key === key && reported.paths.has(one.path ?? ""));
  const breaches: Breach[] = [];
  for (const key of new Set([...enrolled, ...(seesAll && back.steps.length > 0 ? touched : [])])) {
    if (excused(key, scope, mine, history) || inner.some((one) => one.start.lies.has(key))) continue;
    const allowed = baselines(key, scope, inner, mine);
    const now = done.truth.get(key) ?? "gone";
    if (allowed.has(now)) continue;
    // What nothing protects is compared with the application as it was when the transaction began, and reads the same.
    if (!enrolled.has(key) && now === (start.truth.get(key) ?? "gone")) continue;
    const is = `it is ${now}, was ${[...allowed].join(" or ")}`;
    if (enrolled.has(key) && back.verdict === "restored" && !reported.keys.has(key)) {
      breaches.push({ law: "restored", why: `${where} is restored, and ${key} is not: ${is}` });
    } else if (!reported.keys.has(key) && !byNamedAction(key)) {
      if (!enrolled.has(key) && mine.some((one) => one.key === key && one.by !== "us")) continue;
      breaches.push({ law: "named", why: `${where} is ${back.verdict} without naming ${key}: ${is}` });
    }
  }
  if (history.story.head["on_conflict"] !== "force") {
    breaches.push(...overwritten(scope, mine, where, history));
  }
  return [
    ...breaches,
    ...needless(scope, mine, where, history),
    ...carets(scope, inner, where, history),
    ...landed(scope, inner, mine, where, history),
    ...leftOpen(scope, where, history),
  ];
}

/** A list that a click of ours opened is closed, where nothing went wrong and the rollback says `restored`. */
function leftOpen({ start, done, back }: Scope, where: string, { story }: History): Breach[] {
  if (story.faults.length > 0 || story.interrupt !== undefined || back.verdict !== "restored") return [];
  if (start.truth.get("popup") !== "false" || done.truth.get("popup") !== "true") return [];
  return [{ law: "open", why: `${where} is restored, and a list is open that was not` }];
}

/** What nothing stands in the way of comes back: without fault injection there is no conflict and no failure. */
function needless(
  { back }: Scope,
  mine: readonly Step[],
  where: string,
  { story, reported }: History,
): Breach[] {
  if (story.faults.length > 0 || story.interrupt !== undefined) return [];
  const irreversible = new Set(
    reported.flatMap(({ event }) =>
      event.event === "step-finished" && event.step.effect === "irreversible" ? [event.step.path] : []
    ),
  );
  return back.steps.flatMap(({ what, verdict, incidental, reason = "" }): Breach[] => {
    if (incidental || GOOD.has(verdict) || verdict === "unrestorable" || isActionWhat(what)) return [];
    const keys = keysOf(what);
    // An opposite action, or one that cannot be undone, may have changed it too.
    const disturbed = mine.some(({ key, path = "" }) =>
      keys.includes(key) && (path.includes(".undo.") || irreversible.has(path))
    );
    if (disturbed) return [];
    return [{
      law: "needless",
      why: `${where} ends in ${verdict} of ${what}, and nothing was in its way (${reason})`,
    }];
  });
}

/** What cannot be undone and happened is named; what is said not to have happened did not. */
function landed(
  { back, begun, start }: Scope,
  inner: readonly Scope[],
  mine: readonly Step[],
  where: string,
  { reported }: History,
): Breach[] {
  const happened = new Set(
    mine.flatMap(({ by, path, at }) =>
      by === "us" && path !== undefined && at < begun.at && !path.includes(".undo.") &&
        !inner.some((one) => at >= one.start.at && at < one.done.at)
        ? [path]
        : []
    ),
  );
  const actions = back.steps.filter(({ what }) => isActionWhat(what));
  const denied = actions.filter(({ path, verdict, reason }) =>
    verdict === "already" && reason === "it did not happen" && happened.has(path) &&
    // Another try of the same step did.
    !actions.some((one) => one.path === path && one.verdict !== "already")
  ).map(({ path }): Breach => ({
    law: "landed",
    why: `${where} says that ${path} did not happen, and it did`,
  }));
  const irreversible = reported.flatMap(({ event, at }) =>
    event.event === "step-finished" && event.step.effect === "irreversible" && at > start.at && at <= begun.at
      ? [event.step.path]
      : []
  );
  const passed = [...new Set(irreversible)]
    .filter((path) =>
      happened.has(path) && !actions.some((one) => one.path === path) && back.barrier?.path !== path
    )
    .map((path): Breach => ({
      law: "landed",
      why: `${where} passes ${path}, which is irreversible, and does not name it`,
    }));
  return [...denied, ...passed];
}

/** Carets are restored as far as that goes: all the way, where nothing is in the way. */
function carets(
  { start, done, back }: Scope,
  inner: readonly Scope[],
  where: string,
  { story, reported }: History,
): Breach[] {
  const plain = story.faults.length === 0 && story.interrupt === undefined && inner.length === 0 &&
    back.verdict === "restored" &&
    reported.every(({ event }) => event.event !== "step-finished" || QUIET.has(event.step.effect));
  if (!plain) return [];
  return back.steps.flatMap(({ what }): Breach[] => {
    const [key = ""] = what.startsWith("text of ") ? keysOf(what) : [];
    const [was, now] = [start.carets.get(key), done.carets.get(key)];
    return was === now
      ? []
      : [{ law: "caret", why: `${where} is restored, and the caret of ${key} is at ${now}, was at ${was}` }];
  });
}

/** Effects of steps that touch nothing but what they say. */
const QUIET: ReadonlySet<string> = new Set(["read", "restorable"]);

const GOOD: ReadonlySet<string> = new Set(["restored", "already", "compensated"]);

/** It says itself that it does not know what else differs. */
function sawNothingElse({ start, done }: Scope, { reported }: History): boolean {
  return reported.slice(reported.indexOf(start), reported.indexOf(done))
    .some(({ event }) =>
      event.event === "note" && event.message.startsWith("What else differs is not known")
    );
}

/**
 * What cannot be told: a lie that lasts (the last read, or the last one at the savepoint, did not tell the truth), and what
 * changed by another hand, or went with its application, after it was looked at last.
 */
function excused(
  key: string,
  { start, done }: Scope,
  mine: readonly Step[],
  { log }: History,
): boolean {
  if (done.lies.has(key) || start.lies.has(key) || key === "pin") return true;
  const looked = done.looked.get(READ_CALLS.get(key) ?? key) ?? 0;
  if (mine.some((one) => one.key === key && one.by !== "us" && one.at >= looked)) return true;
  return log.slice(looked, done.at).some(({ changes }) =>
    changes.some(({ app, what, after }) => app === FORM && what === "running" && after === false)
  );
}

/** By which call some things are looked at. */
const READ_CALLS: ReadonlyMap<string, string> = new Map([["clipboard", "readClipboard"], [
  "process",
  "applications",
]]);

/**
 * What a key may be after a rollback: what it was at the savepoint, with what others made of it before our first action. What
 * changed between our look and our action cannot be known to us: both are right then. What was done and rolled back in between
 * counts by what it left.
 */
function baselines(
  key: string,
  { start, begun }: Scope,
  inner: readonly Scope[],
  mine: readonly Step[],
): Set<string> {
  const before = mine.filter((one) =>
    one.at < begun.at && !inner.some((scope) => one.at >= scope.start.at && one.at < scope.done.at)
  );
  const own = before.filter((one) => one.key === key);
  // Of radio buttons our action may leave one as it is: they are looked at and chosen together.
  const together: readonly string[] = COLOURS.some((one) => one === key) ? COLOURS : [key];
  const first = before.find((one) => one.by === "us" && together.includes(one.key))?.at ?? Infinity;
  // What we had given up on may land before our first action, or be the first one itself.
  const landed = own.find((one) => one.by === "late")?.at ?? Infinity;
  const reset = inner.findLast((scope) => scope.done.at <= Math.min(first, landed));
  const allowed = [(reset ? reset.done : start).truth.get(key) ?? "gone"];
  for (const one of own) {
    if (one.at < first && one.by !== "us" && one.at >= (reset?.done.at ?? 0)) allowed.push(one.after);
  }
  return new Set(allowed);
}

/** What a person changed after our action stays; what came while the action was being done cannot be told from it. */
function overwritten(
  scope: Scope,
  mine: readonly Step[],
  where: string,
  { reported, journal }: History,
): Breach[] {
  const { done, begun } = scope;
  const breaches: Breach[] = [];
  for (const key of new Set(mine.filter((one) => one.by === "other").map((one) => one.key))) {
    if (done.lies.has(key) || key === "pin" || key === "echo") continue;
    const own = mine.filter((one) => one.key === key);
    const last = own.findLast((one) => one.at < begun.at);
    const ours = own.filter((one) => one.by === "us" && one.at < begun.at);
    const after = own.find((one) => one.by === "us" && one.at >= begun.at);
    if (last?.by !== "other" || after === undefined) continue;
    // The same value again is not to be told from ours.
    if (own.some((one) => one.at < last.at && (one.before === last.after || one.after === last.after))) {
      continue;
    }
    // The author's undo does what the author says, where its guard lets it.
    if (ours.length === 0 || after.path?.includes(".undo.")) continue;
    // What a step left could not be read, as its journal says: what came then is not to be told from it.
    const unread = journal.some(({ entry }) =>
      entry.kind === "action-end" && ours.some(({ path }) => path === entry.path) &&
      entry.unread?.some((text) => keysOf(text.split(": ")[0] ?? "").includes(key))
    );
    if (unread) continue;
    const during = reported.some(({ event, at }, index) =>
      event.event === "step-finished" && at > last.at && ours.some(({ path }) => path === event.step.path) &&
      reported.slice(0, index).some((one) =>
        one.event.event === "step-started" && one.event.path === event.step.path && one.at <= last.at
      )
    );
    if (during) continue;
    const why = `${where} overwrites ${key}: ${last.after} by a person became ${after.after}`;
    breaches.push({ law: "overwritten", why });
  }
  return breaches;
}
