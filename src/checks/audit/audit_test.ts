import assert from "node:assert/strict";
import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import { find, readSelector } from "../../desktop/selector/mod.ts";
import { button, entry, label, pictureOf, sceneOf } from "./_scenes.ts";
import { Addresses } from "./address.ts";
import { audit } from "./audit.ts";
import { contrast } from "./colour.ts";
import { inkOf } from "./ink.ts";
import { rules } from "./rules/mod.ts";
import { assertionsOf, toEarl } from "./earl.ts";
import { toSarif } from "./sarif.ts";
import { scoreOf } from "./score.ts";
import { decides, isAsked } from "./standards.ts";

const ruleOf = (id: string) => {
  const found = rules.find((rule) => rule.id === id);
  assert.ok(found, id);
  return found;
};
const nameless = sceneOf({ holds: [button({ name: "" }), button()] });

Deno.test("an audit fails on what decides, and says what and where", () => {
  const { passed, score, issues, summary } = audit(nameless);
  assert.equal(passed, false);
  assert.deepEqual(issues.map(({ rule, element, severity }) => [rule, element, severity]), [
    ["button-name", 'button[name=""]', "critical"],
  ]);
  assert.ok(score < 100);
  assert.match(summary, /^Failed, score \d+: 1 critical issue on \d+ elements\.$/);
});

Deno.test("so many issues of a severity as are allowed do not fail it", () => {
  assert.equal(audit(nameless, { allow: { critical: 1 } }).passed, true);
  assert.equal(audit(nameless, { allow: { serious: 5 } }).passed, false);
});

Deno.test("rules of WCAG 2.2 and best practice are told and decide nothing", () => {
  const small = (x: number) => button({ rect: { x, y: 10, width: 12, height: 12 } });
  const { passed, issues } = audit(
    sceneOf({ holds: [small(10), small(24), entry({ description: "Name" })] }),
  );
  assert.deepEqual([...new Set(issues.map(({ rule }) => rule))].toSorted(), [
    "label-title-only",
    "target-size",
  ]);
  assert.equal(passed, true);
});

Deno.test("levels include the lower ones, and Section 508 takes over WCAG 2.0 and has clauses of its own", () => {
  const asked = (id: string) =>
    (["wcag_a", "wcag_aa", "wcag_aaa", "section508"] as const).map((one) => isAsked(ruleOf(id), [one]));
  assert.deepEqual(asked("button-name"), [true, true, true, true]);
  assert.deepEqual(asked("color-contrast"), [false, true, true, true]);
  assert.deepEqual(asked("color-contrast-enhanced"), [false, false, true, false]);
  assert.deepEqual(asked("label-content-name-mismatch"), [true, true, true, false]);
  assert.equal(decides(ruleOf("target-size"), ["wcag_aaa"]), false);
  assert.equal(decides(ruleOf("target-size-enhanced"), ["wcag_aaa"]), true);
  assert.equal(decides(ruleOf("label-title-only"), ["wcag_aa"]), false);
  assert.equal(decides(ruleOf("label-title-only"), ["section508"]), true);
});

Deno.test("a suppression takes its findings out with its reason, and one that covers nothing is told", () => {
  const of = { rule: "button-name", selector: "button:nth(1)", reason: "it is drawn by a plug-in" };
  const idle = { rule: "*", selector: "slider", reason: "there was one" };
  const { passed, issues, suppressed, unusedSuppressions, score } = audit(nameless, { suppress: [of, idle] });
  assert.deepEqual([passed, issues, score], [true, [], 100]);
  assert.deepEqual(suppressed.map(({ reason, element }) => [reason, element]), [[
    of.reason,
    'button[name=""]',
  ]]);
  assert.deepEqual(unusedSuppressions, [idle]);
  const unknown = { ...of, rule: "buton-name" };
  assert.throws(() => audit(nameless, { suppress: [unknown] }), (error) => {
    return error instanceof BackstepError && error.code === "invalid";
  });
});

Deno.test("only what is below the root of the scope is judged", () => {
  assert.deepEqual(audit(nameless, { root: 3 }).issues, []);
  assert.equal(audit(nameless, { root: 2 }).issues.length, 1);
});

Deno.test("rules that lack a picture or the keyboard walk are named, not passed", () => {
  const lacking = audit(nameless).notRun.map(({ rule }) => rule);
  assert.deepEqual(lacking, ["color-contrast", "keyboard-trap", "keyboard-reachable"]);
  const pictures = [pictureOf([0, 0xffffff])];
  assert.ok(!audit(nameless, { pictures }).notRun.some(({ rule }) => rule === "color-contrast"));
});

Deno.test("the score is the weighted share of what passed, and 100 only where nothing failed", () => {
  assert.equal(scoreOf([]), 100);
  assert.equal(scoreOf([{ impact: "minor", passed: 999, failed: 1 }]), 99);
  assert.equal(
    scoreOf([{ impact: "critical", passed: 0, failed: 1 }, { impact: "minor", passed: 1, failed: 0 }]),
    9,
  );
});

Deno.test("addresses find their element and nothing else, whatever it is called", () => {
  const odd = ['say "x"', "back\\slash", " leading", "line\nbreak", "x".repeat(200), "", "", "twin", "twin"];
  const snapshot = sceneOf({
    holds: [
      ...odd.map((name) => button({ name })),
      button({ id: "one", name: "a" }),
      button({ id: "two", name: "a" }),
      entry({ name: "twin", children: [label()] }),
    ],
  });
  const addresses = new Addresses(snapshot);
  for (let row = 1; row < snapshot.size; row++) {
    const address = addresses.of(row);
    assert.deepEqual(find(readSelector(address), snapshot).rows, [row], address);
  }
});

Deno.test("contrast is that of WCAG's own examples", () => {
  for (
    const [text, ground, ratio] of [[0x777777, 0xffffff, 4.48], [0x767676, 0xffffff, 4.54], [
      0xff0000,
      0xffffff,
      4,
    ]]
  ) {
    assert.equal(Number(contrast(text ?? 0, ground ?? 0).toFixed(2)), ratio);
  }
});

Deno.test("the ink of a text is told from its pixels, and an image or a gradient has none", () => {
  const part = (picture: ReturnType<typeof pictureOf>) => ({
    frame: picture.frame,
    x: 0,
    y: 0,
    width: 60,
    height: 32,
  });
  const plain = inkOf(part(pictureOf([0x336699, 0xeeeeee])));
  assert.ok("stroke" in plain);
  assert.deepEqual([plain.stroke, plain.ground], [0x336699, 0xeeeeee]);
  const noisy = pictureOf([0, 0xffffff]);
  for (let at = 0; at < noisy.frame.rgba.length; at += 4) noisy.frame.rgba[at] = (at * 7919) % 251;
  assert.deepEqual(inkOf(part(noisy)), { unknown: "its background is an image or a gradient" });
  assert.deepEqual(inkOf(part(pictureOf([0xfefefe, 0xffffff]))), {
    unknown: "no text can be made out in its picture",
  });
});

Deno.test("SARIF names its rules, tells what needs a look apart, and suppresses in place", () => {
  const snapshot = sceneOf({
    holds: [button({ name: "" }), button({ name: "", description: "Saves" }), label()],
  });
  const suppress = [{ rule: "button-name", selector: "button:nth(1)", reason: "known" }];
  const sarif = toSarif(audit(snapshot, { suppress }), rules, { version: "1.0.0", application: "app" });
  const Log = z.object({
    version: z.literal("2.1.0"),
    runs: z.tuple([z.object({
      tool: z.object({
        driver: z.object({ name: z.string(), rules: z.array(z.object({ id: z.string() })) }),
      }),
      results: z.array(z.object({
        ruleId: z.string(),
        ruleIndex: z.int(),
        kind: z.string(),
        level: z.string(),
        suppressions: z.array(z.object({ kind: z.literal("external"), justification: z.string() }))
          .optional(),
      })),
    })]),
  });
  const [run] = Log.parse(sarif).runs;
  for (const { ruleId, ruleIndex } of run.results) assert.equal(run.tool.driver.rules[ruleIndex]?.id, ruleId);
  assert.deepEqual(
    run.results.map(({ kind, level, suppressions }) => [kind, level, suppressions?.[0]?.justification]),
    [
      ["review", "none", undefined],
      ["fail", "error", "known"],
    ],
  );
});

Deno.test("EARL asserts each finding, and of each rule that found nothing whether it judged anything", () => {
  const snapshot = sceneOf({
    holds: [button({ name: "" }), button({ name: "", description: "Saves" }), label()],
  });
  const report = audit(snapshot, {
    rules: rules.filter(({ id }) => ["button-name", "link-name", "window-title"].includes(id)),
  });
  const assertions = assertionsOf(report, "app");
  assert.deepEqual(assertions.map(({ rule, outcome }) => [rule, outcome]).toSorted(), [
    ["button-name", "cantTell"],
    ["button-name", "failed"],
    ["link-name", "inapplicable"],
    ["window-title", "passed"],
  ]);
  const Earl = z.object({
    "@context": z.record(z.string(), z.unknown()),
    assertions: z.array(z.object({
      test: z.object({ title: z.string(), isPartOf: z.string().optional() }),
      result: z.object({ outcome: z.string(), pointer: z.string().optional() }),
    })),
  });
  const earl = Earl.parse(toEarl(assertions, rules, { version: "1.0.0" }));
  const failed = earl.assertions.find(({ result }) => result.outcome === "earl:failed");
  assert.deepEqual([failed?.test.isPartOf, failed?.result.pointer], [
    "WCAG:name-role-value",
    'button[name=""]:nth(1)',
  ]);
});
