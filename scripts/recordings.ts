/** Records random acts of a person on real applications: see USAGE. */
import process from "node:process";
import { missingFor, type ToolkitName, TOOLKITS } from "./action-names/stage.ts";
import { PASSWORD } from "./recordings/acts.ts";
import { replay } from "./recordings/replay.ts";
import { recordSession, type Trial } from "./recordings/session.ts";
import { optionsOf } from "./options.ts";

const USAGE =
  `deno task recordings [--count N] [--seed S] [--acts N] [--kind KIND,…] [--toolkit NAME,…] [--no-replay] [--verbose]

Records random acts of a person on real applications and judges each step by the application's own account; then runs what was
recorded, and compares what the application tells of that. Ends with 1 when a wrong element was recorded without a doubt, or a
password that was typed is in what was recorded.

  --acts        of a recording; default 15
  --count       recordings; default 7
  --kind        does acts of these kinds alone: "wheel,chord"
  --no-replay   records and judges, and runs nothing
  --seed        a whole number; default 1
  --toolkit     default: all of them
  --verbose     prints each act that was not right`;

const { values } = optionsOf(USAGE, {
  options: {
    count: { type: "string", default: "7" },
    seed: { type: "string", default: "1" },
    acts: { type: "string", default: "15" },
    kind: { type: "string" },
    toolkit: { type: "string", default: TOOLKITS.join() },
    verbose: { type: "boolean", default: false },
    "no-replay": { type: "boolean", default: false },
  },
});

function isToolkit(name: string): name is ToolkitName {
  return TOOLKITS.some((one) => one === name);
}

function tell({ plan, verdict, lines, steps }: Trial): void {
  const reported = lines.map(({ what, of }) => `${what} ${of ?? ""}`).join(", ");
  const made = steps.map(({ operation, input }) => `${operation} ${JSON.stringify(input)}`).join(", ");
  console.log(
    `  ${verdict}: ${plan.kind} ${plan.uses.join()}: reported ${reported || "nothing"}; recorded ${
      made || "nothing"
    }`,
  );
}

let wrong = 0, leaks = 0;
for (const toolkit of values.toolkit.split(",")) {
  if (!isToolkit(toolkit)) throw new Error(`${toolkit} is no toolkit: ${TOOLKITS.join(", ")}`);
  const missing = missingFor(toolkit);
  if (missing !== undefined) {
    console.log(`${toolkit}: not run, ${missing} is not installed`);
    continue;
  }
  const count = { right: 0, low: 0, wrong: 0 };
  let replayed = 0, whole = 0;
  for (let n = 0; n < Number(values.count); n++) {
    const seed = Number(values.seed) + n;
    const kinds = values.kind?.split(",");
    const { trials, yaml, account, windows } = await recordSession(toolkit, seed, Number(values.acts), kinds);
    for (const trial of trials) {
      count[trial.verdict]++;
      if (values.verbose && trial.verdict !== "right") tell(trial);
    }
    if (JSON.stringify([yaml, trials.map(({ steps }) => steps)]).includes(PASSWORD)) leaks++;
    if (values["no-replay"]) continue;
    whole++;
    // It counts as failed, and a text that nobody knows cannot be replayed.
    if (trials.some(({ verdict }) => verdict === "low")) continue;
    const { result, outcome, wanted, same } = await replay(toolkit, yaml, account, windows);
    if (result.status === "passed" && same) replayed++;
    else if (values.verbose) {
      console.log(`  seed ${seed}: replay ${result.status} ${result.error?.message ?? ""}`);
      console.log(yaml.split("\n").map((line) => `    ${line}`).join("\n"));
      if (!same) console.log(`    recorded ${wanted.join("; ")}\n    replayed ${outcome.join("; ")}`);
    }
  }
  wrong += count.wrong;
  const replays = whole === 0 ? "" : `; ${replayed} of ${whole} sessions replayed at the first try`;
  console.log(`${toolkit}: ${count.right} right, ${count.low} low, ${count.wrong} wrong${replays}`);
}
if (leaks > 0) console.log(`${leaks} sessions hold the password that was typed`);
if (wrong + leaks > 0) process.exitCode = 1;
