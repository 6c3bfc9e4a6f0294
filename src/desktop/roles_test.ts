import assert from "node:assert/strict";
import { Role, ROLE_COUNT, roleOf, rolesOf } from "./roles.ts";
import { type StateName, stateWords } from "./states.ts";
import { canonicalType, roleWords } from "./vocabulary.ts";

Deno.test("the table holds every number from 0 to 130 once", () => {
  assert.equal(ROLE_COUNT, 131);
  assert.deepEqual(Object.values(Role), Array.from({ length: 131 }, (_, k) => k));
  for (let role = 0; role < ROLE_COUNT; role++) assert.equal(roleOf(role, 0, 0).role, role);
});

Deno.test("a number beyond the table is unknown, not an error", () => {
  assert.equal(roleOf(4_000, 0, 0).word, "unknown");
  assert.equal(roleOf(4_000, 0, 0).ax, "AXUnknown");
});

/** A role with states, and what it is called. */
const named: readonly (readonly [
  role: keyof typeof Role,
  states: StateName[],
  word: string,
  ax: string,
  subrole?: string,
])[] = [
  ["pushButton", [], "button", "AXButton"],
  ["text", ["singleLine"], "textfield", "AXTextField"],
  ["text", ["multiLine"], "textarea", "AXTextArea"],
  ["entry", ["multiLine", "editable"], "textarea", "AXTextArea"],
  ["passwordText", ["singleLine"], "passwordfield", "AXTextField", "AXSecureTextField"],
  ["comboBox", [], "combobox", "AXPopUpButton"],
  ["comboBox", ["editable"], "combobox", "AXComboBox"],
  ["dialog", [], "dialog", "AXWindow", "AXDialog"],
  ["fileChooser", ["resizable"], "dialog", "AXWindow", "AXDialog"],
  ["fileChooser", [], "filechooser", "AXGroup"],
  ["alert", ["modal"], "alert", "AXWindow", "AXDialog"],
  ["alert", [], "alert", "AXGroup", "AXApplicationAlert"],
  ["pageTab", [], "tab", "AXRadioButton", "AXTabButton"],
  ["switch", [], "switch", "AXCheckBox", "AXSwitch"],
];

for (const [role, states, word, ax, subrole] of named) {
  Deno.test(`${role} with [${states.join(" ")}] is ${word}, ${ax}${subrole ? ` ${subrole}` : ""}`, () => {
    const info = roleOf(Role[role], ...stateWords(states));
    assert.deepEqual([info.word, info.ax, info.subrole], [word, ax, subrole]);
    assert.ok(rolesOf(Role[role]).includes(info));
  });
}

Deno.test("each word is its own canonical spelling", () => {
  for (const word of roleWords) assert.equal(canonicalType(word), word);
});

Deno.test("the name of every AT-SPI role is understood, with any separator", () => {
  for (const name of Object.keys(Role)) {
    const spaced = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    assert.ok(canonicalType(name) !== undefined, name);
    assert.equal(canonicalType(spaced), canonicalType(name));
    assert.equal(canonicalType(spaced.replaceAll(" ", "-")), canonicalType(name));
  }
});
