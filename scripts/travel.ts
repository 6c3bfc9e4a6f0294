/** Random jumps between the steps of a run on real forms: see USAGE. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Json } from "../src/base/error.ts";
import type { InteractiveRun } from "../src/engine/interactive/interactive-run.ts";
import { differences, fileText } from "./edits/file-text.ts";
import type { State } from "./edits/form.ts";
import { FromTheTop } from "./edits/from-the-top.ts";
import { type FormStep, randomStep, restorableStep } from "./edits/steps.ts";
import { Dice } from "./histories/dice.ts";
import { missingFor, type Toolkit, toolkitNamed } from "./histories/real/toolkits.ts";
import { begin, fileOf, FormDesktop } from "./travel/life.ts";
import { optionsOf } from "./options.ts";

const USAGE = `deno task travel [--seed S] [--jumps N] [--forks N] [--on FORM,…] [--barriers N] [--verbose]

Random jumps between the steps of a run on real forms, judged by the form's own account: before each step it must hold what it
held there when the run came by first. Then forks from random steps, which must end as a run from the top does. Ends with 1
where a jump ended otherwise, one over restorable steps was not a rollback, one over a step that cannot be rolled back was not
named rebuilt, or a fork ended otherwise than a run from the top.

  --barriers   steps that cannot be rolled back; default 1
  --forks      default 2
  --jumps      default 30
  --on         forms; default gtk3,gtk4,qt,chromium
  --seed       a whole number; default 1
  --verbose    prints each jump`;

const { values } = optionsOf(USAGE, {
  options: {
    seed: { type: "string", default: "1" },
    jumps: { type: "string", default: "30" },
    forks: { type: "string", default: "2" },
    on: { type: "string", default: "gtk3,gtk4,qt,chromium" },
    barriers: { type: "string", default: "1" },
    verbose: { type: "boolean", default: false },
  },
});

/** Steps of the file. */
const STEPS = 10;

let failed = false;
for (const name of values.on.split(",")) {
  const toolkit = toolkitNamed(name);
  if (!toolkit) throw new Error(`${name} is no toolkit`);
  const missing = missingFor(toolkit);
  if (missing.length > 0) {
    console.log(`${name}: not run, ${missing.join(", ")} is not installed`);
    continue;
  }
  const state = mkdtempSync(join(tmpdir(), `backstep-travel-${name}-`));
  try {
    failed = !await travel(toolkit, state) || failed;
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}
if (failed) process.exitCode = 1;

/** Steps of which so many in the middle cannot be rolled back. */
function stepsBy(dice: Dice): readonly FormStep[] {
  const steps = Array.from({ length: STEPS }, (_, n) => restorableStep(dice, n + 1));
  for (let n = 0; n < Number(values.barriers); n++) {
    const barrier: FormStep = {
      step: { click: 'button[name="Send"]' },
      touches: ["sent", "beta"],
      kind: "barrier",
    };
    steps.splice(2 + dice.below(STEPS - 4), 1, barrier);
  }
  return steps;
}

async function travel(toolkit: Toolkit, state: string): Promise<boolean> {
  const seed = Number(values.seed);
  const dice = new Dice(seed);
  const steps = stepsBy(dice);
  const desktop = await FormDesktop.open(toolkit);
  const counts = { jumps: 0, restored: 0, rebuilt: 0, forward: 0, wrong: 0, unexpected: 0 };
  try {
    const run = await begin(desktop, steps, state);
    const states = new Map<string, State>();
    const first = await run.goOn({
      async asked({ path }) {
        if (/^\d+$/.test(path)) states.set(path, await desktop.form.state());
        return "go";
      },
    });
    if (first.why !== "end") throw new Error(`the file does not run: ${first.error?.message}`);
    let at = STEPS + 1;
    for (let n = 1; n <= Number(values.jumps); n++) {
      const to = 1 + dice.below(STEPS);
      const path = String(to);
      const back = to < at;
      const barrier = back && steps.slice(to - 1, at - 1).some(({ kind }) => kind === "barrier");
      const went = back ? await run.goBack(path) : (await run.goOn({ until: path })).went;
      counts.jumps++;
      if (!back) counts.forward++;
      else if (went?.verdict === "rebuilt") counts.rebuilt++;
      else counts.restored++;
      const expected = !back || (went?.verdict === "rebuilt") === barrier;
      if (!expected) counts.unexpected++;
      const differs = differences(await desktop.form.state(), states.get(path) ?? {});
      if (differs.length > 0) counts.wrong++;
      if (values.verbose || !expected || differs.length > 0) {
        const why = went?.why === undefined ? "" : ` (${went.why})`;
        console.log(`  ${n}: from ${at} to ${to}: ${went?.verdict ?? "forward"}${why} ${differs.join("; ")}`);
      }
      at = to;
    }
    const forks = await forksOf(run, desktop, toolkit, steps, dice, state);
    await run.end();
    console.log(
      `${toolkit.name}: ${counts.jumps} jumps by seed ${seed}, ${counts.wrong} not as it was there: ${counts.restored} rolled back, ` +
        `${counts.rebuilt} rebuilt, ${counts.forward} forward, ${counts.unexpected} otherwise than expected; ` +
        `${forks.made} forks, ${forks.wrong} not as a run from the top`,
    );
    return counts.wrong === 0 && counts.unexpected === 0 && forks.wrong === 0;
  } finally {
    await desktop.session.close();
  }
}

/** Forks from a random step, two at once, the second with other steps; each is compared with a run from the top. */
async function forksOf(
  run: InteractiveRun,
  desktop: FormDesktop,
  toolkit: Toolkit,
  steps: readonly FormStep[],
  dice: Dice,
  state: string,
): Promise<{ made: number; wrong: number }> {
  const made = Number(values.forks);
  if (made === 0) return { made, wrong: 0 };
  await run.goOn();
  const from = 3 + dice.below(STEPS - 4);
  const endings = Array.from(
    { length: made },
    (_, branch) =>
      branch === 0 ? steps : [...steps.slice(0, from - 1), ...rest(dice, STEPS - from + 1, branch)],
  );
  const desktops: FormDesktop[] = [];
  const forks = await run.fork(
    String(from),
    endings.map((ending, branch) => ({
      name: String(branch),
      file: fileOf(desktop.form, ending),
      async open() {
        const own = await FormDesktop.open(toolkit);
        desktops[branch] = own;
        return own.session;
      },
    })),
  );
  let wrong = 0;
  for (const [branch, { error, interactive, session }] of forks.entries()) {
    const own = desktops[branch];
    const ending = endings[branch] ?? [];
    const fresh = await FormDesktop.open(toolkit);
    try {
      const top = new FromTheTop(fresh.session, fresh.form, state);
      const expected: Readonly<Record<string, Json>> = await top.run(fileText(fresh.form, ending));
      const differs = error ? [error.message] : differences(await own?.form.state() ?? {}, expected);
      if (differs.length > 0) {
        wrong++;
        console.log(`  fork ${branch} from ${from}: ${differs.join("; ")}`);
      }
    } finally {
      await fresh.session.close();
      await interactive?.end();
      await session?.close();
    }
  }
  return { made, wrong };
}

function rest(dice: Dice, length: number, branch: number): FormStep[] {
  return Array.from({ length }, (_, n) => randomStep(dice, 100 * branch + n, false));
}
