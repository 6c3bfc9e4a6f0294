import assert from "node:assert/strict";
import process from "node:process";
import { PLAIN } from "../report/style.ts";
import { junit } from "../report/tests/junit.ts";
import { listReporter } from "../report/tests/list.ts";
import { FAILS, PASSES, program, runSuite } from "./_suite.ts";

/** Fails the first time, and passes from then on. */
const FLAKY = program(
  "Flaky",
  `
  const { existsSync, writeFileSync } = await import("node:fs");
  const field = t.locator('textfield[name="Name"]');
  const second = existsSync("$FOLDER/tried");
  writeFileSync("$FOLDER/tried", "");
  await field.set(second ? "Grace" : "Gracie");
  await t.expect(field).toHaveValue("Grace", { timeout: 0 });`,
);

/** Never comes back, and lets nothing else of its process run. */
const HANGS = program("Hangs", "  while (true);", "{ timeout: 3_000, before: undefined }");
const DIES = program(
  "Dies",
  `  console.error("last words");\n  (await import("node:process")).default.exit(7);`,
);

Deno.test("files pass and fail, and the gravest of them is the exit code", async () => {
  const { summary, of, events } = await runSuite({ "a.yaml": PASSES, "b.yaml": FAILS, "c/d.yaml": PASSES });
  assert.deepEqual(summary.counts, { passed: 2, failed: 1, flaky: 0, skipped: 0 });
  assert.equal(summary.exit, 1);
  assert.equal(of("b.yaml").error?.code, "assertion");
  assert.equal(of("b.yaml").tries[0]?.result?.rollback.verdict, "restored");
  const kinds = events.filter((one) => one.event !== "run").map((one) => one.event);
  assert.equal(kinds[0], "tests-started");
  assert.equal(kinds.filter((kind) => kind === "file-finished").length, 3);
  for (const { tries } of summary.files) {
    const reported = events.flatMap((one) =>
      one.event === "run" && one.run === tries[0]?.run ? [one.reported.event] : []
    );
    assert.equal(reported[0], "run-started");
    assert.equal(reported.at(-1), "run-finished");
  }
});

Deno.test("a file is held to its `expect:`, both ways", async () => {
  const expecting = (text: string, expect: string) => text.replace("tags:", `expect: ${expect}\ntags:`);
  const { summary, of } = await runSuite({
    "meant.yaml": expecting(FAILS, "{ status: failed, rollback: restored }"),
    "otherwise.yaml": expecting(FAILS, "{ status: failed, rollback: drift }"),
    "passed.yaml": expecting(PASSES, "{ status: failed }"),
  });
  assert.equal(of("meant.yaml").status, "passed");
  assert.equal(of("meant.yaml").exit, 0);
  assert.equal(of("otherwise.yaml").status, "failed");
  assert.equal(of("passed.yaml").status, "failed");
  assert.match(of("passed.yaml").error?.message ?? "", /not what its `expect:` says/);
  assert.equal(summary.exit, 1);
});

Deno.test("a file that fails and then passes is flaky, with the first divergence, and passes unless that is asked for", async () => {
  const options = { retries: 2 };
  const { summary, of } = await runSuite({ "flaky.ts": FLAKY }, options);
  const flaky = of("flaky.ts");
  assert.equal(flaky.status, "flaky");
  assert.deepEqual(flaky.tries.map(({ status }) => status), ["failed", "passed"]);
  assert.deepEqual(summary.counts, { passed: 0, failed: 0, flaky: 1, skipped: 0 });
  assert.equal(summary.exit, 0);
  const { divergence } = flaky;
  assert.equal(divergence?.first, flaky.tries[0]?.run);
  assert.equal(divergence?.divergence?.paths.first, "1");
  const field = divergence?.divergence?.fields.find(({ first }) => first === "Gracie");
  assert.equal(field?.second, "Grace", JSON.stringify(divergence));
  const strict = await runSuite({ "flaky.ts": FLAKY }, { ...options, failOnFlaky: true });
  assert.equal(strict.summary.exit, 1);
});

Deno.test("a worker that hangs is ended and does not delay the other; its file has an error of its own", async () => {
  const { summary, of, events } = await runSuite(
    { "hangs.ts": HANGS, "a.yaml": PASSES, "b.yaml": PASSES, "c.yaml": PASSES },
    { patience: { late: 200, answer: 500 } },
  );
  assert.deepEqual(summary.counts, { passed: 3, failed: 1, flaky: 0, skipped: 0 });
  assert.match(
    of("hangs.ts").error?.message ?? "",
    /Cannot run .*hangs\.ts: its worker hangs: no answer for 3\.7 s/,
  );
  assert.equal(of("hangs.ts").exit, 4, "what it did last is not known");
  const finished = events.flatMap((one) => one.event === "file-finished" ? [one.result.file.slice(-8)] : []);
  assert.equal(finished.at(-1), "hangs.ts", "the others were done before");
});

Deno.test("a worker that dies is replaced; its file says how, and what it printed", async () => {
  const { summary, of } = await runSuite({ "a-dies.ts": DIES, "b.yaml": PASSES, "c.yaml": PASSES }, {
    workers: 1,
  });
  assert.deepEqual(summary.counts, { passed: 2, failed: 1, flaky: 0, skipped: 0 });
  assert.match(of("a-dies.ts").error?.message ?? "", /its worker died \(exit 7\)/);
  assert.match(of("a-dies.ts").tries[0]?.printed ?? "", /last words/);
});

Deno.test("what a program prints or throws of its own shows no secret, whole or cut", async () => {
  const secret = `tr0ub4dor-${process.pid}`;
  process.env["BST_SECRET"] = secret;
  const says = (name: string, body: string) =>
    program(name, body, '{ secrets: ["BST_SECRET"], before: undefined }');
  const floods = `
  const { default: process } = await import("node:process");
  console.log(process.env.BST_SECRET, "is cut off");
  process.stdout.write(process.env.BST_SECRET + "y".repeat((1 << 16) - 12) + "\\nlast words\\n");`;
  try {
    const { events, summary, of } = await runSuite({
      "prints.ts": says("Prints", `\n  console.error("I know", process.env.BST_SECRET);\n  t;`)
        .replace("import", 'import process from "node:process";\nimport'),
      "floods.ts": says("Floods", `${floods}\n  t;`),
    });
    assert.equal(of("prints.ts").tries[0]?.printed, "I know ••••••\n");
    assert.equal(of("floods.ts").tries[0]?.printed, "last words\n");
    const all = JSON.stringify([events, summary]);
    assert.ok(!all.includes(secret) && !all.includes(secret.slice(-8)));
  } finally {
    delete process.env["BST_SECRET"];
  }
});

Deno.test("a faulty file is exit 2 and not tried again; one whose code hangs when it is read is no more than that", async () => {
  const { summary, of } = await runSuite({
    "bad.yaml": "name: Bad\nsteps:\n  - clik: x\n",
    "hangs.ts": `while (true);\nexport default 1;\n`,
    "fine.yaml": PASSES,
    "var.yaml": `vars: { x: { type: string } }\n${PASSES}`,
  }, { retries: 2, patience: { read: 2_000 } });
  assert.equal(of("bad.yaml").exit, 2);
  assert.deepEqual(of("bad.yaml").error?.place?.line, 3);
  assert.equal(of("bad.yaml").tries.length, 0);
  assert.match(of("hangs.ts").error?.message ?? "", /its own code hangs/);
  assert.equal(of("var.yaml").tries.length, 1);
  assert.equal(of("var.yaml").exit, 2);
  assert.equal(of("fine.yaml").status, "passed");
  assert.equal(summary.exit, 2);
});

Deno.test("what is rejected is not tried again, and reports say so", async () => {
  const { summary, of, events } = await runSuite({
    "a.yaml": `${PASSES}  - reject: the customer is unknown\n`,
    "b.yaml": `${PASSES.replace("tags:", "expect: { status: rejected }\ntags:")}  - reject: as it should\n`,
    "c.yaml": PASSES.replace("value: Grace", "value: '{{item.who}}'"),
  }, { retries: 2, job: { vars: {}, item: { who: "Hedy" } } });
  assert.deepEqual(summary.counts, { passed: 2, failed: 1, flaky: 0, skipped: 0 });
  assert.equal(summary.exit, 1);
  const rejected = of("a.yaml");
  assert.equal(rejected.tries.length, 1);
  assert.equal(rejected.error?.code, "rejected");
  assert.equal(rejected.tries[0]?.result?.rejected, "the customer is unknown");
  assert.equal(rejected.tries[0]?.result?.rollback.verdict, "restored");
  assert.equal(events.filter(({ event }) => event === "try-started").length, 3);
  const lines: string[] = [];
  const output = {
    write: (text: string) => void lines.push(text),
    terminal: false,
    live: false,
    columns: 100,
  };
  const spoken = listReporter(output, PLAIN);
  for (const event of events) spoken.event(event);
  await spoken.finish(summary);
  assert.match(lines.join(""), /✗ rejected {2}\S*a\.yaml/);
  assert.match(lines.join(""), /rejected in/);
  const xml = junit(summary, "host");
  assert.match(xml, /<failure message="Rejected: the customer is unknown" type="rejected">/);
  assert.match(xml, /<property name="rejected" value="the customer is unknown"\/>/);
});

Deno.test("files that share a lock never run at once, and hold nobody else up", async () => {
  const locked = (name: string) => `locks: [printer]\n${PASSES.replace("Passes", name)}`;
  const { summary, events } = await runSuite({
    "a.yaml": locked("a"),
    "b.yaml": locked("b"),
    "c.yaml": locked("c"),
    "d.yaml": PASSES,
  }, { workers: 3 });
  assert.equal(summary.counts.passed, 4);
  let inside = 0;
  for (const one of events) {
    const name = one.event === "try-started" ? one.test : one.event === "try-finished" ? one.result.test : "";
    if (!/\/[abc]\.yaml$/.test(name)) continue;
    inside += one.event === "try-started" ? 1 : -1;
    assert.ok(inside <= 1, "two of them ran at once");
  }
});

Deno.test("after as many failures as allowed nothing more is begun", async () => {
  const { summary, of } = await runSuite({ "a.yaml": FAILS, "b.yaml": PASSES, "c.yaml": PASSES }, {
    workers: 1,
    maxFailures: 1,
  });
  assert.deepEqual(summary.counts, { passed: 0, failed: 1, flaky: 0, skipped: 2 });
  assert.match(of("c.yaml").reason ?? "", /failures/);
});

Deno.test("an interrupt lets what runs roll itself back, skips the rest, and is exit 130", async () => {
  const interrupt = new AbortController();
  const waits = `${PASSES}  - wait: { target: 'button[name="Never"]', timeout: 60s }\n`;
  const { summary, of } = await runSuite({ "a.yaml": waits, "b.yaml": PASSES }, {
    workers: 1,
    signal: interrupt.signal,
    reported(event) {
      if (event.event === "run" && event.reported.event === "step-started" && event.reported.path === "2") {
        interrupt.abort();
      }
    },
  });
  assert.equal(summary.exit, 130);
  assert.equal(summary.interrupted, true);
  assert.equal(of("a.yaml").tries[0]?.status, "cancelled");
  assert.equal(of("a.yaml").tries[0]?.result?.rollback.verdict, "restored");
  assert.equal(of("b.yaml").status, "skipped");
});

Deno.test("at the time limit of all files what runs rolls itself back, the rest is skipped, and that is exit 1", async () => {
  const waits = `${PASSES}  - wait: { target: 'button[name="Never"]', timeout: 60s }\n`;
  const { summary, of, events } = await runSuite({ "a.yaml": waits, "b.yaml": PASSES }, {
    workers: 1,
    // The first file runs by then on a busy machine, too.
    limit: 10_000,
  });
  assert.equal(summary.exit, 1);
  assert.equal(summary.interrupted, false);
  assert.equal(of("a.yaml").tries[0]?.result?.rollback.verdict, "restored");
  assert.match(of("b.yaml").reason ?? "", /time limit/);
  const notes = events.flatMap((one) => one.event === "tests-note" ? [one.message] : []);
  assert.deepEqual(notes, ["The time limit of the test run, 10.0 s, was reached: what runs is rolled back."]);
});

Deno.test("each case of a file is a test of its own, with its values and its own result", async () => {
  const cased = (rest: string) =>
    `vars: { who: Nobody, wrong: false }
${rest}${
      PASSES.replace("value: Grace", "value: '{{vars.who}}'")
    }  - assert: { target: 'textfield[name="Name"]', value: { equals: Grace }, timeout: 0 }
`;
  const { summary, of } = await runSuite({
    "list.yaml": cased("cases: [{ who: Grace }, { case: another, who: Ada }]\n"),
    "file.yaml": cased("cases: people.csv\n"),
    "people.csv": "who\nGrace\n",
    "program.ts": program(
      "Program",
      "  await t.locator('textfield[name=\"Name\"]').set(t.vars.who);",
      '{ vars: { who: "" }, cases: [{ name: "one", values: { who: "x" } }, { name: "two", values: {} }] }',
    ),
  }, { retries: 1 });
  assert.deepEqual(summary.files.map(({ id, status }) => `${id.split("/").at(-1)} ${status}`), [
    "file.yaml [Grace] passed",
    "list.yaml [Grace] passed",
    "list.yaml [another] failed",
    "program.ts [one] passed",
    "program.ts [two] passed",
  ]);
  const failed = of("list.yaml [another]");
  assert.equal(failed.name, "Passes [another]");
  assert.equal(failed.case, "another");
  assert.equal(failed.tries.length, 2);
});

Deno.test("a file can be repeated, and skipped with its reason", async () => {
  const { summary, of } = await runSuite({
    "a.yaml": PASSES,
    "b.yaml": `skip: not written yet\n${PASSES}`,
    "c.yaml": `needs: { programs: [no-such-program] }\n${PASSES}`,
  }, { repeat: 2 });
  assert.deepEqual(summary.counts, { passed: 2, failed: 0, flaky: 0, skipped: 4 });
  assert.equal(of("a.yaml#2").status, "passed");
  assert.equal(of("b.yaml").reason, "not written yet");
  assert.equal(of("c.yaml").reason, "not installed: no-such-program");
});
