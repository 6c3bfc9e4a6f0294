import assert from "node:assert/strict";
import { buildSnapshot } from "../../desktop/build.ts";
import { matchesIn, typedSelector, whyNone } from "./match.ts";

const snapshot = buildSnapshot(
  {
    role: "frame",
    name: "Editor",
    children: [
      { role: "pushButton", name: "Save" },
      { role: "pushButton", name: "Save", without: ["showing"] },
      { role: "pushButton", name: "Quit" },
    ],
  },
  { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" },
);

function tried(text: string) {
  const typed = typedSelector(text);
  if ("fault" in typed) return typed.fault;
  return { ...matchesIn(snapshot, typed.read), ...whyNone(snapshot, typed.read) };
}

Deno.test("a selector counts what it finds, and which of that is meant", () => {
  assert.deepEqual([tried("button").count, tried("button").meant], [3, 2]);
  assert.deepEqual(tried('button[name="Quit"]').rows, [3]);
  assert.deepEqual(tried('button[name="Quit"]').named, ['button "Quit"']);
});

Deno.test("what finds nothing says why, and what there is instead", () => {
  const { count, why, hint } = tried('button[name="Sav"]');
  assert.equal(count, 0);
  assert.match(why ?? "", /nothing matches among 4 elements of "editor"/);
  assert.match(hint ?? "", /There is button "Save"/);
});

Deno.test("what cannot be read yet is no error: it says where it ends", () => {
  const fault = tried("button[name=");
  assert.equal(fault.count, 0);
  assert.match(fault.why ?? "", /Cannot/);
  assert.ok((fault.at ?? 0) > 0);
});
