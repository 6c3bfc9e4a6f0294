import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../base/error.ts";
import { catalogue } from "../catalogue.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../desktop/simulated/simulated-desktop.ts";
import { at } from "../engine/run/_trial.ts";
import { type AtPoint, killingDesktop, killingSink } from "../engine/run/_kill.ts";
import { recoverRun } from "../engine/recovery/recover.ts";
import type { Recovered, RecoverOptions } from "../engine/recovery/recovery.ts";
import { runProgram } from "../engine/run/run.ts";
import { undoRun } from "../engine/recovery/undo-run.ts";
import type { Session } from "../session/session.ts";
import { SimulatedLauncher } from "../session/simulated-launcher.ts";
import { programOf, workflowOf } from "./program.ts";
import { type Script, workflow } from "./workflow.ts";

const APP = "sim.settings";
const surroundings = { env: () => undefined, secret: () => undefined };
const name = (world: Json) => at(world, APP, "name", "text");

interface Killed {
  readonly desktop: SimulatedDesktop;
  recover(more?: Partial<RecoverOptions>): Promise<Recovered>;
  undo(): Promise<{ readonly verdict: string }>;
}

/** Runs a program whose process dies when `dies` says so, and hands what it left to `use`. */
async function killed(script: Script, dies: AtPoint, use: (left: Killed) => Promise<void>): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "backstep-script-"));
  const desktop = simulate({ applications: [APP], clock: "virtual" });
  let dead = false;
  const point: AtPoint = (where, what) => {
    if (!dead) {
      try {
        dies(where, what);
      } catch {
        dead = true; // from here on nothing that it does has an effect
      }
    }
    if (dead) throw new Error("killed");
  };
  const session = (own: AtPoint): Session => ({
    kind: "simulated",
    label: "simulated",
    desktop: killingDesktop(desktop, own),
    launcher: new SimulatedLauncher(desktop),
    home: undefined,
    id: undefined,
    close: () => Promise.resolve(),
  });
  try {
    const parts = { file: "killed.ts", operations: catalogue, surroundings };
    const running = runProgram(workflowOf(script, "killed.ts", ""), {
      operations: catalogue,
      session: session(point),
      vars: {},
      surroundings,
      folder: state,
      state,
      run: "r",
      sink: killingSink(point),
    }, programOf(script, parts));
    await running.catch(() => undefined);
    assert.ok(dead, "it was killed");
    const options = {
      run: "r",
      state,
      operations: catalogue,
      surroundings,
      reattach: () => Promise.resolve(session(() => {})),
    };
    await use({
      desktop,
      recover: (more = {}) => recoverRun({ ...options, ...more }),
      undo: () => undoRun(options),
    });
  } finally {
    await desktop.close();
    rmSync(state, { recursive: true, force: true });
  }
}

const SCRIPT = workflow("three names", { app: APP }, async (t) => {
  const field = t.locator('textfield[name="Name"]');
  await field.set("Grace");
  await t.savepoint("half");
  await field.set("Hopper");
  await t.transaction("more", async () => {
    await field.set("Alan");
    await t.savepoint("inside");
    await field.set("Turing");
  });
});

/** Dies after the call that does so many actions. */
function afterAction(count: number): AtPoint {
  let actions = 0;
  return (where, what) => {
    if (where === "after a call" && what === "act setText" && ++actions === count) throw new Error("killed");
  };
}

Deno.test("a killed program is rolled back to the last named savepoint, or the one that is named, and its undo takes the rest", async () => {
  await killed(SCRIPT, afterAction(4), async ({ desktop, recover, undo }) => {
    assert.equal(name(desktop.world()), "Turing");
    const found = await recover({ savepoint: "last" });
    assert.deepEqual(
      [found.verdict, found.exit, found.savepoint],
      ["restored", 0, "inside"],
      JSON.stringify(found),
    );
    assert.equal(name(desktop.world()), "Alan");
    assert.equal((await undo()).verdict, "restored");
    assert.equal(name(desktop.world()), "Ada");
  });
  await killed(SCRIPT, afterAction(3), async ({ desktop, recover }) => {
    const found = await recover({ savepoint: "half" });
    assert.deepEqual([found.verdict, found.savepoint], ["restored", "half"], JSON.stringify(found));
    assert.equal(name(desktop.world()), "Grace");
  });
});

Deno.test("without a savepoint a killed program is rolled back whole; to go on in the middle of it is refused", () =>
  killed(SCRIPT, afterAction(3), async ({ desktop, recover }) => {
    const resumed = await recover({ way: "resume" });
    assert.deepEqual([resumed.verdict, name(desktop.world())], ["refused", "Alan"]);
    const found = await recover();
    assert.deepEqual([found.verdict, name(desktop.world())], ["restored", "Ada"]);
  }));

Deno.test("a savepoint that was not passed, or that an irreversible step came after, is refused, and nothing is touched", async () => {
  await killed(SCRIPT, afterAction(2), async ({ desktop, recover }) => {
    const found = await recover({ savepoint: "inside" });
    assert.equal(found.verdict, "refused");
    assert.match(found.reason ?? "", /it passed no savepoint "inside"; there is: half/);
    assert.equal(name(desktop.world()), "Hopper");
    assert.deepEqual((await recover({ savepoint: "half", dryRun: true })).steps.length, 1);
    assert.equal((await recover({ savepoint: "half" })).verdict, "restored");
  });
  const pressing = workflow("pressing", { app: APP }, async (t) => {
    const field = t.locator('textfield[name="Name"]');
    await t.savepoint("half");
    await t.press("F5", { irreversible: true });
    await field.set("Hopper");
  });
  await killed(pressing, afterAction(1), async ({ desktop, recover }) => {
    const found = await recover({ savepoint: "half" });
    assert.match(found.reason ?? "", /step 2 \(press F5\) after it is irreversible/, JSON.stringify(found));
    assert.equal(name(desktop.world()), "Hopper");
  });
});

Deno.test("a savepoint that a rollback went beyond is not gone back to any more", () => {
  const back = workflow("back", { app: APP }, async (t) => {
    const field = t.locator('textfield[name="Name"]');
    await t.savepoint("first");
    await field.set("Grace");
    await t.savepoint("second");
    await t.rollbackTo("first");
    await field.set("Hopper");
  });
  return killed(back, afterAction(3), async ({ desktop, recover }) => {
    assert.equal(name(desktop.world()), "Hopper");
    assert.match(
      (await recover({ savepoint: "second" })).reason ?? "",
      /no savepoint "second"; there is: first/,
    );
    assert.equal((await recover({ savepoint: "last" })).savepoint, "first");
    assert.equal(name(desktop.world()), "Ada");
  });
});
