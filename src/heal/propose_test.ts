import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../desktop/build.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { judge } from "./_judge.ts";
import { evidenceOf } from "./evidence.ts";
import { propose } from "./propose.ts";
import { similar } from "./similar.ts";

const application = { bus: ":1.5", name: "app", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" };
const windowOf = (...children: readonly NodeDescription[]): Snapshot =>
  buildSnapshot({ role: "frame", name: "Main", children }, application);
const button = (name: string): NodeDescription => ({ role: "pushButton", name });

Deno.test("of 560 changes of recorded trees none is healed wrongly, and more than four in five are judged right", () => {
  const all = [...judge(1, 280), ...judge(2026, 280)];
  const of = (test: (one: (typeof all)[number]) => boolean) => all.filter(test).length;
  const wrong = all.filter(({ verdict }) => verdict === "wrong");
  assert.deepEqual(wrong.map(({ tree, mutation, locator }) => `${tree}: ${mutation}: ${locator}`), []);
  assert.ok(of(({ heals }) => !heals) >= 0.3 * all.length);
  assert.ok(of(({ heals }) => heals) >= 0.3 * all.length);
  assert.ok(of(({ verdict }) => verdict === "right") >= 0.8 * all.length);
  // Refusing always would be right where to refuse is.
  const healed = of(({ heals, verdict }) => heals && verdict === "right");
  assert.ok(healed >= 0.7 * of(({ heals }) => heals), `${healed}`);
});

Deno.test("what was there as another one before is not what is gone", () => {
  const before = windowOf(button("Save"), button("Save As"), button("Print"));
  const evidence = evidenceOf(before, 1);
  const after = propose(evidence, windowOf(button("Save As"), button("Print")));
  assert.equal(after.found === false && after.refused, "absent");
  const renamed = propose(evidence, windowOf(button("Save file"), button("Save As"), button("Print")));
  assert.ok(renamed.found && renamed.selector === 'button[name="Save file"]', JSON.stringify(renamed));
});

Deno.test("what is as much like another one that is gone may be that one", () => {
  const evidence = evidenceOf(
    windowOf(button("Active palette"), button("Inactive palette"), button("Help")),
    1,
  );
  const after = propose(evidence, windowOf(button("Inactive palette again"), button("Help")));
  assert.equal(after.found === false && after.refused, "tie");
});

Deno.test("nothing is healed for an assertion that nothing matches, and nothing that destroys", () => {
  const before = windowOf(button("Print"), button("Send"), button("Help"));
  const after = windowOf(button("Print all"), button("Send now"), button("Help"));
  const print = evidenceOf(before, 1);
  assert.equal(propose(print, after).found, true);
  const negative = propose(print, after, { negative: true });
  assert.equal(negative.found === false && negative.refused, "negative");
  const lost = propose(evidenceOf(before, 2), after);
  assert.equal(lost.found === false && lost.refused, "destructive");
  const becomes = propose(print, windowOf(button("Delete Print"), button("Send"), button("Help")));
  assert.equal(becomes.found === false && becomes.refused, "destructive");
});

Deno.test("another role is never the same element", () => {
  const evidence = evidenceOf(windowOf(button("Save"), button("Help")), 1);
  const after = propose(evidence, windowOf({ role: "link", name: "Save" }, button("Help")));
  assert.equal(after.found === false && after.refused, "absent");
});

Deno.test("two that are alike are refused", () => {
  const evidence = evidenceOf(windowOf(button("Save"), button("Help")), 1);
  const after = propose(evidence, windowOf(button("Save now"), button("Save now"), button("Help")));
  assert.equal(after.found === false && after.refused, "tie");
});

Deno.test("texts are alike by words and letters, and short words not by chance", () => {
  assert.equal(similar("Save", "Save"), 1);
  assert.equal(similar("Inbox (3)", "inbox (74)…"), 0.95);
  assert.ok(similar("Save", "Save now") >= 0.6);
  assert.ok(similar("home", "Vote") < 0.5);
  assert.equal(similar("", "x"), 0);
});
