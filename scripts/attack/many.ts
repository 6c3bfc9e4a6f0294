import { toBackstepError } from "../../src/base/error.ts";
import { Desk } from "./desk.ts";
import { type Falsehood, judge } from "./judge.ts";
import { makePlan } from "./make.ts";
import { type Plan, type ToolkitName, TOOLKITS } from "./plan.ts";
import type { Played } from "./play.ts";
import { shrink } from "./shrink.ts";

/** A play whose verdict is false. */
export interface Found {
  readonly plan: Plan;
  /** As small as it became while the same law is broken; the plan itself where it was not made smaller. */
  readonly smallest: Plan;
  readonly falsehoods: readonly Falsehood[];
}

/** What came of many plays. */
export interface Tally {
  readonly plays: number;
  readonly toolkits: readonly ToolkitName[];
  /** By verdict, or by status where nothing was rolled back. */
  readonly ends: Readonly<Record<string, number>>;
  readonly found: readonly Found[];
  readonly milliseconds: number;
}

/** How many plays, and how. */
export interface Orders {
  readonly seed: number;
  readonly count: number;
  /** Default: each of the toolkits in turn, by the seed. */
  readonly on?: ToolkitName;
  /** False verdicts that are made smaller at most; default 3. */
  readonly shrinks?: number;
  /** End with the first false verdict; default false. */
  readonly first?: boolean;
  /** Desktops at once at most; default 2. */
  readonly jobs?: number;
  /** Folder of the program's state; default: as everywhere. */
  readonly state?: string;
  /** Hears of each play that is over. */
  played?(done: number, played: Played): void;
  /** Hears of each false verdict. */
  found?(found: Found): void;
}

/** Plays the plans of `count` seeds, each toolkit's on a desktop of its own. */
export async function playMany(orders: Orders): Promise<Tally> {
  const began = performance.now();
  const plans = Array.from({ length: orders.count }, (_, n) => makePlan(orders.seed + n, orders.on));
  const toolkits = TOOLKITS.filter((name) => plans.some(({ toolkit }) => toolkit === name));
  const ends: Record<string, number> = {};
  const found: Found[] = [];
  let done = 0;
  let shrinks = orders.shrinks ?? 3;
  const waiting = [...toolkits];
  const desk = async (name: ToolkitName) => {
    let at = await Desk.open(name, orders.state);
    try {
      for (const plan of plans.filter(({ toolkit }) => toolkit === name)) {
        if (orders.first && found.length > 0) break;
        const played = await at.play(plan).catch(async (thrown) => {
          // A desktop whose application is not to be had any more is replaced, once.
          if (toBackstepError(thrown).code === "internal") throw thrown;
          await at.close();
          at = await Desk.open(name, orders.state);
          return await at.play(plan);
        });
        const end = endOf(played);
        ends[end] = (ends[end] ?? 0) + 1;
        orders.played?.(++done, played);
        const falsehoods = judge(played);
        const [first] = falsehoods;
        if (!first) continue;
        const smaller = shrinks-- > 0;
        // A smaller one whose run does not begin leaves no journal, and shows nothing.
        const still = async (one: Plan) => {
          const again = await at.play(one).catch((thrown) => {
            if (toBackstepError(thrown).code !== "io") throw thrown;
          });
          return again !== undefined && judge(again).some(({ law }) => law === first.law);
        };
        const one = { plan, smallest: smaller ? await shrink(plan, still) : plan, falsehoods };
        found.push(one);
        orders.found?.(one);
      }
    } finally {
      await at.close();
    }
  };
  const worker = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) await desk(name);
  };
  await Promise.all(Array.from({ length: Math.max(1, orders.jobs ?? 2) }, worker));
  return { plays: done, toolkits, ends, found, milliseconds: performance.now() - began };
}

function endOf({ result, account }: Played): string {
  if (account.lost) return "the toolkit crashed";
  if (!result) return "thrown";
  const { status, rollback: { verdict } } = result;
  return status === "passed" ? "passed" : verdict === "none" ? `${status}, nothing to roll back` : verdict;
}

/** The last line: `attack: 50 plays from seed 7 over 5 toolkits: 0 false verdicts (24 restored, 11 drift)`. */
export function summary({ plays, toolkits, ends, found }: Tally, seed: number): string {
  const kinds = Object.entries(ends).sort(([, a], [, b]) => b - a).map(([end, n]) => `${n} ${end}`).join(
    ", ",
  );
  const of = (n: number, word: string) => `${n} ${word}${n === 1 ? "" : "s"}`;
  return `attack: ${of(plays, "play")} from seed ${seed} over ${of(toolkits.length, "toolkit")}: ${
    of(found.length, "false verdict")
  } (${kinds})`;
}
