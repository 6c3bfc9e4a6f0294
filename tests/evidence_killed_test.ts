// What a run with --evidence has seen is on the disk while it goes on: one that is killed keeps it, and a report shows it.
import assert from "node:assert/strict";
import { readFileSync, watch } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Deadline } from "../src/base/call.ts";
import { type RunEvidence } from "../src/engine/evidence/pack.ts";
import { readEvidence } from "../src/engine/evidence/read.ts";
import { type Place, withPlace } from "./cli/program.ts";
import { oneJson } from "./cli/shapes.ts";

const STEPS = `name: Killed
app: gtk3-widget-factory
steps:
  - set: { target: 'textfield:visible:enabled:nth(2)', value: 'seen' }
  - set: { target: 'spinbutton:enabled', value: 75 }
  - wait: 'button[name="it never comes"]'
    timeout: 60s
`;

Deno.test("a run that is killed keeps what it saw of the steps that were over, and its report shows it", () =>
  withPlace(async (place) => {
    const started = await place.run(["session", "start", "--format", "json"]);
    assert.equal(started.code, 0, started.err);
    const id = String(Object.entries(Object(oneJson(started.out))).find(([name]) => name === "id")?.[1]);
    try {
      const launched = await place.run(["launch", "gtk3-widget-factory", "--session", id]);
      assert.equal(launched.code, 0, launched.err);
      const running = place.start([
        "run",
        place.file("steps.yaml", STEPS),
        "--session",
        id,
        "--evidence",
        "on",
      ]);
      const early = running.finished.then(({ out, err }): never => {
        throw new Error(`it ended by itself: ${out}${err}`);
      });
      const { run, seen } = await Promise.race([seenWhileItRuns(place, 2), early]);
      early.catch(() => {}); // it is killed now
      process.kill(-running.pid, "SIGKILL");
      assert.equal((await running.finished).code, null);

      const after = readEvidence(place.state, run);
      assert.equal(after.missing, undefined);
      assert.ok(!after.records.some(({ kind }) => kind === "end" || kind === "evidence"), "it was killed");
      assert.deepEqual(after.evidence?.steps.slice(0, 2), seen.steps.slice(0, 2));
      for (const { evidence, operation } of after.evidence?.steps.slice(0, 2) ?? []) {
        assert.equal(operation, "set");
        const [action, left] = [evidence.action, evidence.after].map((look) => look?.picture ?? -1);
        assert.notEqual(action, left, "what it set shows");
        for (const number of [action, left]) {
          assert.ok((after.evidence?.pictures[number ?? -1]?.png?.length ?? 0) > 1_000, `picture ${number}`);
        }
      }
      const html = join(place.work, "killed.html");
      const shown = await place.run(["runs", "show", run, "--html", html]);
      assert.equal(shown.code, 0, shown.err);
      assert.ok(
        (readFileSync(html, "utf8").match(/iVBORw0KGgo/g) ?? []).length >= 3,
        "its pictures are in it",
      );
    } finally {
      await place.run(["session", "stop", id, "--force"]);
    }
    assert.deepEqual(place.traces(), []);
  }));

/** The run that goes on, once it has seen so many steps: each change in its folder is looked at. */
async function seenWhileItRuns(place: Place, steps: number): Promise<{ run: string; seen: RunEvidence }> {
  const deadline = Deadline.after(45_000);
  let wake = () => {};
  const watcher = watch(place.state, { recursive: true }, () => wake());
  try {
    while (!deadline.passed) {
      const changed = new Promise<void>((resolve) => wake = resolve);
      const [run] = place.runs();
      const seen = run === undefined ? undefined : readEvidence(place.state, run).evidence;
      if (run !== undefined && (seen?.steps.length ?? 0) >= steps && seen) return { run, seen };
      const timer = setTimeout(wake, 1_000);
      await changed;
      clearTimeout(timer);
    }
  } finally {
    watcher.close();
  }
  throw new Error(`no run saw ${steps} steps: ${place.runs()}`);
}
