import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { catalogue } from "../src/catalogue.ts";
import type { Desktop } from "../src/desktop/desktop.ts";
import { readJournal } from "../src/engine/journal/journal.ts";
import { changesBetween, takeTreeSnapshot } from "../src/engine/model/tree-snapshot.ts";
import { planWorkflow } from "../src/engine/plan/plan.ts";
import { type Plan, PlanSchema } from "../src/engine/plan/plan-model.ts";
import { prepareFor } from "../src/engine/run/prepare.ts";
import { applicationFor } from "../src/operations/application.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { loadWorkflow } from "../src/workflow/load.ts";
import { resolveVariables } from "../src/workflow/values.ts";
import { command, ROOT } from "./_command.ts";

const EDITOR = join(ROOT, "workflows/editor.yaml");

/** Every action in a state folder. */
function journalled(state: string) {
  const records = readdirSync(join(state, "runs")).flatMap((run) => readJournal(join(state, "runs", run)));
  return records.filter((record) => record.kind === "action-begin");
}

/** A session whose desktop counts what changes something. */
function counting(session: Session, acts: string[]): Session {
  const names = ["act", "typeText", "pressKeys", "pointer", "window", "writeClipboard"];
  return {
    kind: session.kind,
    label: session.label,
    home: session.home,
    id: session.id,
    launcher: session.launcher,
    desktop: new Proxy<Desktop>(session.desktop, {
      get(desktop, name) {
        if (names.includes(String(name))) acts.push(String(name));
        const found: unknown = Reflect.get(desktop, name, desktop);
        return typeof found === "function" ? found.bind(desktop) : found;
      },
    }),
    close: () => session.close(),
  };
}

Deno.test("a plan of editor.yaml types, presses and saves nothing in gedit: its text, its tree and the journal say so", async () => {
  const state = mkdtempSync(join(tmpdir(), "bs-plan-"));
  const session = await openSession({ kind: "isolated", state });
  try {
    const workflow = loadWorkflow(EDITOR, { operations: catalogue });
    const options = {
      operations: catalogue,
      session,
      vars: resolveVariables(workflow),
      surroundings: { env: () => undefined, secret: () => undefined },
      folder: ROOT,
    };
    await prepareFor(workflow, { ...options, state }, undefined);
    const { desktop } = session;
    const deadline = Deadline.after(20_000);
    const gedit = await applicationFor({ session, desktop, deadline, app: workflow.app }, undefined);
    const before = await takeTreeSnapshot(desktop, gedit, deadline);
    const acts: string[] = [];
    const plan = await planWorkflow(workflow, {
      ...options,
      session: counting(session, acts),
      prepared: true,
    });
    assert.deepEqual(acts, []);
    const after = await takeTreeSnapshot(desktop, gedit, deadline);
    assert.deepEqual(changesBetween(before, after), []);
    assert.ok(after.snapshot.size > 50);
    for (let row = 0; row < after.snapshot.size; row++) {
      assert.doesNotMatch(after.snapshot.text(row) ?? "", /knows the way back/);
    }
    assert.ok(!readdirSync(session.home ?? "").includes("Draft.txt"));
    const actions = journalled(state);
    assert.deepEqual(actions.map(({ path, operation }) => `${path} ${operation}`), ["before.1 launch"]);
    assert.deepEqual(plan.coverage, { percent: 50, covered: 1, of: 2, later: 2 });
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
});

Deno.test("on the command line: coverage and a hash; a run of that plan passes, one of another is refused", async () => {
  const state = mkdtempSync(join(tmpdir(), "bs-plan-"));
  try {
    const planned = await command(["plan", EDITOR, "--session", "isolated", "--format", "json"], state);
    assert.equal(planned.code, 0, planned.err);
    const plan: Plan = JSON.parse(planned.out);
    PlanSchema.parse(plan);
    assert.equal(plan.coverage.percent, 50);
    assert.deepEqual(plan.barriers, ["2"]);
    const actions = journalled(state);
    assert.deepEqual(actions.map(({ path }) => path), ["before.1"]);

    const other = ["--var", "title=Other.txt", "--format", "json"];
    const refused = await command(
      ["run", EDITOR, "--session", "isolated", "--plan", plan.hash, ...other],
      state,
    );
    assert.equal(refused.code, 1, refused.err);
    const { error, steps } = JSON.parse(refused.out);
    assert.equal(error.code, "drift");
    assert.match(error.message, /the variable title was "Draft.txt", is "Other.txt"/);
    assert.ok(!steps.some(({ operation }: { operation: string }) => operation === "type"));

    const passed = await command(["run", EDITOR, "--session", "isolated", "--plan", plan.hash], state);
    assert.equal(passed.code, 0, passed.out + passed.err);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});

Deno.test("on a desktop that is kept nothing is launched: what needs its application is later", async () => {
  const state = mkdtempSync(join(tmpdir(), "bs-plan-"));
  const kept = await openSession({ kind: "isolated", state });
  try {
    const args = ["plan", EDITOR, "--session", kept.id ?? "", "--format", "json"];
    const { code, out, err } = await command(args, state);
    assert.equal(code, 0, err + out);
    const plan: Plan = JSON.parse(out);
    assert.deepEqual(plan.steps.slice(0, 2).map(({ path, status }) => [path, status]), [
      ["before.1", "resolved"],
      ["1", "later"],
    ]);
    assert.equal(plan.coverage.percent, null);
    assert.deepEqual(await kept.launcher.list(), []);
    assert.deepEqual(readdirSync(state).includes("runs"), false);
  } finally {
    await kept.close();
    rmSync(state, { recursive: true, force: true });
  }
});
