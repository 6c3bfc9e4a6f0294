import { isMap } from "../../../src/base/json.ts";
import { ACTIONS } from "../../histories/watched.ts";
import type { Played } from "../play.ts";
import type { Control } from "../plan.ts";
import {
  aimOf,
  changedAfterwards,
  type Falsehood,
  keyOf,
  lastRead,
  muddled,
  speaksOf,
  type Tried,
  triedOf,
} from "./facts.ts";

/** Changes that follow each other within these milliseconds are one for who does not read just then. */
const AT_ONCE = 0.3;
/** Milliseconds by which two clocks may differ. */
const CLOCK = 5;

/** What a step says it read back, the application held; what it says it pressed, the application saw. */
export function held(play: Played): Falsehood[] {
  const steps = triedOf(play).filter(({ step }) => step.status === "passed");
  return steps.flatMap((tried) => [...unheld(tried, play), ...unseen(tried, play)]);
}

function unheld(tried: Tried, play: Played): Falsehood[] {
  const aim = aimOf(tried) ?? toggled(tried, play);
  if (!aim || !isVerified(tried)) return [];
  const last = play.calls.findLast(({ call, from }) =>
    ACTIONS.has(call) && from >= tried.from && from <= tried.to
  );
  const from = (last?.from ?? tried.from) - play.lag;
  const keys: readonly Control[] = muddled(play).has(aim.key) ? [...muddled(play)] : [aim.key];
  const reads = play.calls.filter((one) =>
    (one.call === "read" || one.call === "snapshot") && one.from >= (last?.from ?? tried.from) &&
    one.to <= tried.to
  );
  const values = keys.flatMap((key) => [
    ...play.account.heldBetween(key, from, tried.to + CLOCK, AT_ONCE),
    ...reads.flatMap((one) => [...play.account.heldBetween(key, one.from, one.to + CLOCK)]),
  ]);
  if (values.some(aim.is)) return [];
  return [{
    law: "held",
    why: `step ${tried.step.path} says that ${aim.key} was read back as ${aim.text}, and it was ${
      values.join(", ")
    }`,
  }];
}

function isVerified({ step: { output } }: Tried): boolean {
  return output !== undefined && isMap(output) && output["verified"] === true;
}

/** A click on a check box makes it the other way round. */
function toggled({ plan, from }: Tried, { account }: Played): ReturnType<typeof aimOf> {
  const key = keyOf(plan?.["click"]);
  if (key !== "wrap" && key !== "wifi") return undefined;
  const wanted = account.at(key, from) === "true" ? "false" : "true";
  return { key, is: (json) => json === wanted, text: wanted };
}

/** A button that was clicked, a row that was, and a key that was pressed, the application saw. */
function unseen(
  { plan, step, from, to }: Tried,
  { account, reported, plan: { toolkit } }: Played,
): Falsehood[] {
  const end = reported.find(({ event }) => event.event === "run-finished")?.at ?? to;
  const saw = (event: string, of: string) =>
    account.fired.some((one) =>
      one.event === event && one.of === of && one.at >= from - 20 && one.at <= Math.max(to, end) + 500
    ) ||
    account.died !== undefined;
  const clicked = plan?.["click"];
  const selector = String(clicked !== undefined && isMap(clicked) ? clicked["target"] : clicked ?? "");
  const [, kind = "", name = ""] = /^(button|listitem)\[name="(\w+)"\]/.exec(selector) ?? [];
  if (kind === "button" && !saw("clicked", name.toLowerCase())) {
    return [{
      law: "unseen",
      why: `step ${step.path} says that ${name} was clicked (${methodOf(step)}), and it never was`,
    }];
  }
  // Where a list acts on a click, that is what a click on its row is.
  if (kind === "listitem" && toolkit !== "chromium" && !saw("row-activated", name)) {
    return [{
      law: "unseen",
      why: `step ${step.path} says that row ${name} was clicked, and the list never acted`,
    }];
  }
  return [];
}

function methodOf({ output }: Tried["step"]): string {
  const { method = "-", verified = false } = output !== undefined && isMap(output) ? output : {};
  return `${String(method)}, ${verified === true ? "verified" : "not verified"}`;
}

/** Of a run that passed: what no longer is as a step left it is named as changed afterwards. */
export function changed(play: Played): Falsehood[] {
  const { result, reported, account } = play;
  if (result?.status !== "passed" || account.died !== undefined) return [];
  const steps = triedOf(play);
  const end = reported.find(({ event }) => event.event === "run-finished")?.at ?? 0;
  const rolledBack = reported.filter(({ event }) => event.event === "rollback-finished").map(({ at }) => at);
  const texts = [changedAfterwards(play), JSON.stringify(result.rollback)];
  return steps.flatMap((tried, index): Falsehood[] => {
    const aim = tried.step.status === "passed" ? aimOf(tried) ?? toggled(tried, play) : undefined;
    if (!aim || !isVerified(tried) || rolledBack.some((at) => at > tried.to)) return [];
    const later = steps.slice(index + 1);
    if (later.some((one) => (aimOf(one)?.key ?? keyOf(one.plan?.["click"])) === aim.key)) return [];
    // What may have changed more than it protects ends what is known: until then it is judged.
    const unknown = later.find(({ step }) => step.effect !== "restorable" && step.effect !== "read");
    const until = unknown?.from ?? end;
    const read = lastRead(play, aim.key, tried.to, until);
    const moment = (read ?? until) - Math.max(play.lag, 20);
    const now = account.at(aim.key, moment);
    if (moment <= tried.to || now === undefined || aim.is(now)) return [];
    if (texts.some((text) => speaksOf(text, aim.key, play)) || muddled(play).has(aim.key)) return [];
    return [{
      law: "changed",
      why:
        `step ${tried.step.path} left ${aim.key} as ${aim.text}, the run passed, and it was ${now}: it is not named`,
    }];
  });
}
