import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import { buildSnapshot } from "../build.ts";
import { editor, editorSnapshot } from "./_fixture.ts";
import { readSelector } from "./read.ts";
import { find, type StageName, type Strategy } from "./strategies.ts";
import { describeRow } from "../describe.ts";
import { writeUiPath } from "./ui-path.ts";

/** What a query finds, by which understanding. */
const queries: readonly (readonly [query: string, strategy: Strategy, found: string[], stage: StageName])[] =
  [
    // A selector
    ["button[name=Save]", "auto", ['button "Save"'], "selector"],
    ['button "Save"', "auto", ['button "Save"'], "selector"],
    ['dialog "Save as" button "Choose"', "auto", ['button "Choose"'], "selector"],
    ["button:disabled", "auto", ['button "Quit"'], "selector"],
    [":focused", "auto", ['textfield "Name"'], "selector"],
    ["slider", "auto", ["slider"], "selector"],
    ["AXSlider", "auto", ["slider"], "selector"],
    ["dialog > button:nth(2)", "auto", ['button "OK"'], "selector"],
    ["window textfield", "auto", ['textfield "Name"'], "selector"],
    // Compound queries
    ["role:AXButton title:Save", "auto", ['button "Save"'], "role_title"],
    ['role:"push button" title:"Save"', "auto", ['button "Save"'], "role_title"],
    ["title:Save As… role:AXMenuItem", "auto", ['menuitem "Save As…"'], "role_title"],
    ["role:AXTextField value:report 2026", "auto", ['textfield "Name"'], "role_title"],
    ["identifier:name-entry", "auto", ['textfield "Name"'], "role_title"],
    ["description:'Write the file'", "auto", ['button "Save"'], "role_title"],
    ["role:AXCheckBox title:wrap", "auto", ['checkbox "Wrap lines"'], "title_contains"],
    ["button:Quit", "auto", ['button "Quit"'], "role_title"],
    ["AXButton:quit", "auto", ['button "Quit"'], "role_title"],
    // XPath and paths
    ["//AXButton[@AXTitle='Save']", "auto", ['button "Save"'], "xpath"],
    ["//AXWindow[@AXSubrole='AXDialog']/AXButton[2]", "auto", ['button "OK"'], "xpath"],
    ["(//AXButton)[2]", "auto", ['button "Quit"'], "xpath"],
    ["//AXButton[last()][@AXTitle='OK']", "auto", ['button "OK"'], "xpath"],
    ["/AXApplication/AXWindow[3]/AXButton", "auto", ['button "Choose"'], "xpath"],
    ["//AXCheckBox[contains(@AXTitle,'check')]", "auto", ['checkbox "Spell check"'], "xpath"],
    ["//AXButton[starts-with(@AXTitle,'Q') and @AXEnabled='false']", "auto", ['button "Quit"'], "xpath"],
    ["//AXCheckBox[not(@AXTitle='Wrap lines')][not(@AXSubrole='AXToggle')]", "auto", [
      'checkbox "Spell check"',
    ], "xpath"],
    ["//AXButton[@AXTitle='OK' or @AXTitle='Quit']", "auto", ['button "Quit"', 'button "OK"'], "xpath"],
    ["//AXTextField[@AXTitle!='Name']", "auto", ['passwordfield "Secret"'], "xpath"],
    [
      'macos://ui/AXApplication[@bundleIdentifier="org.example.Editor"]/AXWindow[@AXTitle="Save as"]/AXButton',
      "auto",
      [
        'button "Choose"',
      ],
      "xpath",
    ],
    ["macos://ui/AXApplication/AXWindow#1/AXButton#0", "auto", ['button "Cancel"'], "xpath"],
    ['macos://ui/AXMenuBarItem[@AXTitle="File"]/AXMenu/AXMenuItem[@AXTitle="Save"]', "auto", [
      'menuitem "Save"',
    ], "xpath"],
    ['macos://ui/AXMenuBarItem[@AXTitle="File"]/AXMenu', "auto", ['menu "File"'], "xpath"],
    ["macos://ui/AXWindow%5B@AXTitle=%22Save%20as%22%5D", "auto", ['dialog "Save as"'], "xpath"],
    // Bare text
    ["Save", "auto", ['button "Save"'], "title_exact"],
    ["Name", "auto", ['textfield "Name"'], "title_exact"],
    ["wrap", "auto", ['checkbox "Wrap lines"'], "title_contains"],
    ["Quit button", "auto", ['button "Quit"'], "role_title"],
    ["name-entry", "auto", ['textfield "Name"'], "identifier"],
    ["the volume slider", "auto", ["slider"], "semantic"],
    ["write file button", "auto", ['button "Save"'], "semantic"],
    ["^Disc.*d$", "auto", ['button "Discard"'], "regex"],
    ['"slider"', "auto", [], "title_contains"],
    ['"OK"', "auto", ['button "OK"'], "title_exact"],
    // Named strategies
    ["Save", "exact", ['button "Save"'], "title_exact"],
    ["iscar", "contains", ['button "Discard"'], "title_contains"],
    ["^(OK|Cancel)$", "regex", ['button "Cancel"', 'button "OK"'], "regex"],
    ["AXSlider", "role", ["slider"], "role_title"],
    ["button:OK", "role", ['button "OK"'], "role_title"],
    ["name-entry", "identifier", ['textfield "Name"'], "identifier"],
    ["//AXSlider", "xpath", ["slider"], "xpath"],
  ];

for (const [query, strategy, expected, stage] of queries) {
  Deno.test(`${query} (${strategy}) finds ${expected.join(", ") || "nothing"} by ${stage}`, () => {
    const found = find(readSelector(query, strategy), editorSnapshot);
    assert.deepEqual(found.rows.map((row) => describeRow(editorSnapshot, row)), expected);
    assert.equal(found.strategy, stage);
    assert.equal(found.tried.at(-1), stage);
  });
}

Deno.test("a bare text that nothing fits names all seven strategies in order", () => {
  const found = find(readSelector("Submit"), editorSnapshot);
  assert.deepEqual(found.rows, []);
  assert.deepEqual(found.tried, [
    "title_exact",
    "title_contains",
    "role_title",
    "identifier",
    "xpath",
    "semantic",
    "regex",
  ]);
});

Deno.test("a bare text prefers what is visible, then what can be acted on, and says so", () => {
  const found = find(readSelector("Save"), editorSnapshot);
  assert.deepEqual(found.narrowed, ["visible", "interactive"]);
  assert.deepEqual(find(readSelector("[name=Save]"), editorSnapshot).narrowed, []);
});

/** Faulty queries of each form, and the column of the fault. */
const faults: readonly (readonly [query: string, strategy: Strategy, column: number, says: RegExp])[] = [
  ["  ", "auto", 1, /empty/],
  ["buton[name=x]", "auto", 1, /"button"/],
  ["button[nmae=x]", "auto", 8, /"name"/],
  ["button:enabeld", "auto", 7, /":enabled"/],
  ["dialog buton[name=x]", "auto", 8, /"button"/],
  ["role:AXButon title:x", "auto", 6, /"AXButton"/],
  ["role:AXButton titel:x", "auto", 15, /"title"/],
  ["title:", "auto", 7, /wants a value/],
  ["//AXButon", "auto", 3, /"AXButton"/],
  ["//AXButton[@AXTitel='x']", "auto", 12, /"@AXTitle"/],
  ["//AXButton[@AXTitle='x'", "auto", 24, /expected "\]"/],
  ["//AXButton[contans(@AXTitle,'x')]", "auto", 12, /"contains"/],
  ["//AXButton[@AXEnabled='maybe']", "auto", 23, /true or false/],
  ["//AXButton/following::x", "auto", 12, /no role/],
  ["macos://ui/AXButton#x", "auto", 21, /number from 0/],
  ["macos://applications/x", "auto", 1, /expected/],
  ["Save", "xpath", 1, /expected "\/"/],
  ["buton", "role", 1, /"button"/],
];

for (const [query, strategy, column, says] of faults) {
  Deno.test(`${JSON.stringify(query)} (${strategy}) is refused at column ${column}`, () => {
    assert.throws(() => readSelector(query, strategy), (e) => {
      assert.ok(e instanceof BackstepError);
      assert.equal(e.code, "selector");
      assert.match(`${e.message}\n${e.hint ?? ""}`, says);
      assert.equal(e.details?.["position"], column);
      return true;
    });
  });
}

Deno.test("the element path of every row finds that row again, also with quotes, slashes and brackets in titles", () => {
  const odd = buildSnapshot({
    role: "application",
    name: "Odd",
    children: [{
      role: "frame",
      name: "a/b][\"c\\d'e#1 %20",
      children: [{ role: "pushButton" }, { role: "pushButton" }, { role: "link", name: "x" }, {
        role: "link",
        name: "x",
      }, {
        role: "panel",
        id: "p/1",
      }],
    }],
  }, editor);
  for (const snapshot of [editorSnapshot, odd]) {
    for (let row = 0; row < snapshot.size; row++) {
      const path = writeUiPath(snapshot, row);
      assert.deepEqual(find(readSelector(path), snapshot).rows, [row], path);
    }
  }
});

Deno.test("Qt's menus, where item and menu are two elements, are found by the same path as GTK's", () => {
  const qt = buildSnapshot({
    role: "application",
    children: [{
      role: "menuBar",
      children: [{
        role: "menuItem",
        name: "File",
        children: [{ role: "popupMenu", name: "", children: [{ role: "menuItem", name: "Save" }] }],
      }],
    }],
  }, editor);
  const path = 'macos://ui/AXApplication/AXMenuBar/AXMenuBarItem[@AXTitle="File"]/AXMenu';
  assert.deepEqual(find(readSelector(`${path}/AXMenuItem[@AXTitle="Save"]`), qt).rows, [4]);
  assert.deepEqual(find(readSelector(path), qt).rows, [3]);
});
