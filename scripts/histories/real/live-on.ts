import { mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { catalogue } from "../../../src/catalogue.ts";
import type { RunEvent, RunResult } from "../../../src/contract/events.ts";
import { readSelector, strategies } from "../../../src/desktop/selector/mod.ts";
import { runFolder } from "../../../src/engine/journal/journal.ts";
import { runWorkflow } from "../../../src/engine/run/run.ts";
import { parseWorkflow } from "../../../src/workflow/parse.ts";
import { ASPECTS } from "../form.ts";
import { type Call, type History, linesOf, type Reported } from "../live.ts";
import { fileOf, type Story } from "../story.ts";
import { ACTIONS, overheard } from "../watched.ts";
import { accidentProne, accidentsOf } from "./accidents.ts";
import { inWords, type Stage } from "./stage.ts";
import type { Rewording } from "./toolkits.ts";

/** Events before which everything must have been written: what is true then is judged. */
const MARKS: ReadonlySet<string> = new Set([
  "run-started",
  "transaction-started",
  "savepoint",
  "rollback-started",
  "rollback-finished",
  "run-finished",
]);

/** Was it called off before it was made? Then nothing is sent. */
function isCalledOff(how: unknown): boolean {
  return typeof how === "object" && how !== null && "signal" in how && how.signal instanceof AbortSignal &&
    how.signal.aborted;
}

/** Lets a story happen on a desktop, with accidents instead of faults; with `words`, where it is told otherwise on each. */
export async function liveOn(
  stage: Stage,
  story: Story,
  folder: string,
  words: readonly Rewording[] = [],
): Promise<History> {
  const state = mkdtempSync(join(folder, "h"));
  const journalFile = join(runFolder(state, "run"), "journal.jsonl");
  const soft = new AbortController();
  const hard = new AbortController();
  const reported: Reported[] = [];
  const calls: Call[] = [];
  let path: string | undefined;
  let muted = false;
  const desktop = overheard(stage.desktop, {
    before(call, args) {
      if (!ACTIONS.has(call) || muted) return;
      calls.push({ call, at: stage.log.length, journal: statSync(journalFile).size, path });
      const [text, how] = args;
      if (call === "writeClipboard" && !isCalledOff(how)) {
        stage.wroteClipboard(typeof text === "string" ? text : undefined);
      }
    },
    swallows: (call) => muted && ACTIONS.has(call),
  });
  const operations = accidentProne(catalogue, accidentsOf(story), {
    person: (key, set) => stage.person(key, set),
    die: () => stage.die(),
    interrupt: (harder) => (harder ? hard : soft).abort(),
    mute: (on) => muted = on,
  }, stage.copied);
  const listener = (event: RunEvent) => {
    if (event.event === "step-started") path = event.path;
    if (event.event === "step-finished" || event.event === "rollback-started") path = undefined;
    const marked = MARKS.has(event.event);
    if (marked) stage.flush();
    const at = stage.log.length;
    // Nothing happens behind our back after the last look: nothing is excused by it.
    const looked = new Map([...ASPECTS.keys(), "readClipboard", "applications"].map((key) => [key, at]));
    reported.push({
      event,
      at,
      truth: stage.truth(),
      carets: marked ? stage.carets() : new Map(),
      lies: new Set(),
      looked,
    });
  };
  let result: RunResult | undefined;
  let thrown: unknown;
  try {
    await stage.run(async () => {
      const workflow = parseWorkflow(stage.ask(inWords(fileOf(story), words)), {
        file: "history.yaml",
        operations,
        checkSelector: (text, strategy) => {
          readSelector(text, strategies.find((one) => one === strategy));
        },
      });
      const { launcher, kind, label, home, budgets } = stage;
      result = await runWorkflow(workflow, {
        operations,
        session: { kind, label, desktop, launcher, home, id: undefined, close: () => Promise.resolve() },
        vars: {},
        surroundings: { env: () => undefined, secret: () => undefined },
        folder,
        state,
        budgets,
        run: "run",
        signal: soft.signal,
        hardStop: hard.signal,
        listener,
      });
    });
  } catch (error) {
    thrown = error;
  }
  const journal = linesOf(runFolder(state, "run"), journalFile);
  rmSync(state, { recursive: true, force: true });
  const log = [...stage.log];
  return {
    story,
    result,
    thrown,
    reported,
    calls,
    log,
    journal,
    interrupted: soft.signal.aborted,
    stoppedHard: hard.signal.aborted,
    late: true,
  };
}
