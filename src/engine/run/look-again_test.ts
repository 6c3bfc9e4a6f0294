import assert from "node:assert/strict";
import type { Fault } from "../../desktop/simulated/faults.ts";
import { readJournal } from "../journal/read-journal.ts";
import { at, FAILS, settings, trial } from "./_trial.ts";

const SET = `  - set: { target: 'textfield[name="Name"]', value: Grace }`;
const CLICK = `  - click: 'checkbox[name="Play sounds"]'`;
const WENT = /; it went before anything was sent, and was looked for again$/;

type Replace = Extract<Fault, { fault: "replace" }>;

/** The element goes before the call that would act on it, and others stand in its place. */
function replaced(element: string, more: Partial<Replace> = {}, times = 1): Replace {
  return { fault: "replace", element, when: { call: "act", times }, ...more };
}

const actionsIn = (folder: string) =>
  readJournal(folder).map(({ kind }) => kind).filter((kind) => kind.startsWith("action-"));

Deno.test("an element that is made anew before anything is sent is found again, and acted on once", async () => {
  for (const times of [1, 5]) {
    const faults = [replaced("sound", {}, times)];
    await trial(settings(CLICK), { faults }, ({ result, after, desktop, folder }) => {
      assert.equal(result.status, "passed", result.error?.message);
      assert.equal(at(after, "sim.settings", "sound", "checked"), true);
      const happened = desktop.log.entries.filter(({ by, changes }) => by === "caller" && changes.length > 0);
      assert.deepEqual(happened.map(({ did, element }) => `${did} ${element}`), ["launch ", "act sound"]);
      const renewed = Array.from({ length: times }, () => "action-renewed");
      assert.deepEqual(actionsIn(folder), ["action-begin", ...renewed, "action-end"]);
    });
  }
});

Deno.test("a rollback writes back what the element showed that was acted on", async () => {
  const steps = `  - transaction:\n    ${SET}\n    ${FAILS}`.replaceAll("\n    ", "\n      ");
  const faults = [replaced("name", { as: { text: "Newer" } })];
  await trial(settings(steps), { faults }, ({ result, after }) => {
    assert.deepEqual([result.rollback.verdict, result.rollback.drift], ["restored", []]);
    assert.equal(at(after, "sim.settings", "name", "text"), "Newer");
  });
});

Deno.test("two in the place of one are an error that lists both, and neither is acted on", async () => {
  const faults = [replaced("sound", { by: 2 })];
  await trial(settings(CLICK), { faults }, ({ result, after, folder }) => {
    assert.equal(result.error?.code, "ambiguous");
    assert.match(result.error?.message ?? "", WENT);
    assert.match(JSON.stringify(result.error?.details), /Play sounds.*Play sounds/);
    for (const key of ["sound", "sound 2"]) assert.equal(at(after, "sim.settings", key, "checked"), false);
    assert.deepEqual(actionsIn(folder), ["action-begin", "action-end"]);
  });
});

Deno.test("an element that is gone for good was looked for again, and the error says so", async () => {
  const faults = [replaced("sound", { by: 0 })];
  await trial(settings(`${CLICK}\n    timeout: 300ms`), { faults }, ({ result, folder }) => {
    const { code, message = "", details } = result.error ?? {};
    assert.deepEqual(
      [code, details?.["outcome"], details?.["looked_again"]],
      ["not_found", "not_sent", 1],
      message,
    );
    assert.match(message, WENT);
    const end = readJournal(folder).find((record) => record.kind === "action-end");
    assert.ok(end?.kind === "action-end");
    assert.deepEqual([end.outcome, end.error?.code], ["failed", "not_found"]);
  });
});

Deno.test("an act that has sent something is not done on another element", async () => {
  const type = `  - type: { into: 'textfield[name="Name"]', text: x }`;
  const faults = [replaced("name", { when: { call: "act", at: 2, times: "always" } })];
  await trial(settings(type), { faults }, ({ result, after, folder }) => {
    assert.deepEqual([result.error?.code, result.error?.details?.["looked_again"]], ["stale", undefined]);
    assert.equal(at(after, "sim.settings", "name", "text"), "Ada");
    assert.deepEqual(actionsIn(folder), ["action-begin", "action-end"]);
  });
});
