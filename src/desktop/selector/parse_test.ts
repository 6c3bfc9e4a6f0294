import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import { parseSelector } from "./parse.ts";

/** A faulty selector, the column (from 1) of the fault, and what the message or hint says. */
const faults: readonly (readonly [text: string, column: number, says: RegExp])[] = [
  ["", 1, /expected a role/],
  ["buton[name=x]", 1, /no role "buton".*"button"/s],
  ["AXButon", 1, /no role "AXButon".*"AXButton"/s],
  ["dialog > > button", 10, /expected a role/],
  ["dialog >", 9, /found the end/],
  ["button, ", 9, /found the end/],
  ["button[nmae=x]", 8, /no attribute "nmae".*"name"/s],
  ["button[colour=x]", 8, /no attribute "colour".*\[@colour\]/s],
  ["button[name", 12, /expected "\]" or one of/],
  ["button[name=]", 13, /expected a value/],
  ['button[name="x]', 13, /has no end/],
  ['button[name="a\\q"]', 15, /unknown escape "\\q"/],
  ['button[name="\\u{110000}"]', 14, /unknown escape/],
  ['button[name="\\u{d800}"]', 14, /unknown escape/],
  ["button[name='x' j]", 17, /expected "\]"/],
  ["button[name!='x']", 12, /expected "\]" or one of/],
  ["[name=/a(/]", 7, /missing closing/],
  ["[name=/(?<=a)b/]", 7, /lookbehind/],
  ["[name=/a/g]", 7, /no flag "g"/],
  ["[name=/a]", 7, /no end/],
  ["[name^=/a/]", 8, /goes with "="/],
  ["button:enabeld", 7, /no ":enabeld".*":enabled"/s],
  ["button:nth(0)", 12, /from 1/],
  ["button:nth(two)", 12, /from 1/],
  ["button:nth 2", 11, /expected "\("/],
  ["button:nth(2", 13, /expected "\)"/],
  ["button:has-text(Save)", 17, /quoted text/],
  ["button:not()", 12, /expected a role/],
  ["row:has(> )", 11, /expected a role/],
  ["button)", 7, /unexpected "\)"/],
  ["button Save", 8, /no role "Save"/],
  ["button Weiter", 8, /no role "Weiter".*button "Save"/s],
  ['button "Save', 8, /has no end/],
];

for (const [text, column, says] of faults) {
  Deno.test(`the selector ${JSON.stringify(text)} is refused at column ${column}`, () => {
    assert.throws(() => parseSelector(text), (e) => {
      assert.ok(e instanceof BackstepError);
      assert.equal(e.code, "selector");
      assert.equal(e.details?.["position"], column);
      assert.match(`${e.message}\n${e.hint ?? ""}`, says);
      const [, shown = "", caret = ""] = e.message.split("\n");
      assert.equal(shown.slice(2), text);
      assert.equal(caret.indexOf("^"), column - 1 + 2);
      return true;
    });
  });
}

Deno.test("a fault far into a long selector is shown in its surroundings", () => {
  const text = `button[name="${"x".repeat(300)}"]:enabeld`;
  assert.throws(() => parseSelector(text), (e) => {
    assert.ok(e instanceof BackstepError);
    const [, shown = "", caret = ""] = e.message.split("\n");
    assert.equal(shown.slice(caret.indexOf("^")).startsWith(":enabeld"), true);
    assert.ok(e.message.length < 400);
    return true;
  });
});

Deno.test("selectors that are too long or too deep are refused", () => {
  assert.throws(() => parseSelector("*".padEnd(5_000, " ")), /4000 are allowed/);
  assert.throws(() => parseSelector(":not(".repeat(40) + "*" + ")".repeat(40)), /inside one another/);
});

Deno.test("aliases and spellings of roles mean the same type", () => {
  for (const alias of ["button", "push-button", "pushbutton", "Button", '"push button"', "btn"]) {
    assert.deepEqual(parseSelector(alias), parseSelector("button"), alias);
  }
  for (const alias of ["entry", "textbox"]) {
    assert.deepEqual(parseSelector(alias), parseSelector("textfield"));
  }
  assert.deepEqual(parseSelector("check-box"), parseSelector("checkbox"));
  assert.deepEqual(parseSelector("frame"), parseSelector("window"));
  assert.deepEqual(parseSelector("combo"), parseSelector("combobox"));
});

Deno.test("a text in quotes behind a role is its name, as trees and errors show it", () => {
  for (
    const [shown, meant] of [
      ['button "Save"', 'button[name="Save"]'],
      ["button 'Say \\'Hi\\''", `button[name="Say 'Hi'"]`],
      [
        'window "Edit: a > b, [c]" > button "Apply":enabled',
        'window[name="Edit: a > b, [c]"] > button[name="Apply"]:enabled',
      ],
      ['* "Save"', '*[name="Save"]'],
      ['combobox "Text", tab "List" textfield', 'combobox[name="Text"], tab[name="List"] textfield'],
      ['dialog:has(label "Really?") button "OK"', 'dialog:has(label[name="Really?"]) button[name="OK"]'],
      ['"push button" "OK"', 'button[name="OK"]'],
      ['row "list item"[name="x"]', 'row listitem[name="x"]'],
    ] as const
  ) assert.deepEqual(parseSelector(shown), parseSelector(meant), shown);
});
