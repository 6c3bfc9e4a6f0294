import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import { editor, editorSnapshot } from "./_fixture.ts";
import { fieldsOf, match } from "./match.ts";
import { parseSelector } from "./parse.ts";
import { Snapshot } from "../snapshot.ts";
import { wordOf } from "../vocabulary.ts";

function names(selector: string): string[] {
  return match(parseSelector(selector), editorSnapshot).map((row) =>
    editorSnapshot.name(row) || wordOf(editorSnapshot, row)
  );
}

/** A selector, what it finds, and a near relation that finds nothing. */
const pairs: readonly (readonly [found: string, names: string[], not: string])[] = [
  ["button", ["Save", "Quit", "Discard", "Cancel", "OK", "Choose"], "radio"],
  ["AXButton[name=OK]", ["OK"], "AXLink[name=OK]"],
  ["push-button[name='OK']", ["OK"], "link[name='OK']"],
  ['"push button"[name="OK"]', ["OK"], '"radio button"[name="OK"]'],
  ["textfield", ["Name"], "textfield[name=Body]"],
  ["textarea", ["Body"], "textarea[name=Name]"],
  ["text", ["Name", "Body"], "text[name=Secret]"],
  ["AXTextField", ["Name", "Secret"], "AXTextField[name=Body]"],
  ["AXSecureTextField", ["Secret"], "AXSecureTextField[name=Name]"],
  ["AXMenuBarItem", ["File", "Edit"], "AXMenuBarItem[name=Recent]"],
  ["AXMenuItem", ["Save", "Save As…", "Recent", "notes.txt"], "AXMenuItem[name=File]"],
  ["window", ["Draft — Editor"], "window[name='Save as']"],
  ["AXWindow", ["Draft — Editor", "Save changes?", "Save as"], "AXWindow[name=Editor]"],
  ["dialog", ["Save changes?", "Save as"], "dialog[name^=Draft]"],
  ["filechooser", ["Save as"], "filechooser[name='Save changes?']"],
  ['[name="Save"]', ["Save", "Save", "Save"], '[name="save"]'],
  ['button[name="save" i]', ["Save"], 'button[name="sav" i]'],
  ['button[name^="Sa"]', ["Save"], 'button[name^="ave"]'],
  ['button[name$="it"]', ["Quit"], 'button[name$="Qu"]'],
  ['button[name*="isca"]', ["Discard"], 'button[name*="ISCA"]'],
  ['[name~="Editor"]', ["Editor", "Draft — Editor"], '[name~="Edito"]'],
  ["checkbox[name~=check]", ["Spell check"], "checkbox[name~=chec]"],
  ["[name=/^wrap/i]", ["Wrap lines"], "[name=/^wrap/]"],
  ["[name=/^Save As.$/]", ["Save As…"], "[name=/^Save As$/]"],
  ["[id=name-entry]", ["Name"], "[id=name]"],
  ["[title=Quit]", ["Quit"], "[title=Exit]"],
  ["[description='Write the file']", ["Save"], "[description='Read the file']"],
  ["[text*=2026]", ["Name"], "[text*=2027]"],
  ["[value=5]", ["slider"], "[value=6]"],
  ["[value='report 2026']", ["Name"], "[value='report']"],
  ["[role=slider]", ["slider"], "[role=dial]"],
  ["[role=AXSlider]", ["slider"], "[role=AXLink]"],
  ["[class=toggle]", ["Spell check"], "[class=button]"],
  ["[@placeholder-text]", ["Spell check"], "[@placeholder]"],
  ["[application='org.example.Editor'][role=application]", ["Editor"], "[application=Other]"],
  ["button[description]", ["Save"], "button[id]"],
  ["button:disabled", ["Quit"], "textfield:disabled"],
  ["button:enabled[name=Save]", ["Save"], "button:enabled[name=Quit]"],
  [":checked", ["Wrap lines", 'Say "hi"'], "checkbox:pressed"],
  ["checkbox:unchecked", ["Spell check"], "checkbox:unchecked[name^=Wrap]"],
  [":focused", ["Name"], "textarea:focused"],
  ["menuitem:visible", ["notes.txt"], "menuitem:visible[name=Save]"],
  ["menuitem:hidden", ["Save", "Save As…"], "menuitem:hidden[name='notes.txt']"],
  ["row:selected", ["row"], "row:selected:nth(2)"],
  [":editable:is(text)", ["Name", "Body"], ":readonly:is(text)"],
  [":secure", ["Secret"], ":secure:is(textfield)"],
  ["dialog > button", ["Cancel", "OK", "Choose"], "dialog > button[name=Discard]"],
  ["dialog button:nth(1)", ["Discard"], "dialog button:nth(5)"],
  ["dialog > button:nth(2)", ["OK"], "dialog > button:nth(4)"],
  ["dialog > button:nth(-1)", ["Choose"], "dialog > button:nth(-4)"],
  ["dialog > button:first", ["Cancel"], "link:first"],
  ["dialog > button:last", ["Choose"], "link:last"],
  ["dialog > button:nth-sibling(1)", ["Cancel", "Choose"], "dialog > button:nth-sibling(3)"],
  ["button:nth(2):disabled", ["Quit"], "button:nth(1):disabled"],
  ["button:disabled:nth(1)", ["Quit"], "button:disabled:nth(2)"],
  ["dialog:nth(2) button", ["Choose"], "dialog:nth(3) button"],
  ["window textfield[name^=Na]", ["Name"], "dialog textfield[name^=Na]"],
  ["window > filler > button[name=Save]", ["Save"], "window > button[name=Save]"],
  ['button:has-text("save")', ["Save"], 'button:has-text("write")'],
  ['row:has-text("2 kB")', ["row"], 'row:has-text("3 kB")'],
  ["row:has(cell[name=x]) > cell:last", ["1 kB"], "row:has(cell[name=z]) > cell"],
  ["application:has(> dialog)", ["Editor"], "application:has(> button)"],
  ["dialog:has(panel > button)", ["Save changes?"], "dialog:has(filler > button)"],
  ["button:has(label)", ["Save"], "button:has(button)"],
  ["dialog > button:not([name=OK])", ["Cancel", "Choose"], "dialog > button:not(button)"],
  ["button:not(dialog button, :disabled)", ["Save"], "button:not(:is(button))"],
  ["*:root", ["Editor"], "window:root"],
  ["radio, link, button[name=OK], button[name=Quit]", ["Quit", "OK"], "radio, link"],
  ['[name="Say \\"hi\\""]', ['Say "hi"'], '[name="Say hi"]'],
  ['[name="Save As\\u{2026}"]', ["Save As…"], '[name="Save As..."]'],
  ["[name='x']", ["x"], "[name='']:root"],
];

for (const [selector, expected, not] of pairs) {
  Deno.test(`${selector} finds ${expected.join(", ")}, and ${not} nothing`, () => {
    assert.deepEqual(names(selector), expected);
    assert.deepEqual(names(not), []);
  });
}

Deno.test("a scope is searched below, itself excluded", () => {
  const [dialog = -1] = match(parseSelector("dialog"), editorSnapshot);
  const found = match(parseSelector("*"), editorSnapshot, { scope: dialog });
  assert.deepEqual(found.map((row) => editorSnapshot.name(row)), ["", "Discard", "Cancel", "OK"]);
  assert.equal(match(parseSelector("dialog"), editorSnapshot, { scope: dialog }).length, 0);
});

Deno.test("what lies below two nested matches is found once", () => {
  const nested = buildSnapshot({
    role: "panel",
    children: [{ role: "panel", children: [{ role: "pushButton" }] }, { role: "pushButton" }],
  }, editor);
  assert.deepEqual(match(parseSelector("panel button"), nested), [2, 3]);
  assert.deepEqual(match(parseSelector("panel > button"), nested), [2, 3]);
  assert.deepEqual(match(parseSelector("panel button:nth(2)"), nested), [3]);
});

Deno.test("an empty value is a part of nothing, and equal only to nothing", () => {
  for (const op of ["^=", "$=", "*=", "~="]) assert.deepEqual(names(`[name${op}""]`), [], op);
  assert.ok(names('[name=""]').length > 0);
});

Deno.test("a limit stops the search after so many rows", () => {
  assert.equal(match(parseSelector("button"), editorSnapshot, { limit: 2 }).length, 2);
  assert.equal(match(parseSelector("button, label"), editorSnapshot, { limit: 3 }).length, 3);
});

Deno.test("GTK 4 elements are visible without SHOWING, GTK 3 ones are not", () => {
  const tree: NodeDescription = { role: "frame", children: [{ role: "pushButton", without: ["showing"] }] };
  const gtk4 = buildSnapshot(tree, { ...editor, toolkit: "GTK", toolkitVersion: "4.8.3" });
  assert.equal(match(parseSelector("button:visible"), gtk4).length, 1);
  assert.equal(match(parseSelector("button:visible"), buildSnapshot(tree, editor)).length, 0);
});

Deno.test("a selector says which columns it needs, and matching without them is an error", () => {
  const selector = parseSelector("row:has([text='a']):not([class=b], [id=c])");
  assert.deepEqual(fieldsOf(selector).sort(), ["attributes", "id", "text"]);
  const { columns, origin } = editorSnapshot;
  const bare = new Snapshot({ ...columns, id: new Uint32Array(0) }, origin);
  assert.throws(() => match(parseSelector("[id=c]"), bare), /without its field "id"/);
});

Deno.test("one of ten thousand elements is found", () => {
  const rows: NodeDescription[] = Array.from({ length: 2_500 }, (_, k) => ({
    role: "tableRow",
    children: [{ role: "tableCell", name: `cell ${k}` }, {
      role: "pushButton",
      name: k === 2_400 ? "Save" : `b${k}`,
    }, {
      role: "label",
      name: `label ${k}`,
    }],
  }));
  const large = buildSnapshot({ role: "frame", children: rows }, editor);
  assert.ok(large.size > 10_000);
  for (
    const text of [
      'button[name="Save"]',
      "row > button:enabled[name^=Sav]",
      'row:has(button[name="Save"]) label',
    ]
  ) {
    const selector = parseSelector(text);
    assert.equal(match(selector, large).length, 1, text);
  }
});
