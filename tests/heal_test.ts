import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Deadline, pause } from "../src/base/call.ts";
import { accountOf, FORM, orderFile, PRINT, ran, STEPS, TOKEN } from "./_heal.ts";
import { ROOT, withPlace } from "./cli/program.ts";

Deno.test("a field that is called otherwise: its candidate is tried and rolled back, the run fails, the patch makes the next one pass", () =>
  withPlace(async (place) => {
    const account = join(place.work, "account.jsonl");
    // What is rolled back is then the trial's own.
    const text = orderFile(account, STEPS).replace("steps:", "on_failure: stop\nsteps:");
    const file = place.file("order.yaml", text);
    assert.equal((await ran(place, file, [])).status, "passed");
    const renamed = ["Customer=Customer name"];

    const hinted = await ran(place, file, renamed);
    assert.equal(hinted.exit, 1);
    assert.equal(hinted.suggestion?.to, 'textfield[name="Customer name"]');
    assert.match(hinted.error?.hint ?? "", /Did you mean textfield\[name="Customer name"\]\?/);
    assert.equal(hinted.suggestion?.proof, undefined, "without --heal nothing is tried");
    assert.deepEqual(accountOf(account, "Customer"), [], "and the form saw nothing");

    const healed = await ran(place, file, renamed, "--heal");
    assert.deepEqual([healed.status, healed.exit], ["failed", 1]);
    assert.equal(healed.rollback.verdict, "none", "the run itself rolls back nothing");
    assert.equal(healed.suggestion?.proof?.verdict, "proved", JSON.stringify(healed.suggestion));
    assert.deepEqual(accountOf(account, "Customer"), ["Ada", ""], "tried, and rolled back");
    assert.deepEqual(accountOf(account, "Express delivery"), [], "the run did not go on");
    assert.equal(readFileSync(join(place.work, file), "utf8"), text, "the file is as it was");

    const patch = healed.suggestion?.patch ?? "";
    const tried = await place.run(["heal", "apply", "--dry-run", patch]);
    assert.equal(tried.code, 0, tried.err);
    assert.match(tried.out, /would change order\.yaml, step 2 \(proved\)/);
    assert.equal(readFileSync(join(place.work, file), "utf8"), text);
    const listed = await place.run(["heal", "list", "--format", "json"]);
    assert.equal(JSON.parse(listed.out).patches[0].proof, "proved");

    const applied = await place.run(["heal", "apply"]);
    assert.equal(applied.code, 0, applied.err);
    const expected = text.replace('textfield[name="Customer"]', 'textfield[name="Customer name"]');
    assert.equal(readFileSync(join(place.work, file), "utf8"), expected, "one scalar, and nothing else");
    assert.ok(!existsSync(patch), "an applied patch is gone");
    assert.equal((await ran(place, file, renamed)).status, "passed");

    const kept = join(place.state, "heal");
    for (const name of readdirSync(kept, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue;
      const bytes = readFileSync(join(name.parentPath, name.name));
      assert.ok(!bytes.includes(TOKEN), `${name.name} holds the secret`);
    }
  }));

Deno.test("a check box is proved by its state; what cannot be undone is not tried, and its patch is applied only on demand", () =>
  withPlace(async (place) => {
    const account = join(place.work, "account.jsonl");
    const file = place.file("order.yaml", orderFile(account, STEPS + PRINT));
    assert.equal((await ran(place, file, [])).status, "passed");

    const box = await ran(place, file, ["Express delivery=Express delivery (paid)"], "--heal");
    assert.equal(box.exit, 1);
    assert.equal(box.suggestion?.proof?.verdict, "proved", JSON.stringify(box.suggestion));
    assert.deepEqual(accountOf(account, "Express delivery"), [true, false]);

    const button = await ran(place, file, ["Print receipt=Print the receipt"], "--heal");
    assert.equal(button.exit, 1);
    assert.equal(button.suggestion?.proof?.verdict, "unproved");
    assert.match(button.suggestion?.proof?.reason ?? "", /cannot be undone/);
    assert.deepEqual(accountOf(account, "Print receipt"), [], "nobody pressed it");

    const patch = button.suggestion?.patch ?? "";
    const refused = await place.run(["heal", "apply", patch]);
    assert.equal(refused.code, 2, refused.out);
    assert.match(refused.err, /it is unproved: it cannot be undone/);
    const applied = await place.run(["heal", "apply", "--unproved", patch]);
    assert.equal(applied.code, 0, applied.err);
    assert.match(readFileSync(join(place.work, file), "utf8"), /button\[name=\\"Print the receipt\\"\]/);
    // The other patch was made for the file as it was.
    const stale = await place.run(["heal", "apply", box.suggestion?.patch ?? ""]);
    assert.equal(stale.code, 2);
    assert.match(stale.err, /is not the file it was made for/);
  }));

Deno.test("one string of a program changes", () =>
  withPlace(async (place) => {
    const account = join(place.work, "account.jsonl");
    const text = `// The line of a call is known.
import { workflow } from ${JSON.stringify(join(ROOT, "mod.ts"))};

export default workflow("Order", { session: "isolated", timeout: 60_000, before: async (t) => {
  await t.launch({ app: "/usr/bin/python3", args: [${JSON.stringify(FORM)}, ${
      JSON.stringify(account)
    }, Deno.env.get("ONE") ?? "none"] });
} }, async (t) => {
  const form = t.app("gtk3.py");
  const box = form.locator('checkbox[name="Express delivery"]');
  await box.click({ }, { timeout: 2_000 });   // why
});
`;
    const file = place.file("order.ts", text);
    const first = await ran(place, file, []);
    assert.equal(first.status, "passed", JSON.stringify(first));
    const renamed = ["Express delivery=Express delivery (paid)"];
    const healed = await ran(place, file, renamed, "--heal");
    assert.equal(healed.suggestion?.proof?.verdict, "proved", JSON.stringify(healed));
    const applied = await place.run(["heal", "apply"]);
    assert.equal(applied.code, 0, applied.err);
    assert.equal(
      readFileSync(join(place.work, file), "utf8"),
      text.replace("Express delivery", "Express delivery (paid)"),
    );
    assert.equal((await ran(place, file, renamed)).status, "passed");
  }));

Deno.test("a test run writes the patch, and its reports carry the suggestion", () =>
  withPlace(async (place) => {
    const account = join(place.work, "account.jsonl");
    place.file("order.yaml", orderFile(account, STEPS));
    const tested = (one: string, ...more: string[]) =>
      place.run(["test", "order.yaml", "--reporter", "list,json,junit,html", ...more], {
        env: { ONE: one, TWO: "none", ORDER_TOKEN: TOKEN },
        timeout: 120_000,
      });
    const first = await tested("none");
    assert.equal(first.code, 0, first.err + first.out);
    const healed = await tested("Express delivery=Express delivery (paid)", "--heal");
    assert.equal(healed.code, 1, healed.err + healed.out);
    assert.match(healed.out, /Did you mean checkbox\[name="Express delivery \(paid\)"\]\?/);
    assert.match(healed.out, /The patch is .*\.patch/);
    const reports = join(place.work, "test-results");
    const json = readFileSync(join(reports, "results.json"), "utf8");
    assert.match(json, /"suggestion":\s*\{/);
    const junit = readFileSync(join(reports, "junit.xml"), "utf8");
    assert.match(junit, /<property name="suggestion" value="checkbox/);
    assert.match(junit, /<property name="patch" value="[^"]+\.patch"/);
    assert.deepEqual(accountOf(account, "Express delivery"), [true, false]);
  }));

Deno.test("a run that is killed while a candidate is tried is recovered: what the trial did is rolled back", () =>
  withPlace(async (place) => {
    const account = join(place.work, "account.jsonl");
    const file = place.file(
      "order.yaml",
      orderFile(account, STEPS).replace("steps:", "on_failure: stop\nsteps:"),
    );
    assert.equal((await ran(place, file, [])).status, "passed");
    const env = { ONE: "Customer=Customer name", TWO: "none", ORDER_TOKEN: TOKEN };
    const running = place.start(["run", file, "--heal", "--format", "json"], { env });
    const before = readFileSync(account, "utf8").split("\n").length;
    const deadline = Deadline.after(30_000);
    // The trial's rollback looks for a second after its last write: it is killed as soon as the form saw the candidate.
    while (!readFileSync(account, "utf8").split("\n").slice(before).join().includes('"Ada"')) {
      assert.ok(!deadline.passed, "the candidate was never tried");
      await pause(2);
    }
    process.kill(running.pid, "SIGKILL");
    await running.finished;
    const [run = ""] = place.runs().toSorted().slice(-1);
    const recovered = await place.run(["recover", run, "--format", "json"], { env });
    assert.ok([0, 1].includes(recovered.code ?? -1), recovered.err + recovered.out);
    assert.deepEqual(accountOf(account, "Customer"), ["Ada", ""]);
  }));
