import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import { parseTree } from "./parse.ts";

Deno.test("a line is a role, perhaps a name, states, and a text behind a colon", () => {
  const { top, all } = parseTree(`
# a comment
- dialog "Save \\"as\\"":   # and one behind a line
  - button /^Sa(ve)?$/i [enabled, focused=false] [level=2]
  - 'checkbox "Keep: it''s" [checked]'
  - textfield: plain   text
  - push-button: "quoted: text"
  - label: /\\d+ of \\/ \\d+/
- AXButton
`);
  assert.equal(top.length, 2);
  assert.deepEqual(all.map(({ line, role }) => `${line} ${role}`), [
    "3 dialog",
    "4 button",
    "5 checkbox",
    "6 textfield",
    "7 button",
    "8 label",
    "9 AXButton",
  ]);
  const [dialog, button, checkbox, field, push, label] = all;
  assert.deepEqual(dialog?.name, { text: 'Save "as"' });
  assert.deepEqual([button?.states, button?.level], [[["enabled", true], ["focused", false]], 2]);
  assert.deepEqual([checkbox?.name, checkbox?.written], [
    { text: "Keep: it's" },
    'checkbox "Keep: it\'s" [checked]',
  ]);
  assert.deepEqual([field?.text, push?.text], [{ text: "plain text" }, { text: "quoted: text" }]);
  assert.ok(label?.text && "regex" in label.text && label.text.regex.test("3 of / 12"));
});

for (
  const [source, place, why, hint] of [
    ["- buton", "1:3", /no role "buton"/, /Did you mean button/],
    ['- button "Save', "1:10", /quote has no end/, undefined],
    ["- button Save", "1:10", /"Save" is not understood/, /double quotes/],
    ["- button /a(/", "1:10", /regular expression/, undefined],
    ["- button /a", "1:10", /expression has no end/, undefined],
    ["- button [enabeld]", "1:11", /no state "enabeld"/, /Did you mean enabled/],
    ["- button [level=x]", "1:11", /level is a number/, undefined],
    ["- button [checked=mixed]", "1:11", /true or false/, undefined],
    ["- button [checked", "1:10", /bracket has no end/, undefined],
    ["button", "1:1", /begins with a dash/, undefined],
    ["- dialog:\n\t- button", "2:1", /tab/, /spaces/],
    ["- dialog\n  - button", "2:3", /line 1, which does not end in a colon/, /`- dialog:`/],
    ["- label: x\n  - button", "2:3", /says its text/, undefined],
    ["- dialog:\n    - button\n  - button", "3:3", /indented by 2, those beside it by 4/, undefined],
    ["- dialog:\n  - 'button \"a\" b'", "2:17", /only a name and states/, undefined],
    ["", "1:1", /says nothing/, undefined],
    [
      Array.from({ length: 102 }, (_, k) => `${" ".repeat(k)}- group:`).join("\n"),
      "101:101",
      /deeper than 100/,
      undefined,
    ],
    ["- button\n".repeat(5_001), "5001:1", /more than 5000/, undefined],
  ] as const
) {
  Deno.test(`${JSON.stringify(source.slice(0, 40))} is refused at ${place}`, () => {
    assert.throws(() => parseTree(source), (thrown) => {
      assert.ok(thrown instanceof BackstepError && thrown.code === "invalid");
      const [line, column] = place.split(":");
      assert.match(thrown.message, new RegExp(`line ${line}, column ${column}: `));
      assert.match(thrown.message, why);
      if (hint) assert.match(thrown.hint ?? "", hint);
      return true;
    });
  });
}
