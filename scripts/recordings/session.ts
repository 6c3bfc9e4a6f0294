import { pause } from "../../src/base/call.ts";
import { catalogue } from "../../src/catalogue.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import type { ActionStep, Recording } from "../../src/record/output/model.ts";
import { arranged } from "../../src/record/output/arrange.ts";
import { writeYaml } from "../../src/record/output/write-yaml.ts";
import { Recorder } from "../../src/record/recorder.ts";
import type { ToolkitName } from "../action-names/stage.ts";
import { kindsOf, planOf, plans, randomOf } from "./acts.ts";
import { Injector } from "./injector.ts";
import { judge, type Verdict } from "./judge.ts";
import { Person } from "./person.ts";
import type { Plan } from "./plan.ts";
import { type Line, RecordStage } from "./stage.ts";

/** Milliseconds that a person rests after an act. */
const RESTS = 700;

/** One act of a recorded session, and how it was judged. */
export interface Trial {
  readonly plan: Plan;
  readonly verdict: Verdict;
  readonly lines: readonly Line[];
  readonly steps: readonly ActionStep[];
}

/** A session that was recorded. */
export interface Recorded {
  readonly trials: readonly Trial[];
  /** The workflow file. */
  readonly yaml: string;
  /** What the application wrote. */
  readonly account: readonly Line[];
  /** Where its windows lay at the end. */
  readonly windows: readonly string[];
}

/** Records a person's random acts on a fixture of a toolkit; `kinds`: only these. */
export async function recordSession(
  toolkit: ToolkitName,
  seed: number,
  acts: number,
  kinds: readonly string[] = kindsOf(),
): Promise<Recorded> {
  await using stage = await RecordStage.open(toolkit);
  await using injector = await Injector.start(stage.session);
  const person = new Person(injector);
  const steps: ActionStep[] = [];
  const recorder = await Recorder.start(stage.session, await stage.inputs(), {
    name: `${toolkit} ${seed}`,
    app: stage.application.name,
    operations: catalogue,
    onStep: (step, replaces) => {
      if (replaces) steps.pop();
      if (step) steps.push(step);
    },
  });
  const random = randomOf(seed);
  const trials: Trial[] = [];
  const all = async () => {
    for (let n = 0; n < acts; n++) {
      const looks: Snapshot[] = [];
      const look = async () => {
        const tree = await stage.snapshot();
        looks.push(tree);
        return tree;
      };
      // The last one leaves the field that was typed into: some take its text only then.
      const plan = n === acts - 1
        ? plans.click("button", "Save")
        : planOf(random, await stage.snapshot(), kinds);
      const before = stage.account().length, had = new Set(steps);
      await plan.run(person, { look, windows: () => stage.session.desktop.windows() });
      await pause(RESTS);
      await recorder.idle();
      const lines = stage.account().slice(before), made = steps.filter((step) => !had.has(step));
      trials.push({ plan, verdict: judge(plan, lines, made, looks), lines, steps: made });
    }
  };
  let recording: Recording, windows: readonly string[] = [];
  try {
    await Promise.race([all(), recorder.failed]);
    windows = await stage.windows();
  } finally {
    recording = await recorder.stop();
  }
  return { trials, yaml: writeYaml(arranged(recording), catalogue), account: stage.account(), windows };
}
