import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { type Finished, type Place, ROOT, type Running, withPlace } from "./cli/program.ts";
import { failure, oneJson, runResult } from "./cli/shapes.ts";

const CALCULATOR = join(ROOT, "workflows/calculator.yaml");

/** Changes a field, then waits for what never comes. */
const LONG = `name: A long one
app: gtk3-widget-factory
session: isolated
timeout: 120s
before:
  - launch: gtk3-widget-factory
steps:
  - set: { target: 'textfield:visible:enabled:nth(2)', value: changed }
  - wait: { target: 'button[name="Never"]', timeout: 100s }
after:
  - quit: gtk3-widget-factory
`;

Deno.test("ten runs one after another leave nothing behind", () =>
  withPlace(async (place) => {
    for (let i = 0; i < 10; i++) {
      const finished = await place.run(["run", CALCULATOR, "--session", "isolated", "--format", "json"]);
      assert.equal(finished.code, 0, finished.out + finished.err);
      assert.deepEqual(place.traces(), [], `run ${i + 1}`);
    }
  }));

Deno.test("four runs at once leave nothing behind", () =>
  withPlace(async (place) => {
    const runs = Array.from({ length: 4 }, () => place.run(["run", CALCULATOR, "--format", "json"]));
    const finished = await Promise.all(runs);
    assert.deepEqual(
      finished.map((e) => e.code),
      [0, 0, 0, 0],
      finished.map((e) => e.out + e.err).join("\n"),
    );
    assert.equal(
      new Set(finished.map((e) => runResult(e.out).desktop.label)).size,
      4,
      "each had its own desktop",
    );
    assert.deepEqual(place.traces(), []);
  }));

/** Starts the long workflow and waits until its long step has begun. */
async function inTheMiddle(place: Place, through?: readonly string[]): Promise<Running> {
  place.file("long.yaml", LONG);
  const file = join(place.work, "long.yaml");
  const running = place.start(["run", file], through ? { through, cwd: ROOT } : {});
  await running.says("✓ 1 ");
  return running;
}

function assertRolledBack(place: Place, finished: Finished): void {
  assert.equal(finished.code, 130, finished.out + finished.err);
  assert.match(finished.out, /Interrupted: stopping and rolling back/);
  assert.match(finished.out, /rolling back the workflow/);
  assert.match(finished.out, /✓ 1 .*restored/);
  assert.match(finished.out, /^interrupted in .*rollback: restored · exit 130/m);
  assert.ok(finished.took < 20_000, `it stopped early, after ${finished.took} ms`);
  assert.deepEqual(place.traces(), []);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.test(`${signal} stops a run early: rolled back, cleaned, exit 130`, () =>
    withPlace(async (place) => {
      const running = await inTheMiddle(place);
      process.kill(running.pid, signal);
      assertRolledBack(place, await running.finished);
    }));
}

const NPM = ["npm", "run", "-s", "backstep", "--"];

Deno.test("SIGINT to npm alone reaches the run", () =>
  withPlace(async (place) => {
    const running = await inTheMiddle(place, NPM);
    process.kill(running.pid, "SIGINT");
    assertRolledBack(place, await running.finished);
  }));

Deno.test("SIGINT to npm's process group, as a terminal sends it, is one interrupt", () =>
  withPlace(async (place) => {
    const running = await inTheMiddle(place, NPM);
    process.kill(-running.pid, "SIGINT");
    const finished = await running.finished;
    assertRolledBack(place, finished);
    assert.doesNotMatch(finished.out, /Interrupted again/);
  }));

Deno.test("SIGINT while the desktop is being started leaves nothing behind", () =>
  withPlace(async (place) => {
    for (const args of [["run", CALCULATOR], ["session", "start"], ["check"]]) {
      const running = place.start([...args, "--format", "json"]);
      while (place.traces().length === 0) await Promise.race([pauseOf(2), running.finished]);
      process.kill(running.pid, "SIGINT");
      const finished = await running.finished;
      assert.equal(finished.code, 130, `${args.join(" ")}: ${finished.out}${finished.err}`);
      assert.deepEqual(place.traces(), [], args.join(" "));
    }
  }));

Deno.test("SIGINT to a one-shot command that waits ends it with 130, its desktop too", () =>
  withPlace(async (place) => {
    const words = [
      "wait",
      "dialog",
      "--timeout",
      "100s",
      "--session",
      "isolated",
      "--app",
      "gtk3-widget-factory",
    ];
    const running = place.start([...words, "--format", "json"]);
    while (!place.traces().some((trace) => trace.includes("gtk3"))) {
      await Promise.race([pauseOf(20), running.finished]);
    }
    process.kill(running.pid, "SIGINT");
    const finished = await running.finished;
    assert.equal(finished.code, 130, finished.out + finished.err);
    assert.equal(failure(finished.out).code, "cancelled");
    assert.ok(finished.took < 20_000);
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("a second interrupt ends it too: rolled back by then, or in doubt with its desktop kept", () =>
  withPlace(async (place) => {
    const running = await inTheMiddle(place);
    process.kill(running.pid, "SIGINT");
    await running.says("Interrupted: stopping");
    // A repeat within 300 ms is the same interrupt, passed on by npm.
    await pauseOf(350);
    process.kill(running.pid, "SIGINT");
    const finished = await running.finished;
    const restored = /^interrupted .*rollback: restored/m.test(finished.out);
    assert.equal(finished.code, restored ? 130 : 4, finished.out + finished.err);
    if (!restored) {
      const check = await place.run(["check", "--quick"]);
      assert.match(check.out, /in doubt/);
      await place.run(["session", "stop", "--all", "--force"]);
    }
    assert.deepEqual(place.traces(), []);
  }));

/** There is no event for a file that appears in a folder that does not exist yet. */
function pauseOf(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

Deno.test("a reader that goes away ends no run half-way", () =>
  withPlace(async (place) => {
    const running = place.start(["run", CALCULATOR]);
    await running.says("Twelve");
    running.child.stdout?.destroy();
    await running.finished;
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("SIGKILL leaves the desktop: check lists it as in doubt, session stop ends it without a trace", () =>
  withPlace(async (place) => {
    const running = await inTheMiddle(place);
    process.kill(running.pid, "SIGKILL");
    await running.finished;
    for (let i = 0; i < 2; i++) {
      const check = await place.run(["check", "--quick"]);
      assert.equal(check.code, 0, check.out);
      assert.match(check.out, /in doubt +:\d+ .* old +open journal \S+\/runs\//);
      assert.match(check.out, /backstep session stop <id>/);
    }
    const json = await place.run(["check", "--format", "json"]);
    const { desktops: [desktop], reaped } = desktopsOf(json.out);
    assert.equal(desktop?.status, "in doubt");
    assert.deepEqual(reaped, []);
    const id = desktop?.id ?? "";
    const all = await place.run(["session", "stop", "--all"]);
    assert.match(all.out, /Nothing to stop/, "what may have to be undone is ended by its name only");
    const tree = await place.run(["tree", "textfield:nth(2)", "--session", id]);
    assert.match(tree.out, /textfield/, "it can still be looked at");
    const stopped = await place.run(["session", "stop", id]);
    assert.equal(stopped.code, 0, stopped.err);
    assert.deepEqual(place.traces(), []);
    const again = await place.run(["session", "stop", id]);
    assert.equal(again.code, 1);
    assert.match(again.err, /no lease/);
  }));

Deno.test("run --keep keeps the desktop until it is stopped; commands work on it", () =>
  withPlace(async (place) => {
    place.file("keep.yaml", LONG.replace(/ {2}- wait.*\nafter:\n.*\n/, ""));
    const finished = await place.run(["run", "keep.yaml", "--keep", "--format", "json"]);
    assert.equal(finished.code, 0, finished.out);
    const list = await place.run(["session", "list", "--format", "json"]);
    const [desktop] = desktopsOf(list.out).desktops;
    assert.equal(desktop?.status, "kept");
    const id = desktop?.id ?? "";
    const text = await place.run(["session", "list"]);
    assert.match(text.out, new RegExp(`^${id} +kept +:\\d+ `));
    const check = await place.run(["check", "--quick"]);
    assert.match(check.out, new RegExp(`${id} +kept`), "check leaves what is kept");
    const value = await place.run(["value", "textfield:visible:enabled:nth(2)", "--session", id]);
    assert.equal(value.out, "changed\n", value.err);
    assert.equal((await place.run(["session", "stop", id])).code, 0);
    assert.deepEqual(place.traces(), []);
  }));

/** The part of `check` and `session list` that is about desktops. */
function desktopsOf(out: string): { desktops: { id: string; status: string }[]; reaped: string[] } {
  const value = oneJson(out);
  assert.ok(
    typeof value === "object" && value !== null && "desktops" in value && Array.isArray(value.desktops),
  );
  const reaped = "reaped" in value && Array.isArray(value.reaped) ? value.reaped.map(String) : [];
  return {
    desktops: value.desktops.map((one: { id: unknown; status: unknown }) => ({
      id: String(one.id),
      status: String(one.status),
    })),
    reaped,
  };
}
