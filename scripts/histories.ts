import { parseArgs } from "node:util";
import process from "node:process";
import { type Found, type Tally, tellMany } from "./histories/many.ts";
import { tryMutants } from "./histories/mutants.ts";
import { storyText } from "./histories/story.ts";

const USAGE = `deno task histories [--count N] [--seed S] [--format text|json] [--mutants [NAME]]

Random workflows with random misfortune on the simulated desktop, judged by its own log. The same seed is the same history.

  --count N    how many; default 1000
  --seed S     the first seed; default: one by the clock, which is printed
  --format     text or json
  --mutants    bugs seeded into a copy of the engine, each of which must break a law`;

/** A found breach for people. */
function foundText({ story, smallest, breaches }: Found): string {
  const laws = breaches.map(({ law, why }) => `  ${law}: ${why}`).join("\n");
  return `Seed ${story.seed} breaks a law. As small as it became:\n\n${storyText(smallest)}\n${laws}`;
}

function summary({ histories, ends, found, milliseconds }: Tally, seed: number): string {
  const each = (milliseconds / Math.max(1, histories)).toFixed(1);
  const kinds = Object.entries(ends).sort(([, a], [, b]) => b - a).map(([end, n]) => `${n} ${end}`).join(
    ", ",
  );
  const broken = found ? "1 breaks a law" : "every invariant held";
  return `${histories} histories from seed ${seed}: ${broken}; ${each} ms each (${kinds})`;
}

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string" },
    format: { type: "string", default: "text" },
    mutants: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const count = Number(values.count);
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);
if (values.help) console.log(USAGE);
else if (!Number.isSafeInteger(count) || !Number.isSafeInteger(seed) || count < 1) {
  console.error(USAGE);
  process.exitCode = 2;
} else if (values.mutants) {
  process.exitCode = await tryMutants({ count, seed, say: console.log }) ? 0 : 1;
} else {
  const tally = await tellMany(seed, count);
  if (values.format === "json") {
    const { found, ...rest } = tally;
    const told = found
      ? { story: found.story.seed, smallest: found.smallest, breaches: found.breaches }
      : null;
    console.log(JSON.stringify({ seed, ...rest, milliseconds: Math.round(rest.milliseconds), found: told }));
  } else {
    if (tally.found) console.log(`${foundText(tally.found)}\n`);
    console.log(summary(tally, seed));
  }
  process.exitCode = tally.found ? 1 : 0;
}
