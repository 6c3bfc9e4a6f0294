import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trial } from "../../engine/run/_trial.ts";
import { asBlock, documentOf, embedded } from "./document.ts";
import type { ReportData } from "./model.ts";
import { htmlReporter, runReport } from "./reporter.ts";
import { reportStoredRun } from "./stored-run.ts";
import { Shelf } from "./shelf.ts";
import { treeDiff } from "./tree-diff.ts";

const EMPTY: ReportData = {
  title: "</title><script>alert(1)</script>",
  began: 0,
  duration: 0,
  workers: 1,
  interrupted: false,
  counts: { passed: 0, failed: 0, flaky: 0, skipped: 0 },
  notes: ["</script><script>alert(2)</script>", "<!--<script>"],
  files: [],
  trees: ["\u2028 line separators are no ends of lines \u2029"],
};

Deno.test("text of an application ends no element of the page, and reads back as it was", () => {
  const html = documentOf(EMPTY, new Map());
  assert.equal(html.match(/<\/script>/g)?.length, 2, "the data's end and the script's");
  assert.equal(html.match(/<script/g)?.length, 2);
  assert.ok(!html.includes("<!--"));
  const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
  assert.deepEqual(JSON.parse(data), EMPTY);
  assert.ok(!/[<\u2028\u2029]/.test(embedded(EMPTY)));
});

Deno.test("the page's policy lets in its own script and style and nothing else", () => {
  const html = documentOf(EMPTY, new Map([["abc", "AAAA"]]));
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
  const digest = (text: string | undefined) =>
    `sha256-${createHash("sha256").update(text ?? "").digest("base64")}`;
  assert.ok(policy.startsWith("default-src 'none'; img-src data:; "), policy);
  assert.ok(policy.includes(`script-src '${digest(/<script>(.*?)<\/script>/s.exec(html)?.[1])}';`), policy);
  assert.ok(policy.includes(`style-src '${digest(/<style>(.*?)<\/style>/s.exec(html)?.[1])}';`), policy);
  assert.ok(!/unsafe|https?:(?!\/\/www\.w3\.org)|url\(|@import|innerHTML/.test(html.replace(policy, "")));
});

Deno.test("a part of the page's script becomes a block that takes what it imports and hands on what it exports", () => {
  const source =
    'import {\n  a,\n  b,\n} from "./dom.js";\nlet own = 1;\nexport function f() {}\nexport const c = a;';
  assert.equal(
    asBlock("x", source),
    "const x_js = (() => {\nconst {\n  a,\n  b,\n} = dom_js;\nlet own = 1;\nfunction f() {}\nconst c = a;\nreturn { f, c };\n})();",
  );
});

Deno.test("a tree's difference names what came, what went, and nothing else", () => {
  const lines = (text: string) => text.split("");
  const shown = (before: string, after: string) =>
    treeDiff(lines(before), lines(after)).map(([sign, count]) => `${sign}${count}`).join(" ");
  assert.equal(shown("abc", "abc"), "=3");
  assert.equal(shown("abcdef", "abxdef"), "=2 -1 +1 =3");
  assert.equal(shown("abcd", "acbd"), "=1 -1 =1 +1 =1");
  assert.equal(shown("", "ab"), "+2");
  assert.equal(shown("ab", ""), "-2");
  const [long, other] = [Array(3_000).fill("x"), Array(3_000).fill("y")];
  assert.deepEqual(treeDiff(["a", ...long, "z"], ["a", ...other, "z"]), [
    ["=", 1],
    ["-", 3_000],
    ["+", 3_000],
    ["=", 1],
  ]);
});

Deno.test("a report over its bound leaves out the pictures that are worth least, and counts them", () => {
  const shelf = new Shelf(250);
  const picture = (byte: number) => new Uint8Array(100).fill(byte);
  const [passed, failed, again, flaky] = [
    shelf.add(picture(1), 0),
    shelf.add(picture(2), 2),
    shelf.add(picture(2), 0),
    shelf.add(picture(3), 1),
  ];
  assert.equal(failed, again);
  const { pictures, left, leftBytes } = shelf.taken();
  assert.deepEqual([...pictures.keys()].sort(), [failed, flaky].sort());
  assert.ok(!pictures.has(passed));
  assert.deepEqual([left, leftBytes], [1, 100]);
});

Deno.test("a run's own report says why it has no pictures, and what was rolled back", async () => {
  const yaml = `name: r\napp: sim.settings\nsteps:
  - set: { target: 'textfield[name="Name"]', value: Grace }
  - assert: { target: 'textfield[name="Name"]', value: Ada, timeout: 0 }`;
  const folder = mkdtempSync(join(tmpdir(), "backstep-html-"));
  try {
    const report = runReport({ output: folder, state: join(folder, "state") });
    await trial(yaml, { on: report.listener, state: join(folder, "state") }, async ({ result }) => {
      await report.finish(result);
      const html = readFileSync(join(folder, "report.html"), "utf8");
      const data: ReportData = JSON.parse(/id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? "");
      const one = data.files[0]?.tries[0];
      assert.match(one?.missing ?? "", /without --evidence/);
      assert.deepEqual(one?.items.map(({ kind }) => kind), ["step", "step", "back"]);
      const [set] = one?.items ?? [];
      assert.deepEqual(set?.kind === "step" && set.back?.map(({ verdict }) => verdict), ["restored"]);
      assert.ok(
        one?.journal.some(({ kind, text }) => kind === "intent" && /encrypted \(\d+ characters\)/.test(text)),
      );
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

Deno.test("a run that is over is reported from its journal and what is kept beside it", async () => {
  const yaml = `name: r\napp: sim.settings\nsteps:
  - transaction:
      name: both
      steps:
        - set: { target: 'textfield[name="Name"]', value: Grace }
        - assert: { target: 'textfield[name="Name"]', value: Ada, timeout: 0 }`;
  await trial(yaml, { evidence: "on-failure" }, async ({ result, state, folder }) => {
    await reportStoredRun(state, result.run, { output: folder });
    const html = readFileSync(join(folder, "report.html"), "utf8");
    const data: ReportData = JSON.parse(/id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? "");
    const items = data.files[0]?.tries[0]?.items ?? [];
    assert.deepEqual(items.map((one) => `${one.kind} ${"path" in one ? one.path : ""} ${one.depth}`), [
      "transaction 1 0",
      "step 1.1 1",
      "step 1.2 1",
      "back 1 0",
    ]);
    const [transaction, set, check, back] = items;
    assert.ok(transaction?.kind === "transaction" && transaction.committed === false);
    assert.ok(set?.kind === "step" && set.after?.picture && html.includes(`id="p-${set.after.picture}"`));
    assert.deepEqual(set.back?.map(({ verdict }) => verdict), ["restored"]);
    assert.ok(check?.kind === "step" && check.name.startsWith("assert textfield"), JSON.stringify(check));
    assert.match(check.error?.message ?? "", /Ada/);
    assert.ok(back?.kind === "back" && back.verdict === "restored" && back.after?.picture);
  });
});

Deno.test("a report that cannot be written says so", async () => {
  const reporter = htmlReporter({ output: "/dev/null/nowhere" });
  const summary = {
    files: [],
    counts: EMPTY.counts,
    duration_ms: 0,
    began: 0,
    workers: 1,
    exit: 0,
    interrupted: false,
  };
  await assert.rejects(reporter.finish(summary), { code: "io" });
});
