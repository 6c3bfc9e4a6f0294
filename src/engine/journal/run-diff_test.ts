import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diffLines } from "../../report/diff.ts";
import { PLAIN } from "../../report/style.ts";
import { diffRuns } from "./run-diff.ts";
import { runFolder } from "./journal.ts";
import { Encryption } from "./encryption.ts";
import { settings, trial } from "../run/_trial.ts";

const FORM = (value: string) =>
  settings(`
  - set: { target: 'textfield[name="Name"]', value: ${value} }
  - click: 'checkbox[name="Play sounds"]'`);

/** Two runs in one state folder. */
async function runs(
  first: string,
  second: string,
  use: (state: string) => void | Promise<void>,
): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "backstep-diff-"));
  try {
    await trial(first, { state, run: "run-a" }, () => {});
    await trial(second, { state, run: "run-b" }, () => {});
    await use(state);
  } finally {
    rmSync(state, { recursive: true });
  }
}

Deno.test("two runs of one file on the same desktop are the same, whatever the time", () =>
  runs(FORM("Grace"), FORM("Grace"), (state) => {
    const found = diffRuns(state, "run-a", "run-b");
    assert.equal(found.same, true, JSON.stringify(found.divergence));
    assert.ok(found.common > 5);
    assert.deepEqual([found.context, found.unopened], [[], []]);
  }));

Deno.test("the first event that differs is named, with what differs in it", () =>
  runs(FORM("Grace"), FORM("Mary"), (state) => {
    const { same, divergence, context } = diffRuns(state, "run-a", "run-b");
    assert.equal(same, false);
    assert.deepEqual(context.map(({ field }) => field), ["digest"]);
    assert.deepEqual(divergence?.paths, { first: "1", second: "1" });
    assert.deepEqual(divergence?.kinds, { first: "intent", second: "intent" });
    assert.deepEqual(divergence?.fields, [{ field: "sealed.input.value", first: "Grace", second: "Mary" }]);
    const text = diffLines(diffRuns(state, "run-a", "run-b"), PLAIN, 120).join("\n");
    assert.match(text, /they differ at the intent of step 1/);
    assert.match(text, /- "Grace"\n.*\+ "Mary"/);
  }));

Deno.test("a run that goes on where the other has ended differs there", () =>
  runs(FORM("Grace"), `${FORM("Grace")}\n  - click: 'checkbox[name="Notify me"]'`, (state) => {
    const { divergence, after } = diffRuns(state, "run-a", "run-b");
    assert.equal(after, "2");
    assert.deepEqual(divergence?.kinds, { first: "end", second: "intent" });
    assert.deepEqual(divergence?.paths, { first: null, second: "3" });
  }));

Deno.test("without a key encrypted parts are not compared, and that is said", () =>
  runs(FORM("Grace"), FORM("Mary"), (state) => {
    Encryption.destroy(state, "run-b");
    const found = diffRuns(state, "run-a", "run-b");
    assert.deepEqual([found.same, found.unopened], [true, ["run-b"]]);
    assert.match(diffLines(found, PLAIN, 120).join("\n"), /not compared: .*the key of run-b is not here/);
  }));

Deno.test("a run is named by the beginning of its id or by its folder; what is not there is said", () =>
  runs(FORM("Grace"), FORM("Grace"), (state) => {
    const copy = join(state, "copy");
    cpSync(runFolder(state, "run-a"), copy, { recursive: true });
    assert.equal(diffRuns(state, copy, "run-b").same, true);
    assert.throws(() => diffRuns(state, "run", "run-b"), { code: "ambiguous" });
    assert.throws(() => diffRuns(state, "nope", "run-b"), { code: "not_found" });
  }));
