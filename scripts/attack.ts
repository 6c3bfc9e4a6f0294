import process from "node:process";
import { defined } from "../src/base/defined.ts";
import { Desk } from "./attack/desk.ts";
import { judge } from "./attack/judge.ts";
import { makePlan } from "./attack/make.ts";
import { type Found, playMany, summary } from "./attack/many.ts";
import { tryMutants } from "./attack/mutants.ts";
import { type Plan, planText, type ToolkitName, TOOLKITS } from "./attack/plan.ts";
import type { Played } from "./attack/play.ts";
import { timeline } from "./attack/timeline.ts";
import { missingFor } from "./attack/toolkits.ts";
import { optionsOf } from "./options.ts";

const USAGE =
  `deno task attack [--seed S] [--count N] [--on TOOLKIT] [--format text|json] [--jobs N] [--replay SEED | --mutants]

Random nasty applications under random workflows, judged by the applications' own account. The same seed is the same play.

  --seed S       the first seed; default: one by the clock, which is printed
  --count N      how many; default 50
  --on           ${TOOLKITS.join(", ")}; default: each in turn, by the seed
  --jobs N       desktops at once; default 2
  --shrinks N    false verdicts that are made smaller; default 3
  --first        ends with the first false verdict
  --format       text or json
  --replay SEED  plays this one alone and tells all that happened, in its order
  --plan JSON    with --replay: this plan instead of its seed's, as --format json prints one
  --mutants      bugs seeded into a copy of the engine, each of which must make verdicts false`;

function foundText({ plan, smallest, falsehoods }: Found): string {
  const why = falsehoods.map(({ law, why }) => `  ${law}: ${why}`).join("\n");
  return `False verdict. As small as it became:\n${
    planText(smallest)
  }${why}\n  again: deno task attack --replay ${plan.seed} --on ${plan.toolkit}\n`;
}

/** Plays one plan and tells everything; answers the exit code. */
async function replay(plan: Plan): Promise<number> {
  const desk = await Desk.open(plan.toolkit);
  try {
    const played = await desk.play(plan);
    const falsehoods = judge(played);
    console.log(planText(plan));
    for (const line of timeline(played)) console.log(line);
    for (const { law, why } of falsehoods) console.log(`false: ${law}: ${why}`);
    const { status = "thrown", exit = "-", rollback } = played.result ?? {};
    console.log(
      `attack: seed ${plan.seed} on ${plan.toolkit}: ${status}, ${rollback?.verdict ?? "-"}, exit ${exit}`,
    );
    return falsehoods.length === 0 ? 0 : 1;
  } finally {
    await desk.close();
  }
}

/** Plays many; answers the exit code. */
async function many(
  { seed, count, on, jobs, shrinks, first, json }: {
    readonly seed: number;
    readonly count: number;
    readonly on: ToolkitName | undefined;
    readonly jobs: number;
    readonly shrinks: number;
    readonly first: boolean;
    readonly json: boolean;
  },
): Promise<number> {
  const live = !json && process.stderr.isTTY;
  const tally = await playMany({
    seed,
    count,
    jobs,
    shrinks,
    first,
    ...defined({ on }),
    played(done, { plan }: Played) {
      if (live) process.stderr.write(`\r\x1b[K${done} of ${count}, ${plan.toolkit}`);
      else if (!json && done % 100 === 0) console.error(`${done} of ${count}`);
    },
    found(found) {
      if (live) process.stderr.write("\r\x1b[K");
      if (!json) console.log(foundText(found));
    },
  });
  if (live) process.stderr.write("\r\x1b[K");
  console.log(
    json
      ? JSON.stringify({ seed, ...tally, milliseconds: Math.round(tally.milliseconds) })
      : summary(tally, seed),
  );
  return tally.found.length === 0 ? 0 : 1;
}

const { values } = optionsOf(USAGE, {
  options: {
    count: { type: "string", default: "50" },
    seed: { type: "string" },
    on: { type: "string" },
    jobs: { type: "string", default: "2" },
    shrinks: { type: "string", default: "3" },
    format: { type: "string", default: "text" },
    replay: { type: "string" },
    plan: { type: "string" },
    first: { type: "boolean", default: false },
    mutants: { type: "boolean", default: false },
  },
});
const on = TOOLKITS.find((name) => name === values.on);
const seed = Number(values.replay ?? values.seed ?? Date.now() % 1_000_000_000);
const [count, jobs, shrinks] = [Number(values.count), Number(values.jobs), Number(values.shrinks)];
const missing = (on === undefined ? TOOLKITS : [on]).flatMap((name) => missingFor(name));
if (
  [seed, count, jobs, shrinks].some((n) => !Number.isSafeInteger(n) || n < 0) || count < 1 || jobs < 1 ||
  (values.on !== undefined && !on)
) {
  console.error(USAGE);
  process.exitCode = 2;
} else if (missing.length > 0) {
  console.error(`The nasty applications are not all to be had: install ${missing.join(", ")}`);
  process.exitCode = 2;
} else if (values.mutants) {
  process.exitCode = await tryMutants({ say: console.log }) ? 0 : 1;
} else if (values.replay !== undefined) {
  const made = makePlan(seed, on);
  process.exitCode = await replay(values.plan === undefined ? made : { ...made, ...JSON.parse(values.plan) });
} else {
  process.exitCode = await many({
    seed,
    count,
    on,
    jobs,
    shrinks,
    first: values.first,
    json: values.format === "json",
  });
}
