import assert from "node:assert/strict";
import { DIALOG, tree } from "./_trees.ts";
import { diffTree } from "./diff.ts";
import { parseTree } from "./parse.ts";

const diff = (source: string, exact = false) => diffTree(parseTree(source), tree(DIALOG), exact);

Deno.test("a line that is met by nothing is named with what stands there instead", () => {
  const { first, text, line, expected, actual, wrong } = diff(`- dialog "Save as…":
  - textfield "Name": "Draft"
  - list "Places":
    - listitem "Desktop"
  - button "Save" [enabled]`);
  assert.equal(
    first,
    'line 2 expects textfield "Name": "Draft", but there stands textfield "Name": "Draft: one #1"',
  );
  assert.deepEqual([line, wrong, expected, actual], [
    2,
    2,
    'textfield "Name": "Draft"',
    'textfield "Name": "Draft: one #1"',
  ]);
  assert.equal(
    text,
    `  - dialog "Save as…"
-   - textfield "Name": "Draft"
+   - textfield "Name": "Draft: one #1"
    - list "Places"
      - listitem "Desktop"
-   - button "Save" [enabled]
+   - button "Save" [disabled]`,
  );
});

Deno.test("of what is not there the nearest is named, and of what stands elsewhere its place", () => {
  assert.match(
    diff('- list "Places":\n  - listitem "Desk top"').first,
    /^line 2 expects listitem "Desk top", but there stands listitem "Desktop"$/,
  );
  assert.match(
    diff('- button "Cancel"\n- button "Sav"').first,
    /^line 2 expects button "Sav", but there stands button "Save" \[disabled\]$/,
  );
  const { first, text } = diff('- list "Places":\n  - listitem "Home"\n  - button "Save"');
  assert.match(
    first,
    /^line 3 expects button "Save", which is not there; one stands elsewhere, in dialog "Save as…"$/,
  );
  assert.match(text, /^- {3}- button "Save" {3}# one stands elsewhere/m);
});

Deno.test("an asked state that is missing is shown, and that passwords are never read", () => {
  assert.match(
    diff('- checkbox "Keep: a copy" [unchecked]').text,
    /^\+ - checkbox "Keep: a copy" \[checked\]$/m,
  );
  assert.match(
    diff('- textfield "Name" [required]').first,
    /there stands textfield "Name" \[required=false\]$/,
  );
  assert.match(diff("- passwordfield: x").first, /what it holds is never read/);
});

Deno.test("in an exact comparison what no line expects is a fault of its own", () => {
  const { first, text } = diff(
    '- list "Places":\n  - listitem "Desktop"',
    true,
  );
  assert.ok(first.length > 0);
  assert.match(text, /^\+ .*listitem "Home" \[selected\]$/m);
});

Deno.test("what is as expected is folded, and a long diff is cut", () => {
  const many = {
    role: "list",
    name: "L",
    children: Array.from({ length: 200 }, (_, k) => ({ role: "listItem", name: `item ${k}` } as const)),
  } as const;
  const source = (changed: (k: number) => boolean) =>
    `- list:\n${
      Array.from({ length: 200 }, (_, k) => `  - listitem "item ${k}"${changed(k) ? " [selected]" : ""}\n`)
        .join("")
    }`;
  const one = diffTree(parseTree(source((k) => k === 100)), tree(many), false);
  assert.equal(one.wrong, 1);
  assert.match(one.text, /… 98 lines as expected\n/);
  assert.ok(one.text.split("\n").length < 12, one.text);
  const all = diffTree(parseTree(source(() => true)), tree(many), false);
  assert.equal(all.wrong, 200);
  assert.ok(all.text.split("\n").length <= 61);
});
