import type { Breach } from "./judge.ts";
import type { History } from "./live.ts";
import { keysOf, named } from "./naming.ts";
import type { Scope } from "./scopes.ts";
import type { Step } from "./values.ts";

/** What a way back said, against what is true. */
export function judgeScope(
  scope: Scope,
  earlier: readonly Scope[],
  changes: readonly Step[],
  history: History,
): Breach[] {
  const { back, done, begun, start } = scope;
  const breaches: Breach[] = [];
  const told = named(back);
  const mine = changes.filter((one) => one.at >= start.at && one.at < done.at);
  const where = scope.path === "" ? "the file's way back" : `the way back of ${scope.path}`;
  const enrolled = new Set(back.enrolled.flatMap(({ label }) => keysOf(label)));

  // A deed that stays is named, and with it what it changed.
  const byNamedDeed = (key: string) => mine.some((one) => one.key === key && told.paths.has(one.path ?? ""));
  for (const key of enrolled) {
    const now = done.truth.get(key) ?? "gone";
    if (excused(key, scope, mine)) continue;
    // It was looked at before an opposite deed of which the application died: that deed is named.
    if (now === "gone" && back.verdict === "failed" && told.paths.size > 0) continue;
    const allowed = baselines(key, scope, mine);
    const fits = allowed.has(now);
    if (back.verdict === "restored" && !fits) {
      const was = [...allowed].join(" or ");
      breaches.push({ law: "restored", why: `${where} is restored, and ${key} is ${now}, was ${was}` });
    } else if (!fits && !told.keys.has(key) && !byNamedDeed(key)) {
      breaches.push({
        law: "named",
        why: `${where} is ${back.verdict} without naming ${key}: it is ${now}, was ${
          [...allowed].join(" or ")
        }`,
      });
    }
  }
  if (!sawNothingElse(scope, history)) breaches.push(...sideEffects(scope, mine, enrolled, told, where));
  if (history.story.head["on_conflict"] !== "force") {
    breaches.push(...overwritten(scope, earlier, mine, where, begun.at));
  }
  return breaches;
}

/** It says itself that it does not know what else differs. */
function sawNothingElse({ begun, done }: Scope, { told }: History): boolean {
  return told.slice(told.indexOf(begun), told.indexOf(done))
    .some(({ event }) =>
      event.event === "note" && event.message.startsWith("What else differs is not known")
    );
}

/**
 * What cannot be told: a lie that lasts (reads of it still do not tell the truth), and what changed by another hand after it
 * was looked at last.
 */
function excused(key: string, { done }: Scope, mine: readonly Step[]): boolean {
  if (done.lies.has(key) || key === "pin") return true;
  const looked = done.looked.get(LOOKS.get(key) ?? key) ?? done.looked.get(key) ?? 0;
  return mine.some((one) => one.key === key && one.by !== "us" && one.at >= looked);
}

/** By which call some things are looked at. */
const LOOKS: ReadonlyMap<string, string> = new Map([["clipboard", "readClipboard"], [
  "process",
  "applications",
]]);

/**
 * What a key may be after a way back that calls itself restored: what it was at the savepoint, with what others made of it
 * before our first deed. What changed between our look and our deed cannot be known to us: both are right then.
 */
function baselines(key: string, { start, begun }: Scope, mine: readonly Step[]): Set<string> {
  const own = mine.filter((one) => one.key === key);
  const first = own.find((one) => one.by !== "other" && one.at < begun.at);
  const was = start.truth.get(key) ?? "gone";
  const allowed = [was];
  for (const one of own) {
    if (first !== undefined && one.at >= first.at) break;
    if (one.by === "other" && one.at < begun.at) allowed.push(one.after);
  }
  // Without a race, only the last of them is right; with one, the look came before it.
  return new Set(allowed);
}

/** What was not enrolled and changed by our deeds is named, inside of a transaction, or the deed that did it is. */
function sideEffects(
  { back, done, start, path, toSavepoint }: Scope,
  mine: readonly Step[],
  enrolled: ReadonlySet<string>,
  told: ReturnType<typeof named>,
  where: string,
): Breach[] {
  if (path === "" || toSavepoint || back.steps.length === 0) return [];
  const keys = new Set(mine.filter((one) => one.by === "us").map(({ key }) => key));
  return [...keys].flatMap((key): Breach[] => {
    const [was, now] = [start.truth.get(key) ?? "gone", done.truth.get(key) ?? "gone"];
    if (enrolled.has(key) || was === now || told.keys.has(key) || key === "pin" || done.lies.has(key)) {
      return [];
    }
    if (mine.some((one) => one.key === key && (one.by !== "us" || told.paths.has(one.path ?? "")))) return [];
    // Without a look at the whole application only what is enrolled is known.
    if (now === "gone" || key === "clipboard" || key === "process") return [];
    return [{ law: "named", why: `${where} does not name ${key}: it is ${now}, was ${was}` }];
  });
}

/** What a person changed stays, unless our own deed came over it before the way back began. */
function overwritten(
  scope: Scope,
  _earlier: readonly Scope[],
  mine: readonly Step[],
  where: string,
  begun: number,
): Breach[] {
  const { done } = scope;
  const breaches: Breach[] = [];
  for (const key of new Set(mine.filter((one) => one.by === "other").map((one) => one.key))) {
    if (done.lies.has(key) || key === "pin") continue;
    const own = mine.filter((one) => one.key === key);
    const last = own.findLast((one) => one.at < begun);
    const ours = own.some((one) => one.by === "us" && one.at < begun);
    const after = own.find((one) => one.by === "us" && one.at >= begun);
    // The last word before the way back was a person's, and it is not what our deeds had left or found.
    const foreign = last?.by === "other" && ours &&
      !own.some((one) => one.at < last.at && (one.before === last.after || one.after === last.after));
    if (foreign && after !== undefined) {
      breaches.push({
        law: "overwritten",
        why: `${where} overwrites ${key}: ${last.after} by a person became ${after.after}`,
      });
    }
  }
  return breaches;
}
