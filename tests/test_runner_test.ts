import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { junit } from "../src/report/tests/junit.ts";
import { FILES, summaryOf, tried } from "../src/report/tests/_events.ts";
import { Deadline } from "../src/base/call.ts";
import { allProcesses, whenGone } from "../src/session/processes.ts";
import { withPlace } from "./cli/program.ts";
import { canValidate, faultsOfJunit } from "./junit.ts";

const PASSES = `name: Passes
app: sim.settings
session: simulated
before: [ { launch: sim.settings } ]
steps:
  - set: { target: 'textfield[name="Name"]', value: Grace }
`;
const FAILS = `${
  PASSES.replace("Passes", "Fails")
}  - assert: { target: 'button[name="Nowhere"]', timeout: 0 }\n`;
const LIBRARY = new URL("../mod.ts", import.meta.url).href;

/** A real application that is stopped in the middle; it is waited for in vain once the other file is done. */
const HUNG = `import { workflow } from ${JSON.stringify(LIBRARY)};
import { existsSync, watch } from "node:fs";
import process from "node:process";
export default workflow("Its application hangs", {
  session: "isolated",
  timeout: 60_000,
  before: async (t) => {
    await t.launch("gtk3-widget-factory");
  },
}, async (t) => {
  const { apps: [{ pid }] } = await t.listApplications();
  process.kill(pid, "SIGSTOP");
  const done = new Promise((resolve) => {
    const watcher = watch(".", () => {
      if (!existsSync("done")) return;
      watcher.close();
      resolve();
    });
  });
  if (!existsSync("done")) await done;
  await t.app("gtk3-widget-factory").locator("spinbutton:enabled").set("75", { timeout: 1_000 });
});
`;
const OTHER = `import { workflow } from ${JSON.stringify(LIBRARY)};
import { writeFileSync } from "node:fs";
export default workflow("Another one", {
  session: "isolated",
  after: async (t) => {
    await t.app("gnome-calculator").quit();
  },
}, async (t) => {
  const calculator = await t.launch("org.gnome.Calculator");
  await calculator.locator('button:has(> label[name="1"])').click(undefined, { irreversible: true });
  writeFileSync("done", "");
});
`;

Deno.test({
  name: "the JUnit schema takes what the reporter writes, and nothing that is not in it",
  ignore: !canValidate,
}, () => {
  const all = [...FILES, tried("w/e.yaml", "failed", { tags: ['"<&>"'] })];
  const lost = tried("w/x.yaml", "failed");
  const unended = {
    ...lost,
    tries: lost.tries.map(({ result: _, ...rest }) => ({ ...rest, printed: "\\u0000<" })),
  };
  for (const files of [[], all, [unended]]) {
    assert.equal(faultsOfJunit(junit(summaryOf(files))), "");
  }
  assert.match(faultsOfJunit(junit(summaryOf(all)).replaceAll("flakyFailure", "flaky")), /flaky/);
});

Deno.test("backstep test: files, history, reports and the exit code", () =>
  withPlace(async (place) => {
    place.file("a.yaml", PASSES);
    place.file("b.yaml", FAILS);
    place.file("c.yaml", `tags: [slow]\n${PASSES}`);
    const reports = ["--reporter", "list,junit,json,blob", "--output", "out"];
    const first = await place.run(["test", ".", "--tag", "!slow", "--shard", "1/1", ...reports]);
    assert.equal(first.code, 1, first.err);
    assert.match(first.out, /✗ b\.yaml +Fails[^]*1 failed, 1 passed in .* · exit 1\n$/);
    if (canValidate) assert.equal(faultsOfJunit(readFileSync(join(place.work, "out/junit.xml"), "utf8")), "");
    const again = await place.run(["test", ".", "--last-failed", "--reporter", "dot"]);
    assert.match(again.out, /^F\n\n✗ failed +b\.yaml/);
    assert.equal(again.code, 1);
    const merged = await place.run(["merge-reports", "out", "--reporter", "dot"]);
    assert.match(merged.out, /1 failed, 1 passed/);
    assert.equal(merged.code, 1);
    const nothing = await place.run(["test", ".", "--grep", "nothing"]);
    assert.equal(nothing.code, 2);
    assert.match(nothing.err, /none of the 3 workflow files/);
    const missing = await place.run(["test"]);
    assert.equal(missing.code, 2);
    assert.match(missing.err, /Cannot test workflows: there is no such file or folder/);
    assert.deepEqual(place.runs(), [], "runs of tests do not push the user's own out");
  }));

Deno.test("backstep test: --list, --grep-invert, --shuffle, --global-timeout and --pass-with-no-tests", () =>
  withPlace(async (place) => {
    place.file("a.yaml", PASSES);
    place.file("b.yaml", FAILS);
    place.file("c.yaml", `skip: not written yet\ntags: [quick]\n${PASSES}`);
    const listed = await place.run(["test", ".", "--list", "--grep-invert", "Fails"]);
    assert.deepEqual([listed.code, listed.out], [
      0,
      "a.yaml  Passes\nc.yaml  Passes  #quick  skipped: not written yet\n2 files\n",
    ], listed.err);
    const asJson = await place.run(["test", ".", "--list", "--format", "json"]);
    assert.deepEqual(
      JSON.parse(asJson.out).files.map(({ id, reason }: { id: string; reason?: string }) => [id, reason]),
      [["a.yaml", undefined], ["b.yaml", undefined], ["c.yaml", "not written yet"]],
    );
    assert.deepEqual(place.runs(), [], "nothing was run");

    const mixed = await place.run(["test", ".", "--grep-invert", "Fails", "--shuffle"]);
    assert.equal(mixed.code, 0, mixed.err);
    assert.match(mixed.err, /Random order; the same again: --shuffle=\d+\n/);
    const wrong = await place.run(["test", ".", "--shuffle=x"]);
    assert.match(wrong.err, /--shuffle takes a whole number below 4294967296, not "x"/);

    place.file("a.yaml", `${PASSES}  - wait: { target: 'button[name="Never"]', timeout: 60s }\n`);
    const late = await place.run(["test", "a.yaml", "--global-timeout", "10s"]);
    assert.equal(late.code, 1, late.err);
    assert.match(late.out, /The time limit of the test run, 10\.0 s, was reached[^]*restored/);

    const none = await place.run(["test", ".", "--grep", "nothing", "--pass-with-no-tests"]);
    assert.deepEqual([none.code, none.err], [0, "There is nothing to run.\n"]);
    mkdirSync(join(place.work, "empty"));
    assert.equal((await place.run(["test", "empty"])).code, 2);
    assert.equal((await place.run(["test", "empty", "--pass-with-no-tests"])).code, 0);
  }));

Deno.test("backstep test: 20 cases are 20 results in every reporter; backstep run takes one by its name", () =>
  withPlace(async (place) => {
    const rows = Array.from({ length: 20 }, (_, n) => `Person ${n + 1}`);
    place.file("people.csv", `who\n${rows.join("\n")}\n`);
    const named = PASSES.replace("value: Grace", "value: '{{vars.who}}'");
    const checked =
      `  - assert: { target: 'textfield[name="Name"]', value: { equals: Person 7 }, timeout: 0 }\n`;
    place.file("a.yaml", `vars: { who: { type: string } }\ncases: people.csv\n${named}`);
    const reports = ["--reporter", "list,line,dot,github,junit,json,html,blob", "--output", "out"];
    const { code, out, err } = await place.run(["test", "a.yaml", "--workers", "2", ...reports]);
    assert.equal(code, 0, err);
    assert.match(out, /20 passed/);
    assert.equal(new Set(out.match(/a\.yaml \[Person \d+\]/g)).size, 20);
    const read = (name: string) => readFileSync(join(place.work, "out", name), "utf8");
    assert.equal(new Set(read("junit.xml").match(/a\.yaml \[Person \d+\]/g)).size, 20);
    const results = JSON.parse(read("results.json"));
    assert.deepEqual(results.files.map((one: { case: string }) => one.case).sort(), rows.toSorted());
    const merged = await place.run(["merge-reports", "out", "--reporter", "dot"]);
    assert.match(merged.out, /20 passed/);

    place.file("b.yaml", `vars: { who: { type: string } }\ncases: people.csv\n${named}${checked}`);
    assert.equal((await place.run(["run", "b.yaml", "--case", "Person 7"])).code, 0);
    assert.equal((await place.run(["run", "b.yaml", "--case", "Person 8"])).code, 1);
    const none = await place.run(["run", "b.yaml", "--case", "Person 77"]);
    assert.equal(none.code, 2);
    assert.match(none.err, /it has no case "Person 77"[^]*Did you mean: .*Person 7/);
    const missing = await place.run(["plan", "b.yaml"]);
    assert.match(missing.err, /the variable "who" has no value/);
    assert.equal((await place.run(["plan", "b.yaml", "--case", "Person 3"])).code, 0);
  }));

Deno.test("Ctrl-C undoes what runs, and ends with 130 and without a trace", () =>
  withPlace(async (place) => {
    place.file("a.yaml", `${PASSES}  - wait: { target: 'button[name="Never"]', timeout: 60s }\n`);
    place.file("b.yaml", PASSES.replace("Passes", "Another"));
    const running = place.start(["test", "a.yaml", "b.yaml", "--workers", "2", "--output", "out"]);
    // The other worker is done: the first one is at its wait, or on its way there.
    await running.says("b.yaml");
    process.kill(running.pid, "SIGINT");
    const finished = await running.finished;
    assert.equal(finished.code, 130, finished.err);
    assert.match(finished.err, /Interrupted/);
    assert.match(finished.out, /a\.yaml[^]*interrupted · exit 130/);
  }));

Deno.test("workers whose runner was killed take themselves away", () =>
  withPlace(async (place) => {
    place.file("a.yaml", `${PASSES}  - wait: { target: 'button[name="Never"]', timeout: 60s }\n`);
    place.file("b.yaml", PASSES);
    const running = place.start(["test", "a.yaml", "b.yaml", "--workers", "2"]);
    await running.says("b.yaml");
    const workers = allProcesses().filter(({ parent }) => parent === running.pid);
    assert.ok(workers.length >= 1, "a worker is at its wait");
    process.kill(running.pid, "SIGKILL");
    await running.finished;
    assert.ok(await whenGone(workers, Deadline.after(30_000)), "they stayed");
  }));

Deno.test("a worker whose application hangs delays no other, and nothing of it is left", () =>
  withPlace(async (place) => {
    place.file("hung.ts", HUNG);
    place.file("other.ts", OTHER);
    const args = ["test", "hung.ts", "other.ts", "--workers", "2", "--evidence", "off"];
    const finished = await place.run(args, { timeout: 150_000 });
    assert.match(
      finished.out,
      /✓ other\.ts[^]*✗ hung\.ts[^]*did not answer in time[^]*1 failed, 1 passed/,
      finished.err,
    );
    assert.ok(finished.code === 1 || finished.code === 4, `${finished.code}`);
    assert.deepEqual(place.traces(), []);
  }));
