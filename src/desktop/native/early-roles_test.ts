import assert from "node:assert/strict";
import { Role } from "../roles.ts";
import { decodeColumns } from "./columns.ts";
import { fakeSnapshot } from "./_reply.ts";
import { Corrections } from "./corrections.ts";

const row = (role: number, name: string, attributes?: string) => ({
  parent: 0,
  path: `/${name}`,
  role,
  name,
  ...(attributes === undefined ? {} : { attributes }),
});

const origin = (toolkit: string) => ({
  application: { bus: ":1.5", name: "browser", pid: 1, toolkit, toolkitVersion: "153" },
  generation: 0,
});

function rolesIn(corrections: Corrections, toolkit: string, filled: boolean): number[] {
  const late = (attributes: string) => filled ? attributes : "";
  const { columns, ...how } = decodeColumns(fakeSnapshot([
    { ...row(Role.documentWeb, "page"), parent: -1 },
    row(Role.pushButton, "Bold", late("pressed:false")),
    row(Role.pushButton, "Count", late("tag:button")),
    row(Role.menuItem, "File", late("haspopup:true")),
    row(Role.menuItem, "New", late("tag:span")),
    row(Role.label, "pressed", late("pressed:true")),
  ]));
  const snapshot = corrections.apply(columns, { ...origin(toolkit), ...how }, undefined);
  if (filled) corrections.filled(snapshot);
  return [1, 2, 3, 4, 5].map((at) => snapshot.role(at));
}

Deno.test("Firefox: what was reported before its page had attributes is what they say, from then on", () => {
  const corrections = new Corrections();
  const reported = [Role.pushButton, Role.pushButton, Role.menuItem, Role.menuItem, Role.label];
  const meant = [Role.toggleButton, Role.pushButton, Role.menu, Role.menuItem, Role.label];
  assert.deepEqual(rolesIn(corrections, "Gecko", false), reported);
  rolesIn(corrections, "Gecko", true);
  assert.deepEqual(rolesIn(corrections, "Gecko", false), meant);
  corrections.forget(":1.5");
  assert.deepEqual(rolesIn(corrections, "Gecko", false), reported);
});

Deno.test("other browsers are taken at their word", () => {
  const corrections = new Corrections();
  const reported = rolesIn(corrections, "Chromium", true);
  assert.deepEqual(rolesIn(corrections, "Chromium", false), reported);
});
