import { ACTIONS } from "../../histories/watched.ts";
import type { Played } from "../play.ts";
import { CONTROLS } from "../plan.ts";
import {
  changedAfterwards,
  type Falsehood,
  isMuddled,
  lastRead,
  type Scope,
  scopesOf,
  speaksOf,
} from "./facts.ts";

/** What a rollback must see: what comes of its last write within this many milliseconds. It waits a second. */
const SEES = 800;

/** Verdicts that say that all is as it was. */
const CLEAN: ReadonlySet<string> = new Set(["restored", "none", "rebuilt"]);

/** What says `restored` is: by the application's own account, at the last read, and in the second after the last write. */
export function restored(play: Played): Falsehood[] {
  const found: Falsehood[] = [];
  /** What an earlier rollback left, and said so: none that comes later touches it. */
  let left = "";
  const earlier: Scope[] = [];
  for (const whole of scopesOf(play)) {
    const scope = sinceFurtherBack(whole, earlier);
    earlier.push(whole);
    if (CLEAN.has(scope.back.verdict) && !saysOtherwise(scope) && !isIdle(scope, play)) {
      found.push(...CONTROLS.flatMap((key) => differs(key, scope, left, play)));
      found.push(...uncounted(scope, left, play));
    }
    const { drift, beside, steps } = scope.back;
    const bad = steps.filter(({ verdict }) => verdict !== "restored" && verdict !== "already");
    left += `${JSON.stringify([drift, beside, bad])}${scope.afterwards}`;
  }
  return found;
}

/**
 * What a rollback has left to undo where one in its scope went further back, to a savepoint around it: what came after that one. How
 * that one left it is its own to say.
 */
function sinceFurtherBack(scope: Scope, earlier: readonly Scope[]): Scope {
  const further = earlier.filter(({ base, finished }) =>
    base < scope.base && finished > scope.base && finished <= scope.begun
  );
  return { ...scope, base: Math.max(scope.base, ...further.map(({ finished }) => finished)) };
}

/** Nothing was done after the barrier at which it ends: what lands then is the barrier's. */
function isIdle({ back, base, begun }: Scope, { calls }: Played): boolean {
  return back.barrier !== undefined &&
    !calls.some(({ call, from }) => ACTIONS.has(call) && from >= base && from < begun);
}

function saysOtherwise({ afterwards }: Scope): boolean {
  return /"verdict":"(drift|failed)"/.test(afterwards);
}

function differs(key: string, scope: Scope, left: string, play: Played): Falsehood[] {
  const { account } = play;
  const { base, back, begun, finished, until, path } = scope;
  const mine = account.changes.filter((one) => one.key === key && one.at >= base && one.at <= until);
  // What lands before the first action here is of a step before the savepoint, which is taken once the application is quiet.
  const acted = play.calls.find(({ call, from }) => ACTIONS.has(call) && from >= base)?.from ?? begun;
  const ours = mine.filter((one) => one.by === "outside" && one.at >= acted);
  const enrolled = back.enrolled.some(({ label }) => speaksOf(JSON.stringify(label), key, play));
  const [first] = ours;
  // What only the application changed, and nobody protected, must be told where it can be seen: beside the verdict.
  // Nor is what nobody wrote known to be protected where another control may have had its name.
  if (!first && (!enrolled || isMuddled(key, play))) return besides(key, scope, left, play);
  const wrote = Math.max(
    base,
    ...account.changes.filter(({ by, at }) => by === "outside" && at <= finished).map(({ at }) => at),
  );
  const read = lastRead(play, key, begun, until) ?? finished;
  const moment = Math.min(until, Math.max(read - play.lag, wrote + SEES));
  const dead = account.died !== undefined && account.died <= read && account.died >= base;
  const where = `rollback of "${path}" says ${back.verdict}`;
  if (dead && enrolled) return [{ law: "restored", why: `${where}, and the application had died` }];
  // As it was at the savepoint, or when it was first looked at; what the application itself made of it until then counts.
  const allowed = account.heldBetween(key, base, first ? first.at - 0.01 : begun);
  const now = account.at(key, moment);
  if (now === undefined || allowed.has(now)) return [];
  // Said later than that moment, it is true by what is there when it is said.
  const said = account.at(key, finished);
  if (moment < finished && said !== undefined && allowed.has(said)) return [];
  const reported = [left, scope.afterwards, JSON.stringify(back.beside ?? []), changedAfterwards(play)];
  if (reported.some((text) => speaksOf(text, key, play))) return [];
  return [{
    law: "restored",
    why: `${where}, and ${key} is ${now}, not ${[...allowed].join(" or ")}, ${
      Math.round(moment - finished)
    } ms after it`,
  }];
}

/** What is not protected and differs is named beside the verdict of a transaction. */
function besides(key: string, scope: Scope, left: string, play: Played): Falsehood[] {
  const { account, reported } = play;
  const { base, begun, finished, path, back } = scope;
  const transaction = reported.some(({ event }) =>
    event.event === "transaction-started" && event.path === path
  );
  if (!transaction || back.steps.length === 0 || account.died !== undefined) return [];
  // The picture of the savepoint is taken before the first step, once the application is quiet.
  const pictured = reported.find((one) => one.event.event === "step-started" && one.at >= base)?.at ?? begun;
  const [before, at] = [account.heldBetween(key, base, pictured), account.at(key, begun)];
  const still = account.heldBetween(key, begun - play.lag, finished + SEES);
  if (at === undefined || before.has(at) || still.size > 1) return [];
  const texts = [JSON.stringify([back.beside, back.drift, back.steps]), left, scope.afterwards];
  if (texts.some((text) => speaksOf(text, key, play))) return [];
  return [{ law: "named", why: `rollback of "${path}" does not name ${key}, which became ${at}` }];
}

/** What was pressed as often as it was pressed back counts as before. */
function uncounted({ base, until, back, path }: Scope, left: string, { account }: Played): Falsehood[] {
  const presses = account.changes.filter(({ key, at }) => key === "count" && at >= base && at <= until);
  const [first, last] = [presses[0]?.before, presses.at(-1)?.after];
  // What an earlier rollback could not undo, and named, no later one touches.
  if (first === last || `${JSON.stringify(back.beside ?? [])}${left}`.includes("Count")) return [];
  return [{
    law: "restored",
    why: `rollback of "${path}" says ${back.verdict}, and the count went from ${first} to ${last}`,
  }];
}
