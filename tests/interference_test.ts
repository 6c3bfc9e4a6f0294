import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { defined } from "../src/base/defined.ts";
import { catalogue } from "../src/catalogue.ts";
import type { RunEvent, RunResult } from "../src/contract/events.ts";
import type { InputWatch } from "../src/desktop/desktop.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import type { OnInterference } from "../src/engine/model/step.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";
import { interludeOf } from "./_interlude.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Another process presses a key, as an X client of its own: what a person is to a server without devices. */
async function pressFromElsewhere(session: Session, state: string): Promise<void> {
  const args = ["press", "shift", "--session", session.id ?? ""];
  const child = spawn(process.execPath, ["run", "-A", "--no-check", join(root, "bin.ts"), ...args], {
    env: { ...process.env, BACKSTEP_STATE: state, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 25_000,
  });
  let reported = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => reported += String(chunk));
  const [code] = await once(child, "close");
  assert.equal(code, 0, reported);
}

/** Until the watch has noticed something, or for a time. */
async function noticed(watch: InputWatch): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    if (watch.take()) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

Deno.test("keys of a second X client hold up, end or mark a run on a real desktop; its own input never does", async () => {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const session = await openSession({ kind: "isolated", state });
  let meanwhile: () => Promise<void> = () => Promise.resolve();
  try {
    const interlude = interludeOf(() => meanwhile());
    const operations = [...catalogue, interlude];
    const field = "textfield:visible:enabled:nth(2)";
    const workflow = parseWorkflow(
      `
name: Somebody else is there
app: gtk3-widget-factory
steps:
  - click: '${field}'
  - press: ctrl+a
  - type: { into: '${field}', text: 'Ours, and äöü €' }
  - meanwhile: {}
  - set: { target: '${field}', value: 'second' }
`,
      { file: "interference.yaml", operations },
    );
    const nothing = () => undefined;
    const run = async (onInterference: OnInterference | undefined) => {
      const events: RunEvent[] = [];
      const result: RunResult = await runWorkflow(workflow, {
        operations,
        session,
        vars: {},
        surroundings: { env: nothing, secret: nothing },
        folder: root,
        state,
        listener: (event) => void events.push(event),
        ...defined({ onInterference }),
      });
      return { result, notes: events.filter((event) => event.event === "note") };
    };
    await session.launcher.launch("gtk3-widget-factory");

    for (const policy of ["abort", "pause"] as const) {
      const { result } = await run(policy);
      assert.deepEqual([result.status, result.interference], ["passed", undefined], JSON.stringify(result));
    }

    meanwhile = async () => {
      const watch = await session.desktop.watchInput?.();
      assert.ok(watch);
      await pressFromElsewhere(session, state);
      assert.ok(await noticed(watch), "the key of the other process was noticed");
      await watch.close();
    };
    const ignored = await run(undefined);
    assert.deepEqual([ignored.result.status, ignored.result.interference?.policy], ["passed", "ignore"]);
    assert.equal(ignored.result.interference?.keys, 1);

    const paused = await run("pause");
    assert.equal(paused.result.status, "passed", JSON.stringify(paused.result.error));
    assert.ok(
      (paused.result.interference?.paused_ms ?? 0) >= 1_000,
      JSON.stringify(paused.result.interference),
    );
    assert.equal(paused.notes.length, 1, JSON.stringify(paused.notes));

    const { result: finished } = await run("abort");
    assert.deepEqual(
      [finished.status, finished.error?.code],
      ["failed", "interference"],
      JSON.stringify(finished),
    );
    const last = finished.steps.at(-1);
    assert.deepEqual([last?.path, last?.error?.details?.outcome], ["5", "not_sent"]);
    assert.notEqual(finished.rollback.verdict, "none");
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
});
