import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { catalogue } from "../catalogue.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../desktop/simulated/simulated-desktop.ts";
import { at } from "../engine/run/_trial.ts";
import { type AtPoint, killingDesktop, killingSink, type Point } from "../engine/run/_kill.ts";
import { readJournal, runFolder } from "../engine/journal/journal.ts";
import type { JournalRecord } from "../engine/journal/records/mod.ts";
import { recoverRun } from "../engine/recovery/recover.ts";
import { listRuns } from "../engine/journal/runs.ts";
import { undoRun } from "../engine/recovery/undo-run.ts";
import type { Session } from "../session/session.ts";
import { SimulatedLauncher } from "../session/simulated-launcher.ts";
import { CallFailed, LiveRun } from "./live.ts";

const APP = "sim.settings";
const NAME = 'textfield[name="Name"]';
const set = (value: string, query = NAME) => ({ tool: "ax_set_value", args: { app: APP, query, value } });
const NOTHING = { env: () => undefined, secret: () => undefined };

/** Every so many points: all of them are gone through by `STRIDE=1`. */
const STRIDE = Number(process.env["STRIDE"] ?? "5");

class Killed extends Error {}

/** A desktop and a state folder; a process that uses them can be killed at a point that it passes. */
class Place {
  readonly state = mkdtempSync(join(tmpdir(), "backstep-live-"));
  readonly desktop: SimulatedDesktop = simulate({ applications: [APP], clock: "virtual" });
  passed = 0;

  session(point: AtPoint = () => {}): Session {
    return {
      kind: "simulated",
      label: "simulated",
      desktop: killingDesktop(this.desktop, point),
      launcher: new SimulatedLauncher(this.desktop),
      home: undefined,
      id: undefined,
      close: () => Promise.resolve(),
    };
  }

  begin(kill = -1, kept?: number): Promise<LiveRun> {
    this.passed = 0;
    let dead = false;
    const point = (_: Point, __: string) => {
      dead ||= this.passed++ === kill;
      if (dead) throw new Killed();
    };
    return LiveRun.begin({
      session: this.session(point),
      folder: this.state,
      state: this.state,
      run: "r",
      name: "MCP session trial",
      sink: killingSink(point),
      ...defined({ kept }),
    });
  }

  recover(dryRun = false) {
    const own = { run: "r", state: this.state, operations: catalogue, surroundings: NOTHING, dryRun };
    return recoverRun({ ...own, reattach: () => Promise.resolve(this.session()) });
  }

  undo() {
    const own = { run: "r", state: this.state, operations: catalogue, surroundings: NOTHING };
    return undoRun({ ...own, reattach: () => Promise.resolve(this.session()) });
  }

  get shown(): { name: Json; copies: Json } {
    const world = this.desktop.world();
    return { name: at(world, APP, "name", "text"), copies: at(world, APP, "copies", "value") };
  }

  lines(kind: JournalRecord["kind"]): number {
    return readJournal(runFolder(this.state, "r")).filter((line) => line.kind === kind).length;
  }
}

async function place<R>(use: (place: Place) => Promise<R>): Promise<R> {
  const one = new Place();
  try {
    return await use(one);
  } finally {
    await one.desktop.close();
    rmSync(one.state, { recursive: true });
  }
}

Deno.test("a live run: its calls stay when it ends, and it can be undone later", async () => {
  await place(async (here) => {
    const live = await here.begin();
    for (const { tool, args } of [set("Grace"), set("Hopper"), set("7", "spinbutton")]) {
      await live.call(tool, args);
    }
    assert.equal(live.depth, 3);
    const result = await live.end();
    assert.deepEqual([result.status, result.steps.length, here.shown], [
      "passed",
      0,
      { name: "Hopper", copies: 7 },
    ]);
    await assert.rejects(live.call("ax_undo", {}), { code: "cancelled" });
    assert.deepEqual(listRuns(here.state).map(({ workflow, status }) => [workflow, status]), [[
      "MCP session trial",
      "passed",
    ]]);
    assert.equal((await here.undo()).verdict, "restored");
    assert.deepEqual(here.shown, { name: "Ada", copies: 1 });
  });
});

Deno.test("a live run: a call that fails takes nothing back and ends nothing", async () => {
  await place(async (here) => {
    const live = await here.begin();
    await live.call("ax_set_value", set("Grace").args);
    await assert.rejects(live.call("ax_click", { app: APP, query: NAME, nothing: 1 }), { code: "workflow" });
    await assert.rejects(
      live.call("ax_set_value", { app: APP, query: 'button[name="Apply"]', value: "x" }),
      (error) => error instanceof CallFailed && error.answer?.step.status === "failed",
    );
    assert.deepEqual([here.shown.name, live.depth], ["Grace", 1], "what did not happen cannot be undone");
    const { output } = await live.call("ax_undo", {});
    assert.deepEqual([here.shown.name, output], ["Ada", {
      undone: 1,
      skipped: 0,
      actions: [{ tool: "ax_set_value", status: "undone" }],
    }]);
    await live.end();
  });
});

Deno.test("a live run: calls that come at once are done one after another, in their order", async () => {
  await place(async (here) => {
    const live = await here.begin();
    const answers = await Promise.all(
      ["a", "b", "c"].map((value) => live.call("ax_set_value", set(value).args)),
    );
    assert.deepEqual(answers.map(({ step }) => step.path), ["1", "2", "3"]);
    assert.equal(here.shown.name, "c");
    await live.end();
  });
});

Deno.test("a live run: it keeps the last actions only, so that it can live for weeks", async () => {
  await place(async (here) => {
    const live = await here.begin(-1, 3);
    for (let n = 0; n < 10; n++) await live.call("ax_set_value", set(`name ${n}`).args);
    assert.equal(live.depth, 3);
    const { output } = await live.call("ax_undo", { count: 100 });
    assert.match(JSON.stringify(output), /"undone":3/);
    assert.equal(here.shown.name, "name 6");
    await live.end();
  });
});

Deno.test("a live run: a call that is cancelled in the middle of ax_workflow has its steps rolled back, whatever on_fail says", async () => {
  await place(async (here) => {
    const live = await here.begin();
    await live.call("ax_set_value", set("Grace").args);
    const stop = new AbortController();
    const wait = { tool: "ax_wait_idle", args: { app: APP }, wait_after_ms: 600_000 };
    const call = live.call("ax_workflow", { steps: [set("Hopper"), wait, set("never")] }, {
      signal: stop.signal,
      listener: (event) => {
        if (event.event === "step-finished" && event.step.path === "2.2") stop.abort();
      },
    });
    const error = await call.then(() => undefined, (thrown: unknown) => thrown);
    assert.ok(error instanceof CallFailed);
    assert.equal(error.code, "cancelled");
    const reported = JSON.stringify(error.answer?.output);
    assert.match(reported, /"rolled_back":true,"verdict":"restored"/);
    assert.equal(here.shown.name, "Grace");
    await live.call("ax_set_value", set("Hopper").args);
    assert.equal(here.shown.name, "Hopper", "the live run goes on");
    await live.end();
  });
});

Deno.test("a live run: what its calls may see of the process is nothing", async () => {
  await place(async (here) => {
    const live = await here.begin();
    await live.call("ax_set_value", set("{{env.HOME}} {{vars.x}} {{step_1.value}}").args);
    assert.equal(here.shown.name, "{{env.HOME}} {{vars.x}} {{step_1.value}}");
    await live.call("ax_workflow", {
      steps: [
        { tool: "ax_get_value", args: { app: APP, query: "spinbutton" } },
        set("{{step_1.value}} of {{env.HOME}} {{secrets.X}}"),
      ],
    });
    assert.equal(here.shown.name, "1 of {{env.HOME}} {{secrets.X}}");
    await assert.rejects(
      live.call("ax_workflow", { steps: [set("{{step_1.value}}")] }),
      /step 1 has not run here/,
    );
    await live.end();
  });
});

Deno.test("a live run that was killed at any point: completed calls stay, the one that was cut off is rolled back", async () => {
  const both = { steps: [set("7", "spinbutton"), set("Hopper")] };
  const states = [{ name: "Ada", copies: 1 }, { name: "Grace", copies: 1 }, { name: "Hopper", copies: 7 }];
  const seen = new Set<number>();
  for (let kill = 0, more = true; more; kill += STRIDE) {
    more = await place(async (here) => {
      const live = await here.begin(kill).catch(() => undefined);
      if (!live) return true;
      await live.call("ax_set_value", set("Grace").args).catch(() => {});
      await live.call("ax_workflow", both).catch(() => {});
      await live.call("ax_undo", { count: 2 }).catch(() => {});
      const finished = await live.end().then(() => true, () => false);
      if (finished || here.lines("end") > 0) return false;
      const returned = here.lines("settled");
      assert.equal((await here.recover(true)).verdict, "open");
      const { verdict } = await here.recover();
      assert.equal(verdict, "restored", `killed at ${kill}`);
      // An undo that was cut off is finished.
      const undoing = returned === 2 && here.lines("rollback") > 0;
      const wanted = undoing || returned === 3 ? states[1] : states[returned];
      assert.deepEqual(here.shown, wanted, `killed at ${kill} after ${returned} calls`);
      // What stayed can still be undone.
      if (returned > 0) {
        const { verdict } = await here.undo();
        assert.equal(verdict, "restored", `killed at ${kill}: undone`);
      }
      assert.deepEqual(here.shown, states[0], `killed at ${kill}, undone`);
      seen.add(returned);
      return true;
    });
  }
  assert.ok(seen.has(0) && seen.has(1), [...seen].join());
});
