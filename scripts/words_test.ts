import assert from "node:assert/strict";
import { faultsInCode, faultsInName } from "./words/code.ts";
import { faultsInPage } from "./words/pages.ts";
import { wrapped } from "./words/wrap.ts";
import { tokensOf } from "./words/tokens.ts";

Deno.test("identifiers are read apart from texts, comments, templates and regular expressions", () => {
  const source = [
    "const half = whole / 2 / known; // told",
    'const text = `the ${deeds("a/b")} end ${{ x: `in ${witness}` }}`;',
    "const found = /deed[/]s/.test(ledger) && typeof hands / 2;",
  ].join("\n");
  const words = tokensOf(source).filter(({ kind }) => kind === "identifier").map(({ text }) => text);
  assert.deepEqual(
    words.filter((word) => !/^(const|half|whole|text|x|found|test|typeof)$/.test(word)),
    ["known", "deeds", "witness", "ledger", "hands"],
  );
  assert.deepEqual(tokensOf(source).filter(({ kind }) => kind === "comment").map(({ line }) => line), [1]);
});

Deno.test("a forbidden word is found as a part of a name, with its place and what to say", () => {
  assert.deepEqual(faultsInCode("src/x.ts", "const a = 1;\nconst lastDeed = a;\nlet takenBack;"), [
    "src/x.ts:2: `lastDeed`: say action",
    "src/x.ts:3: `takenBack`: say rolled back, undo",
  ]);
  assert.deepEqual(faultsInCode("src/x.ts", "const tolderance = nearby + forehands;"), []);
  assert.deepEqual(faultsInName("src/engine/deed-list.ts"), [
    'src/engine/deed-list.ts: the name "deed-list": say action',
  ]);
});

Deno.test("words of everyday English are forbidden as names only, and some in one folder only", () => {
  assert.deepEqual(faultsInCode("src/x.ts", '// What was told is known.\nsay("it ended");'), []);
  assert.equal(faultsInCode("src/engine/x.ts", "let picture;").length, 1);
  assert.equal(faultsInCode("src/vision/x.ts", "let picture;").length, 0);
});

Deno.test("phrases are found in texts and comments, also over the end of a line; the slogan stays", () => {
  assert.deepEqual(faultsInCode("src/x.ts", "/**\n * It is taken\n * back.\n */"), [
    'src/x.ts:2: "taken back": say rolled back, undo',
  ]);
  assert.equal(faultsInCode("src/x.ts", 'throw new Error("Cannot put it back");').length, 1);
  assert.deepEqual(faultsInCode("src/x.ts", '"every step knows the way back"'), []);
  assert.deepEqual(faultsInCode("src/x.ts", 'line["sealed"]'), [], "a field of the journal");
});

Deno.test("a page wraps at 120, and what stands in its code is not prose", () => {
  const wide = "word ".repeat(30);
  assert.deepEqual(faultsInPage("docs/x.md", `# Title\n\n${wide}\nA deed and \`sealed\`.\n`), [
    'docs/x.md:4: "deed": say action',
    "docs/x.md:3: wrap it at 120",
  ]);
  assert.deepEqual(faultsInPage("docs/x.md", `| ${wide} |\n\`\`\`\n${wide} deed\n\`\`\`\n`), []);
});

Deno.test("wrapping keeps every word, items hang, code stays whole, and no line begins with a mark", () => {
  const item = `- ${"word ".repeat(22)}\`a b c d\` and 1. then - so ${"more ".repeat(10)}end.`;
  const page = `# ${"Title ".repeat(30)}\n\n${item}\n- next\n\n${"a - ".repeat(80)}b\n\n| ${
    "cell ".repeat(40)
  } |\n`;
  const result = wrapped(page);
  assert.deepEqual(result.split(/\s+/), page.split(/\s+/));
  assert.equal(wrapped(result), result);
  assert.match(result, /\n {2}\S/);
  assert.ok(result.includes("`a b c d`"));
  assert.doesNotMatch(result.slice(result.indexOf("- next") + 6), /\n- /);
  assert.deepEqual(faultsInPage("docs/x.md", result), []);
});
