import assert from "node:assert/strict";
import { parse } from "yaml";
import { DIALOG, tree } from "./_trees.ts";
import { matchesTree } from "./match.ts";
import { parseTree } from "./parse.ts";
import { printTree } from "./print.ts";

const PRINTED = `- dialog "Save as…":
  - textfield "Name": "Draft: one #1"
  - passwordfield "Key"
  - 'checkbox "Keep: a copy" [checked]'
  - slider "Quality": "80"
  - label: "Two lines"
  - heading "More" [level=2]
  - list "Places":
    - listitem "Home" [selected]
    - listitem "Desktop"
  - button "Cancel"
  - button "Save" [disabled]
`;

Deno.test("a tree is printed without boxes, places, focus, scroll bars, what is hidden and what a password field holds", () => {
  assert.equal(printTree(tree(DIALOG)), PRINTED);
});

Deno.test("what is printed matches, exactly too, and is printed the same again", () => {
  const pattern = parseTree(PRINTED);
  assert.ok(matchesTree(pattern, tree(DIALOG)));
  assert.ok(matchesTree(pattern, tree(DIALOG), { exact: true }));
});

Deno.test("what is printed is YAML, whatever names are", () => {
  for (
    const name of [
      "a: b",
      "a #b",
      'it\'s: "so"',
      "- x",
      "{a}",
      "[b]",
      "é: ü",
      "\\: \\",
      "ends:",
      "a\nb: c",
      "*a &b",
    ]
  ) {
    const node = { role: "pushButton", name } as const;
    const text = printTree(
      tree({ role: "frame", name, children: [node, { role: "entry", name, text: `${name}!` }] }),
    );
    assert.ok(Array.isArray(parse(text)), text);
    assert.ok(
      matchesTree(
        parseTree(text),
        tree({ role: "frame", name, children: [node, { role: "entry", name, text: `${name}!` }] }),
        { exact: true },
      ),
      text,
    );
  }
});

Deno.test("a long name is left to an expression that matches how it begins", () => {
  const long = tree({ role: "frame", name: `What? (${"long: #".repeat(100)})` });
  const text = printTree(long);
  assert.ok(text.length < 300);
  assert.ok(Array.isArray(parse(text)));
  assert.ok(matchesTree(parseTree(text), long, { exact: true }));
});

Deno.test("GTK 4's names of types are no names", () => {
  const shown = tree({
    role: "frame",
    name: "Calculator",
    children: [{ role: "panel", name: "AdwLeaflet", children: [{ role: "pushButton", name: "GtkButton" }] }],
  }, { toolkitVersion: "4.8" });
  assert.equal(printTree(shown), '- window "Calculator":\n  - button\n');
});
