/** Random edits of a workflow while `backstep dev` runs it: see USAGE. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Developing } from "./edits/developing.ts";
import { type Edit, randomEdit } from "./edits/edit.ts";
import { differences, fileText } from "./edits/file-text.ts";
import { Form } from "./edits/form.ts";
import { FromTheTop } from "./edits/from-the-top.ts";
import { type FormStep, randomStep, restorableStep } from "./edits/steps.ts";
import { Dice } from "./histories/dice.ts";
import { missingFor, toolkitNamed } from "./histories/real/toolkits.ts";
import { optionsOf } from "./options.ts";

const USAGE = `deno task edits [--count N] [--live N] [--limit MS] [--on FORM,…] [--seed S] [--verbose]

Random edits of a workflow file while \`backstep dev\` runs it on a real form, judged by the form's own account: after each save
it must hold what it holds after a run of the file from the top, and no step before the first that changed may have been done
again. Then step 8 of 10 is edited, and how long after the save it was done is printed. Ends with 1 where an edit ended
otherwise, a step was done again, or fewer than 80 % of the edits of restorable steps were rolled back.

  --count     edits; default 50
  --limit     milliseconds: ends with 1 where an edit of step 8 took longer in the median
  --live      edits of step 8; default 9
  --on        forms; default gtk3,chromium
  --seed      a whole number; default 1
  --verbose   prints each edit`;

const { values } = optionsOf(USAGE, {
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "50" },
    on: { type: "string", default: "gtk3,chromium" },
    live: { type: "string", default: "9" },
    limit: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

/** Steps of the file at first. */
const STEPS = 10;
/** The share of edits of restorable steps that must be rolled back and not rebuilt. */
const SHARE = 0.8;

let failed = false;
for (const name of values.on.split(",")) {
  const toolkit = toolkitNamed(name);
  if (!toolkit) throw new Error(`${name} is no toolkit`);
  const missing = missingFor(toolkit);
  if (missing.length > 0) {
    console.log(`${name}: not run, ${missing.join(", ")} is not installed`);
    continue;
  }
  const folder = mkdtempSync(join(tmpdir(), `backstep-edits-${name}-`));
  try {
    failed =
      !await edits(new Form(toolkit, join(folder, "form")), new Form(toolkit, join(folder, "top")), folder) ||
      failed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (failed) process.exitCode = 1;

function save(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

async function edits(form: Form, other: Form, folder: string): Promise<boolean> {
  const { name } = form.toolkit;
  const seed = Number(values.seed);
  const dice = new Dice(seed);
  const file = join(folder, "edited.yaml");
  let steps: readonly FormStep[] = Array.from({ length: STEPS }, (_, n) => randomStep(dice, n, false));
  save(file, fileText(form, steps, 0));
  const top = await FromTheTop.begin(other, join(folder, "state-top"));
  const dev = new Developing(file, ["--session", "isolated"], join(folder, "state"));
  const counts = { edits: 0, restorable: 0, rolledBack: 0, rebuilt: 0, refused: 0, wrong: 0, again: 0 };
  try {
    const begun = (await dev.stands()).at(-1);
    if (begun?.why !== "end") throw new Error(`the file does not run: ${JSON.stringify(begun)}`);
    for (let n = 1; n <= Number(values.count); n++) {
      const edit = randomEdit(steps, dice, n + STEPS, true);
      form.changes();
      save(file, fileText(form, edit.steps, n));
      const lines = await dev.stands();
      const went = lines.find(({ event }) => event === "went-back");
      counts.edits++;
      const undone = steps.slice(edit.first);
      const restorable = undone.every(({ kind }) => kind !== "barrier");
      if (restorable) counts.restorable++;
      if (went?.verdict === "rebuilt") counts.rebuilt++;
      else if (restorable) counts.rolledBack++;
      const state = await form.state();
      const again = went?.verdict === "rebuilt" ? [] : doneAgain(form.changes(), steps, edit);
      if (again.length > 0) counts.again++;
      const fresh = await top.run(fileText(other, edit.steps, n));
      const differs = differences(state, fresh);
      if (differs.length > 0) counts.wrong++;
      const wrong = differs.length > 0 || again.length > 0;
      if (values.verbose || wrong) {
        const verdict = went
          ? `${went.verdict}${went.why === undefined ? "" : ` (${went.why})`}`
          : "nothing undone";
        console.log(
          `  ${n} ${edit.kind} at ${edit.first + 1} of ${edit.steps.length}: ${verdict}${
            wrong ? ` WRONG ${differs.join("; ")} again: ${again.join()}` : ""
          }`,
        );
        if (wrong) console.log(lines.map((line) => `    ${JSON.stringify(line).slice(0, 400)}`).join("\n"));
      }
      steps = edit.steps;
    }
    const live = await liveTimes(form, dev, file, dice);
    const share = counts.restorable === 0 ? 1 : counts.rolledBack / counts.restorable;
    const median = live.at(Math.floor(live.length / 2)) ?? 0;
    console.log(
      `${name}: ${counts.edits} edits by seed ${seed}, ${counts.wrong} not as a run from the top, ${counts.again} did a step before again; ` +
        `of ${counts.restorable} of restorable steps ${counts.rolledBack} rolled back (${
          Math.round(share * 100)
        } %), ` +
        `${counts.rebuilt} rebuilt in all; step 8 of 10 live ${median} ms after the save (median of ${live.length}, ${
          live[0] ?? 0
        } to ${live.at(-1) ?? 0})`,
    );
    const slow = values.limit !== undefined && median > Number(values.limit);
    return counts.wrong === 0 && counts.again === 0 && share >= SHARE && !slow;
  } finally {
    await dev.quit();
    await top.close();
  }
}

/** Milliseconds from the save of another step 8 of 10 until it was done. */
async function liveTimes(form: Form, dev: Developing, file: string, dice: Dice): Promise<number[]> {
  const base = Array.from({ length: STEPS }, (_, n) => restorableStep(dice, n + 300));
  const eighth = (value: string): FormStep => ({
    step: { set: { target: 'textfield[name="Alpha"]', value } },
    touches: ["alpha"],
    kind: "restorable",
  });
  save(file, fileText(form, base.with(7, eighth("live")), 1_000));
  await dev.stands();
  const times: number[] = [];
  for (let n = 1; n <= Number(values.live); n++) {
    save(file, fileText(form, base.with(7, eighth(`live ${n}`)), 1_000 + n));
    const live = (await dev.stands()).find(({ event }) => event === "live");
    if (live?.path !== "8" || live.ms === undefined) {
      throw new Error(`step 8 was not live: ${JSON.stringify(live)}`);
    }
    times.push(live.ms);
  }
  return times.sort((a, b) => a - b);
}

/** Parts of the form that changed although only steps before the edit touch them. */
function doneAgain(changed: readonly string[], steps: readonly FormStep[], edit: Edit): string[] {
  const touched = new Set(
    [...steps.slice(edit.first), ...edit.steps.slice(edit.first)].flatMap((one) => one.touches),
  );
  return [...new Set(changed)].filter((key) => !touched.has(key));
}
