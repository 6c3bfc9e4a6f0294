import assert from "node:assert/strict";
import { Role, type RoleName } from "./roles.ts";
import { buildSnapshot, type NodeDescription } from "./build.ts";
import { match } from "./selector/match.ts";
import { parseSelector } from "./selector/parse.ts";
import { axStates, hasWord, notableStates, rowHas, type StateBearer, type StateWord } from "./state-words.ts";
import { type StateName, stateWords } from "./states.ts";

const gtk3 = { toolkit: "gtk", toolkitVersion: "3.24.38" };
const gtk4 = { toolkit: "GTK", toolkitVersion: "4.8.3" };
const chromium = { toolkit: "Chromium", toolkitVersion: "156" };

function of(role: RoleName, ...states: StateName[]): StateBearer {
  const [statesLow, statesHigh] = stateWords(states);
  return { role: Role[role], statesLow, statesHigh };
}

/** A state word, an element that has it, and one that does not. */
const words: readonly (readonly [word: StateWord, has: StateBearer, lacks: StateBearer])[] = [
  ["enabled", of("pushButton", "sensitive"), of("pushButton", "focusable")],
  ["enabled", of("pushButton", "enabled"), of("pushButton")],
  ["disabled", of("pushButton", "visible"), of("pushButton", "enabled", "sensitive")],
  ["visible", of("label", "visible", "showing"), of("label", "visible")],
  ["hidden", of("label", "showing"), of("label", "visible", "showing")],
  ["checked", of("checkBox", "checked"), of("checkBox", "pressed")],
  ["checked", of("toggleButton", "pressed"), of("pushButton", "pressed")],
  ["pressed", of("toggleButton", "checked"), of("checkBox", "checked")],
  ["unchecked", of("checkBox"), of("pushButton")],
  ["collapsed", of("treeItem", "expandable"), of("treeItem", "expandable", "expanded")],
  ["collapsed", of("treeItem", "collapsed"), of("treeItem")],
  ["editable", of("text", "editable"), of("text", "editable", "readOnly")],
  ["readonly", of("text"), of("text", "editable")],
  ["readonly", of("spinButton", "readOnly"), of("label")],
  ["required", of("entry", "required"), of("entry")],
  ["checkable", of("panel", "checkable"), of("panel")],
  ["checkable", of("radioMenuItem"), of("menuItem")],
  ["secure", of("passwordText"), of("text")],
  ["indeterminate", of("checkBox", "indeterminate"), of("checkBox", "invalid")],
];

for (const [word, has, lacks] of words) {
  Deno.test(`${word} holds of role ${has.role} and not of role ${lacks.role}`, () => {
    assert.equal(hasWord(word, has, gtk3), true);
    assert.equal(hasWord(word, lacks, gtk3), false);
  });
}

Deno.test("visible asks GTK 4 for VISIBLE only, and everyone else for SHOWING too", () => {
  assert.equal(hasWord("visible", of("label", "visible"), gtk4), true);
  assert.equal(hasWord("visible", of("label", "showing"), gtk4), false);
  assert.equal(hasWord("visible", of("label", "visible"), chromium), false);
});

Deno.test("the explorer's states come in its order, and only where they mean something", () => {
  assert.deepEqual(axStates(of("pushButton", "enabled", "visible", "showing"), gtk3), [
    "enabled",
    "visible",
    "unfocused",
    "unselected",
  ]);
  assert.deepEqual(axStates(of("text", "sensitive", "focused", "selected", "editable", "required"), gtk3), [
    "enabled",
    "hidden",
    "focused",
    "selected",
    "editable",
    "required",
  ]);
  assert.deepEqual(axStates(of("text", "expandable"), gtk3).slice(4), ["collapsed", "readonly"]);
  assert.deepEqual(axStates(of("text", "editable", "expanded"), gtk3).slice(4), [
    "expanded",
    "editable",
    "optional",
  ]);
});

Deno.test("an outline names only what differs from a plain element", () => {
  assert.deepEqual(notableStates(of("pushButton", "enabled", "visible", "showing", "focusable"), gtk3), []);
  assert.deepEqual(notableStates(of("toggleButton", "pressed", "visible", "showing"), gtk3), [
    "checked",
    "disabled",
  ]);
  assert.deepEqual(notableStates(of("frame", "active", "enabled", "visible"), gtk4), ["active"]);
});

Deno.test("what GTK 4 gives no room is hidden although it says VISIBLE; elsewhere the states decide", () => {
  const page: NodeDescription = {
    role: "frame",
    rect: { x: 0, y: 0, width: 100, height: 100 },
    children: [{ role: "text", states: ["visible"], rect: { x: 0, y: 0, width: 0, height: 0 } }],
  };
  const of = { bus: ":1.5", name: "factory", pid: 42, toolkit: "GTK", toolkitVersion: "4.8.3" };
  const gtk4 = buildSnapshot(page, of);
  assert.equal(rowHas(gtk4, 1, "visible"), false);
  assert.equal(rowHas(gtk4, 1, "hidden"), true);
  assert.deepEqual(match(parseSelector("textfield:visible"), gtk4), []);
  const chromium = buildSnapshot(page, { ...of, toolkit: "Chromium", toolkitVersion: "1.0" });
  assert.equal(rowHas(chromium, 1, "visible"), false, "SHOWING is missing there");
});
