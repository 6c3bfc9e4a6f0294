import assert from "node:assert/strict";
import { buildSnapshot } from "../build.ts";
import { readSelector } from "../selector/mod.ts";
import { instead } from "./instead.ts";

const snapshot = buildSnapshot({
  role: "frame",
  name: "Calendar",
  children: [
    {
      role: "panel",
      name: "Month",
      children: [
        { role: "filler", name: "Cell", children: [{ role: "label", name: "12" }] },
        { role: "filler", name: "Cell", children: [{ role: "label", name: "13" }] },
        { role: "filler", name: "Event", children: [{ role: "label", name: "Dentist" }] },
        { role: "toggleButton", name: "Day" },
        { role: "toggleButton", name: "Handbook" },
      ],
    },
    { role: "pushButton", name: "Add", states: ["enabled", "sensitive", "showing", "visible"] },
    { role: "label", name: "Dentist" },
  ],
}, { bus: ":1.5", name: "calendar", pid: 42, toolkit: "gtk", toolkitVersion: "4.8" });

const hint = (query: string) => instead({ read: readSelector(query), snapshot, scope: -1 }).hint;
const ALL = " Run `backstep tree` to see all.";

Deno.test("of a query that nothing matches, the part with which it ends is named", () => {
  assert.equal(
    hint('filler[name="Cell"] label[name="Dentist"]'),
    'filler[name="Cell"] matches 2, and none has that inside: label[name="Dentist"]. label[name="Dentist"] alone ' +
      `matches 2, the first in window "Calendar" > panel "Month" > filler "Event".${ALL}`,
  );
  assert.equal(
    hint('window > label[name="12"]'),
    'window matches 1, and none has such a child: label[name="12"]. label[name="12"] alone matches 1 in ' +
      `window "Calendar" > panel "Month" > filler "Cell".${ALL}`,
  );
  assert.equal(
    hint('button[name="Add"]:disabled'),
    `button[name="Add"] matches 1; with :disabled nothing does.${ALL}`,
  );
  assert.equal(
    hint('filler[name="Cell"]:has(label[name="14"])'),
    `filler[name="Cell"] matches 2; with :has(label[name="14"]) nothing does.${ALL}`,
  );
  assert.equal(
    hint('button[name="Add"][value="on"]'),
    `button[name="Add"] matches 1; with [value="on"] nothing does.${ALL}`,
  );
  assert.equal(
    hint('filler[name="Cell"]:nth(3)'),
    `filler[name="Cell"] matches 2; with :nth(3) nothing does.${ALL}`,
  );
});

Deno.test("of an ancestor that is missing, what resembles it is named", () => {
  assert.equal(
    hint('filler[name="Celt"] label'),
    `Nothing matches filler[name="Celt"]. There is filler "Cell" (2 times).${ALL}`,
  );
  assert.equal(
    hint('window filler[name="Cel"] label[name="12"]'),
    'window matches 1, and none has that inside: filler[name="Cel"]. There is filler "Cell" (2 times).' + ALL,
  );
});

Deno.test("of one that only its name says, what resembles it is named, each once", () => {
  assert.equal(hint('label[name="Dentists"]'), `There is label "Dentist" (2 times).${ALL}`);
  assert.equal(hint('label[name="x"]'), `There is label "12", label "13", label "Dentist" (2 times).${ALL}`);
});

Deno.test("of what is missing inside of something, what resembles it there is named first", () => {
  assert.equal(
    hint('panel[name="Month"] togglebutton[name="Week"]'),
    'panel[name="Month"] matches 1, and none has that inside: togglebutton[name="Week"]. There is ' +
      `togglebutton "Day", togglebutton "Handbook".${ALL}`,
  );
  assert.equal(
    hint('filler[name="Event"] togglebutton[name="Book"]'),
    'filler[name="Event"] matches 1, and none has that inside: togglebutton[name="Book"]. There is ' +
      `togglebutton "Day", togglebutton "Handbook".${ALL}`,
  );
});
