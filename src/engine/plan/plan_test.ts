import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue } from "../../catalogue.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import { openSession } from "../../session/open-session.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { resolveVariables } from "../../workflow/values.ts";
import { planDifferences, planWorkflow } from "./plan.ts";
import { type Plan, PlanSchema, type PlanStep } from "./plan-model.ts";
import { keepPlan, keptPlan } from "./plan-store.ts";
import { runWorkflow } from "../run/run.ts";
import { settings } from "../run/_trial.ts";

/** Plans a workflow on a simulated desktop, and sees that nothing came to it by that. */
async function planned(
  yaml: string,
  use: (plan: Plan, desktop: ReturnType<typeof simulate>) => void | Promise<void>,
  { running = ["sim.settings"], vars = {}, env = {} }: {
    running?: readonly string[];
    vars?: Record<string, string>;
    env?: Record<string, string>;
  } = {},
): Promise<void> {
  const desktop = simulate({ applications: running, clock: "virtual" });
  const session = await openSession({ kind: "simulated", simulate: () => desktop });
  try {
    const before = desktop.world();
    await use(await plan(session), desktop);
    const ours = desktop.log.entries.filter(({ by, changes }) => by === "caller" && changes.length > 0);
    if (ours.length === 0) assert.deepEqual(desktop.world(), before);
  } finally {
    await session.close();
  }

  async function plan(on: typeof session): Promise<Plan> {
    const workflow = parseWorkflow(yaml, { file: "trial.yaml", operations: catalogue });
    const entries = desktop.log.entries.length;
    const found = await planWorkflow(workflow, {
      operations: catalogue,
      session: on,
      vars: resolveVariables(workflow, { vars }),
      surroundings: { env: (name) => env[name], secret: (name) => env[name] },
      folder: ".",
    });
    const acts = desktop.log.entries.slice(entries).filter(({ by }) => by === "caller");
    assert.deepEqual(acts.filter(({ changes }) => changes.length > 0), [], "planning changed something");
    PlanSchema.parse(JSON.parse(JSON.stringify(found)));
    return found;
  }
}

function brief(plan: Plan): string[] {
  return plan.steps.map(({ path, status, effect }) => [path, status, effect ?? "-"].join(" "));
}

function step(plan: Plan, path: string): PlanStep {
  const found = plan.steps.find((one) => one.path === path);
  assert.ok(found, path);
  return found;
}

Deno.test("a plan names each step's effect, rollback and barriers, and changes nothing", () =>
  planned(
    settings(`
  - set: { target: 'textfield[name="Name"]', value: Grace }
  - transaction:
      - click: 'checkbox[name="Play sounds"]'
      - click: 'button[name="Reset"]'
        irreversible: true
  - click: 'button[name="Reset"]'
  - assert: 'textfield[name="Name"]'`),
    (plan) => {
      assert.deepEqual(brief(plan), [
        "1 resolved restorable",
        "2 holds -",
        "2.1 resolved restorable",
        "2.2 resolved irreversible",
        "3 resolved irreversible",
        "4 resolved read",
      ]);
      assert.equal(step(plan, "1").way, 'text of textfield "Name" restored');
      assert.equal(step(plan, "2.2").barrier, "passed");
      assert.equal(step(plan, "3").barrier, "ends");
      assert.equal(step(plan, "3").assuming, "2.2");
      assert.deepEqual(plan.coverage, { percent: 50, covered: 2, of: 4, later: 0 });
      assert.deepEqual(plan.barriers, ["2.2", "3"]);
    },
  ));

Deno.test("what depends on an earlier step is later: outside of the coverage and of the hash", () =>
  planned(
    settings(`
  - value: 'textfield[name="Name"]'
    id: old
  - set: { target: 'textfield[name="E-mail"]', value: '{{steps.old.value}}' }
  - click: 'button[name="Reset"]'
    irreversible: true
  - click: 'dialog button[name="Yes"]'
  - type: more`),
    (plan) => {
      const later = plan.steps.filter(({ status }) => status === "later");
      assert.deepEqual(later.map(({ path }) => path), ["2", "4", "5"]);
      assert.match(step(plan, "2").why ?? "", /\{\{steps\.old\.value\}\} is not there yet/);
      assert.match(step(plan, "4").why ?? "", /nothing matches now, and step 3 comes before it/);
      assert.match(step(plan, "5").why ?? "", /where the focus is after step 4/);
      assert.deepEqual(plan.coverage, { percent: 0, covered: 0, of: 1, later: 3 });
    },
  ));

Deno.test("what no earlier step can change fails already in the plan", () =>
  planned(
    settings(`
  - set: { target: 'textfield[name="Nowhere"]', value: x }
  - transaction:
      - click: 'button[name="Reset"]'`),
    (plan) => {
      assert.deepEqual(brief(plan).filter((line) => line.includes("fails")), [
        "1 fails -",
        "2.1 fails irreversible",
      ]);
      assert.equal(step(plan, "1").code, "not_found");
      assert.equal(step(plan, "2.1").barrier, "refused");
    },
  ));

Deno.test("an undo covers an irreversible step; a password cannot be restored, and is not written down", () =>
  planned(
    `name: trial
app: sim.login
steps:
  - press: F5
    undo: [ { press: F6 } ]
  - set: { target: '[name="Password"]', value: hunter22 }`,
    (plan) => {
      assert.match(step(plan, "1").way ?? "", /^undo: 1 step/);
      assert.equal(step(plan, "2").covered, false);
      assert.ok(!JSON.stringify(plan).includes("hunter22"));
      assert.equal(plan.coverage.percent, 50);
    },
    { running: ["sim.login"] },
  ));

Deno.test("branches and loops are listed once, and what may not run is no failure", () =>
  planned(
    settings(`
  - if: { exists: 'button[name="Later"]' }
    then: [ { click: 'button[name="Later"]' } ]
    else: [ { click: 'checkbox[name="Play sounds"]' } ]
  - repeat: { times: 3, steps: [ { click: 'checkbox[name="Play sounds"]' } ] }
  - for_each: { in: [a, b], as: row, steps: [ { set: { target: 'textfield[name="Name"]', value: '{{vars.row}}' } } ] }`),
    (plan) => {
      assert.deepEqual(
        plan.steps.map(({ path, turns }) => turns === undefined ? path : `${path} x${turns}`),
        [
          "1",
          "1.then.1",
          "1.else.1",
          "2 x3",
          "2[1].1",
          "3 x2",
          "3[1].1",
        ],
      );
      assert.equal(step(plan, "1.then.1").status, "later");
      assert.equal(step(plan, "1.else.1").conditional, true);
      assert.deepEqual(step(plan, "3[1].1").input, { target: 'textfield[name="Name"]', value: "a" });
    },
  ));

const FORM = settings(
  `
  - set: { target: 'textfield[name="Name"]', value: '{{vars.who}}' }
  - set: { target: 'slider', value: 70 }`,
  "vars: { who: Grace }",
);

Deno.test("the same plan has the same hash; another value, another element or another file has another", () =>
  planned(FORM, async (plan) => {
    await planned(FORM, (same) => assert.equal(same.hash, plan.hash));
    await planned(FORM, (other) => {
      assert.notEqual(other.hash, plan.hash);
      assert.deepEqual(planDifferences(plan, other)[0], 'the variable who was "Grace", is "Ada"');
    }, { vars: { who: "Ada" } });
  }));

Deno.test("a run with a plan's hash refuses what is otherwise now, names it, and does nothing", () =>
  planned(FORM, async (plan) => {
    const state = mkdtempSync(join(tmpdir(), "backstep-plan-"));
    try {
      keepPlan(state, plan);
      const kept = keptPlan(state, plan.hash);
      assert.deepEqual(kept, plan);
      assert.equal(statSync(join(state, "plans")).mode & 0o777, 0o700);
      const run = async (accepted: string, disable: boolean) => {
        const desktop = simulate({ applications: ["sim.settings"], clock: "virtual" });
        const session = await openSession({ kind: "simulated", simulate: () => desktop });
        const [before] = [desktop.world()];
        const workflow = parseWorkflow(FORM, { file: "trial.yaml", operations: catalogue });
        const result = await runWorkflow(workflow, {
          operations: catalogue,
          session,
          vars: { who: disable ? "Ada" : "Grace" },
          surroundings: { env: () => undefined, secret: () => undefined },
          folder: ".",
          state,
          plan: { hash: accepted, ...(kept ? { plan: kept } : {}) },
        });
        const touched = JSON.stringify(desktop.world()) !== JSON.stringify(before);
        await session.close();
        return { result, touched };
      };
      const { result, touched } = await run(plan.hash, false);
      assert.equal(result.status, "passed");
      assert.ok(touched);
      const refused = await run(plan.hash, true);
      assert.equal(refused.result.error?.code, "drift");
      assert.match(refused.result.error?.message ?? "", /the variable who was "Grace", is "Ada"/);
      assert.deepEqual([refused.result.exit, refused.result.steps.length, refused.touched], [1, 0, false]);
      assert.equal(keptPlan(state, "0".repeat(32)), undefined);
    } finally {
      rmSync(state, { recursive: true });
    }
  }));

Deno.test("secrets are masked in a plan", () =>
  planned(
    settings(`  - set: { target: 'textfield[name="Name"]', value: '{{secrets.TOKEN}}' }`, "secrets: [TOKEN]"),
    (plan) => assert.ok(!JSON.stringify(plan).includes("s3cret!")),
    { env: { TOKEN: "s3cret!" } },
  ));
