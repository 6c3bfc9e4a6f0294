import assert from "node:assert/strict";
import { Role } from "../roles.ts";
import { Snapshot } from "../snapshot.ts";
import { decodeColumns } from "./columns.ts";
import { fakeSnapshot } from "./_reply.ts";
import { asOnThePage } from "./page-columns.ts";

const row = (role: number, name: string, more: { text?: string; value?: number } = {}) => ({
  parent: 0,
  path: `/${name}`,
  role,
  name,
  ...more,
});

function pageOf(toolkit: string): Snapshot {
  const application = { bus: ":1.5", name: "browser", pid: 1, toolkit, toolkitVersion: "1" };
  const { columns, ...how } = decodeColumns(fakeSnapshot([
    { ...row(Role.documentWeb, "page"), parent: -1 },
    row(Role.spinButton, "Day", { text: "15", value: 0 }),
    row(Role.spinButton, "Empty", { text: "", value: 0 }),
    row(Role.slider, "Volume", { value: 40 }),
    row(Role.pushButton, "▾ Details", { text: "▾ Details" }),
    row(Role.pushButton, "▸", { text: "▸" }),
    row(Role.label, "▸ Label"),
  ]));
  return new Snapshot(asOnThePage(columns, application), { application, generation: 0, ...how });
}

Deno.test("Firefox: a spin button holds what its text says, an empty one holds no number, a summary has no marker", () => {
  const page = pageOf("Gecko");
  assert.equal(page.value(1)?.current, 15);
  assert.equal(page.value(2), undefined);
  assert.equal(page.value(3)?.current, 40);
  assert.deepEqual([4, 5, 6].map((at) => page.name(at)), ["Details", "▸", "▸ Label"]);
  assert.equal(page.text(4), "Details");
  assert.equal(page.name(1), "Day");
});

Deno.test("what other browsers say stays as it is", () => {
  const page = pageOf("Chromium");
  assert.deepEqual([1, 2, 3].map((at) => page.value(at)?.current), [0, 0, 40]);
  assert.deepEqual([4, 5].map((at) => page.name(at)), ["▾ Details", "▸"]);
});
