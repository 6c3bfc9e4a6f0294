import assert from "node:assert/strict";
import type { Json } from "../../base/error.ts";
import type { Participant } from "../../contract/participant.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import { match } from "../../desktop/selector/match.ts";
import { parseSelector } from "../../desktop/selector/parse.ts";
import { showsAs } from "./shows-as.ts";

const desktop = simulate({ applications: ["sim.settings"] });
const [application] = await desktop.applications();
assert.ok(application);
const fields = ["text", "value", "selection", "id"] as const;
const snapshot = await desktop.snapshot(application, { fields });

const any: Participant = {
  kind: "any",
  key: "any",
  label: "any",
  capture: () => Promise.reject(new Error("it is not read")),
  restore: () => Promise.reject(new Error("it is not written")),
  describe: () => null,
};

/** Does the snapshot show what the selector finds as these properties say? */
function shows(selector: string, properties: Record<string, Json>, rows?: readonly number[]): boolean {
  const found = rows ?? match(parseSelector(selector), snapshot);
  return showsAs(snapshot, { ...any, rowsIn: () => found }, { properties });
}

Deno.test("a snapshot shows a value, a text, a choice and a check as an image has it, or otherwise", () => {
  const value = snapshot.value(match(parseSelector("slider"), snapshot)[0] ?? -1)?.current ?? null;
  assert.deepEqual([shows("slider", { value }), shows("slider", { value: 1e6 })], [true, false]);
  assert.deepEqual([true, false].map((checked) => shows('checkbox "Notify me"', { checked })).toSorted(), [
    false,
    true,
  ]);
  const [row = -1] = match(parseSelector('textfield "Name"'), snapshot);
  const text = snapshot.text(row) ?? null;
  assert.deepEqual([shows('textfield "Name"', { text }), shows('textfield "Name"', { text: `${text}!` })], [
    true,
    false,
  ]);
});

Deno.test("what a snapshot does not hold, or does not show, it does not show as anything", () => {
  assert.equal(shows("slider", { value: 1 }, []), false);
  assert.equal(shows("slider", { value: 1 }, [-1]), false);
  assert.equal(shows("slider", {}), false);
  assert.equal(shows('checkbox "Notify me"', { value: null }), false, "a check box has no value");
  assert.equal(shows("slider", { constructor: 1 }), false);
  assert.equal(
    showsAs(snapshot, { ...any, rowsIn: () => [0] }, {
      properties: { expanded: false },
      unrestorable: { a: "b" },
    }),
    false,
  );
});
