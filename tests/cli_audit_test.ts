import assert from "node:assert/strict";
import { z } from "zod";
import { type Place, withPlace } from "./cli/program.ts";
import { assertPlain } from "./cli/shapes.ts";

const AUDIT = ["audit", "sim.settings", "--session", "simulated", "--standard", "wcag_aaa"];

/** What the published tool design asks of an answer, and no less. */
const Wire = z.looseObject({
  passed: z.boolean(),
  score: z.number().min(0).max(100),
  issues: z.array(z.looseObject({
    severity: z.enum(["critical", "serious", "moderate", "minor"]),
    rule: z.string(),
    element: z.string(),
    description: z.string(),
    suggestion: z.string(),
  })),
  summary: z.string(),
});

const audit = (place: Place, ...more: readonly string[]) => place.run([...AUDIT, ...more]);

Deno.test("an audit is told to people by rule, to programs as JSON or SARIF, and ends with 1 where it fails", () =>
  withPlace(async (place) => {
    const accepted = place.file(
      "accepted.json",
      JSON.stringify([{
        rule: "target-size-enhanced",
        selector: "window",
        reason: "they are large enough for us",
      }]),
    );
    const [text, json, sarif, allowed, quiet, suppressed] = await Promise.all([
      audit(place),
      audit(place, "--format", "json"),
      audit(place, "--format", "sarif"),
      audit(place, "--allow", "minor=7", "--format", "quiet"),
      audit(place, "--format", "quiet"),
      audit(place, "--suppress", accepted),
    ]);
    assert.equal(text.code, 1, text.err);
    assertPlain(text.out);
    assert.match(
      text.out,
      /^Settings {2}✗ failed {2}score \d+ of 100 {2}WCAG AAA, \d+ elements\n\n✗ target-size-enhanced /,
    );
    assert.match(text.out, /\n {4}button\[name="Reset"\] +it is 96 by 32 pixels large\n/);

    assert.equal(json.code, 1, json.err);
    const reported = Wire.parse(JSON.parse(json.out));
    assert.equal(reported.passed, false);
    assert.ok(reported.issues.some(({ element }) => element === 'button[name="Reset"]'));

    assert.equal(sarif.code, 1, sarif.err);
    const log = z.looseObject({
      version: z.literal("2.1.0"),
      runs: z.tuple([z.looseObject({ results: z.array(z.looseObject({ ruleId: z.string() })) })]),
    }).parse(JSON.parse(sarif.out));
    assert.equal(log.runs[0].results.filter(({ ruleId }) => ruleId === "target-size-enhanced").length, 7);

    assert.deepEqual([allowed.code, allowed.out, quiet.code, quiet.out], [0, "", 1, ""]);
    assert.equal(suppressed.code, 0, suppressed.err);
    assert.match(suppressed.out, /\nAccepted: 7\n.*they are large enough for us/);
  }));

Deno.test("what cannot be an audit ends with 2 before any desktop is opened", () =>
  withPlace(async (place) => {
    const wrong = [
      { more: ["--standard", "wcag_b"], says: /--standard is wcag_a, wcag_aa/ },
      { more: ["--allow", "lots=2"], says: /--allow is a severity and a number/ },
      { more: ["--scope", "element"], says: /Scope `element` needs a `target`/ },
      { more: ["--suppress", "nothing.json"], says: /Cannot read nothing\.json/ },
    ];
    const finished = await Promise.all(wrong.map(({ more }) => audit(place, ...more)));
    for (const [k, { code, err }] of finished.entries()) {
      assert.equal(code, 2, err);
      assert.match(err, wrong[k]?.says ?? /^$/);
    }
  }));

Deno.test("a workflow's audit fails its step, and passes with what is allowed; the raw tool only answers", () =>
  withPlace(async (place) => {
    const file = (name: string, step: string) =>
      place.file(
        name,
        `name: audit\nsession: simulated\napp: sim.settings\nbefore: [{ launch: sim.settings }]\nsteps:\n  - ${step}\n`,
      );
    const run = (name: string, step: string) => place.run(["run", file(name, step), "--format", "json"]);
    const [fails, passes, tool] = await Promise.all([
      run("fails.yaml", "audit: { standards: [wcag_aaa] }"),
      run("passes.yaml", "audit: { standards: [wcag_aaa], allow: { minor: 7 } }"),
      run("tool.yaml", "{ tool: ax_a11y_audit, args: { standards: [wcag_aaa] } }"),
    ]);
    assert.equal(fails.code, 1, fails.err);
    assert.match(fails.out, /"code":"assertion","message":"Cannot pass the audit of Settings: /);
    assert.equal(passes.code, 0, passes.out);
    assert.equal(tool.code, 0, tool.out);
    assert.match(tool.out, /"passed":false,"score":\d+,"issues":\[/);
  }));
