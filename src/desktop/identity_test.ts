import assert from "node:assert/strict";
import { Generations } from "./native/generations.ts";
import { confirm, isSame } from "./identity.ts";

const button = { role: 43, name: "Save", id: "save" };

Deno.test("role, name and id decide whether it is the same element", () => {
  assert.ok(isSame(button, { ...button }));
  assert.ok(!isSame(button, { ...button, role: 44 }));
  assert.ok(!isSame(button, { ...button, name: "Send" }));
  assert.ok(!isSame(button, { ...button, id: "send" }));
});

Deno.test("an empty id is unknown, on either side", () => {
  assert.ok(isSame(button, { ...button, id: "" }));
  assert.ok(isSame({ ...button, id: "" }, button));
});

Deno.test("a control that is named after its value may change its name, but neither role nor id", () => {
  for (const role of [11, 23, 29, 52, 54, 61, 79]) {
    const before = { role, name: "one", id: "x" };
    assert.ok(isSame(before, { role, name: "two", id: "x" }), `role ${role}`);
    assert.ok(!isSame(before, { role, name: "one", id: "y" }), `role ${role}`);
  }
});

Deno.test("a slider or a list that is called by its label and its value may change the value, but not the label", () => {
  for (const role of [51, 98]) {
    const before = { role, name: "Volume 40", id: "" };
    assert.ok(isSame(before, { ...before, name: "Volume 50" }));
    assert.ok(isSame(before, { ...before, name: "Volume" }));
    assert.ok(!isSame(before, { ...before, name: "Balance 40" }));
    assert.ok(!isSame({ ...before, name: "" }, { ...before, name: " 40" }));
  }
});

Deno.test("a mismatch is stale and shows both, in bounds", () => {
  const element = { bus: ":1.2", path: "/a", generation: 1, fingerprint: button };
  assert.throws(() => confirm("press it", element, { ...button, name: "x".repeat(5_000) }), (error) => {
    assert.ok(error instanceof Error && "details" in error && "code" in error);
    assert.equal(error.code, "stale");
    assert.deepEqual(error.details, {
      expected: button,
      found: { ...button, name: "x".repeat(120) + "…" },
      path: "/a",
      outcome: "not_sent",
    });
    return true;
  });
});

Deno.test("a row that shows something else is another, and the message says both", () => {
  const row = { role: 32, name: "", id: "", item: { path: "/row", content: "Ada" } };
  assert.ok(isSame(row, { ...row, item: { path: "/row", content: "Ada" } }));
  assert.ok(!isSame(row, { ...row, item: { path: "/row", content: "Grace" } }));
  const element = { bus: ":1.2", path: "/row", generation: 1, fingerprint: row };
  assert.throws(() => confirm("click it", element, { ...row, item: { path: "/row", content: "Grace" } }), {
    code: "stale",
    message: 'Cannot click it: its row showed "Ada" and shows "Grace" now',
    details: {
      expected: { role: 32, name: "", id: "", content: "Ada" },
      found: { role: 32, name: "", id: "", content: "Grace" },
      path: "/row",
      outcome: "not_sent",
    },
  });
});

Deno.test("with what was removed goes what lies in it", () => {
  const generations = new Generations();
  const deep = { bus: ":1.1", path: "/a/b/c", generation: generations.now, ancestors: ["/b", "/a"] };
  generations.removed(":1.1", "/elsewhere");
  assert.ok(!generations.isStale(deep));
  generations.removed(":1.1", "/a");
  assert.ok(generations.isStale(deep));
  assert.ok(!generations.isStale({ ...deep, generation: generations.now }));
});

Deno.test("a removal makes older references to that address stale, and no others", () => {
  const generations = new Generations();
  const old = { bus: ":1.1", path: "/a", generation: generations.now };
  generations.removed(":1.1", "/a");
  assert.ok(generations.isStale(old));
  assert.ok(!generations.isStale({ ...old, path: "/b" }));
  assert.ok(!generations.isStale({ ...old, bus: ":1.2" }));
  assert.ok(!generations.isStale({ ...old, generation: generations.now }));
});

Deno.test("an application that leaves takes its references along, a loss takes all", () => {
  const generations = new Generations();
  const one = { bus: ":1.1", path: "/a", generation: generations.now };
  generations.gone(":1.1");
  const other = { bus: ":1.2", path: "/a", generation: 1 };
  assert.ok(generations.isStale(one));
  assert.ok(!generations.isStale(other));
  for (const _ of ["once", "and again"]) {
    assert.throws(() => generations.check("read it", one), { code: "app_gone" });
  }
  generations.removed(":1.2", "/b");
  assert.throws(() => generations.check("read it", { ...other, path: "/b" }), { code: "stale" });
  generations.lost();
  assert.ok(generations.isStale(other));
  assert.ok(!generations.isStale({ ...other, generation: generations.now }));
});

Deno.test("ten thousand removals cost bounded memory and forget in the safe direction", () => {
  const generations = new Generations();
  const untouched = { bus: ":1.1", path: "/untouched", generation: generations.now };
  for (let k = 0; k < 10_000; k++) generations.removed(":1.1", `/p${k}`);
  assert.ok(!generations.isStale(untouched));
  generations.removed(":1.1", "/one-more");
  assert.ok(generations.isStale(untouched));
});
