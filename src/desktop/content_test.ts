import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "./build.ts";
import { contentIn, contentOf } from "./content.ts";
import { editor } from "./selector/_fixture.ts";

const browser = { ...editor, name: "Chromium", toolkit: "Chromium", toolkitVersion: "156.0" };
const X = "\ufffc";
const run = (text: string): NodeDescription => ({ role: "static", text });
const block = (text: string, ...children: NodeDescription[]): NodeDescription => ({
  role: "paragraph",
  text,
  children,
});

/** What stands in something that one writes into. */
function content(text: string, ...children: NodeDescription[]): string | undefined {
  return contentIn(buildSnapshot({ role: "entry", text, also: ["editable"], children }, browser), 0);
}

Deno.test("what stands in lines of its own is a line each, wherever it lies", () => {
  assert.equal(content(`${X}${X}`, block("one", run("one")), block("two", run("two"))), "one\ntwo");
  assert.equal(content(`one${X}`, run("one"), block("two")), "one\ntwo");
  assert.equal(content(`${X}two`, block("one"), run("two")), "one\ntwo");
  assert.equal(content(`a${X}b${X}c`, run("a"), block("1"), run("b"), block("2"), run("c")), "a\n1\nb\n2\nc");
  assert.equal(content(X, block(`${X}${X}`, block("one"), block("two"))), "one\ntwo");
});

Deno.test("a line that is empty is one, at the beginning, in the middle and at the end", () => {
  const empty = block("\n", run("\n"));
  assert.equal(content(`${X}${X}${X}`, block("a"), empty, block("b")), "a\n\nb");
  assert.equal(content(`${X}${X}`, empty, block("b")), "\nb");
  assert.equal(content(`a${X}`, run("a"), empty), "a\n");
});

Deno.test("a link stands in its line, and what is no text stays a mark", () => {
  const link: NodeDescription = { role: "link", text: "docs", children: [run("docs")] };
  assert.equal(
    content(`see ${X} now${X}`, run("see "), link, run(" now"), block("end")),
    "see docs now\nend",
  );
  assert.equal(content(`${X}${X}`, block(`the ${X}`, run("the "), link), block("end")), "the docs\nend");
  assert.equal(content(`a${X}b`, run("a"), { role: "image" }, run("b")), `a${X}b`);
  assert.equal(
    content(`${X} todo${X}`, { role: "checkBox", text: "" }, run(" todo"), block("x")),
    `${X} todo\nx`,
  );
});

Deno.test("what a list writes before its items is no part of them", () => {
  const item = (text: string, ...children: NodeDescription[]): NodeDescription => ({
    role: "listItem",
    text,
    children,
  });
  const list = (...items: NodeDescription[]): NodeDescription => ({
    role: "list",
    text: X.repeat(items.length),
    children: items,
  });
  // As Chromium tells it, and as Firefox does.
  assert.equal(
    content(X, list(item("• one", run("• "), run("one")), item("• two", run("• "), run("two")))),
    "one\ntwo",
  );
  assert.equal(content(X, list(item("1. one"), item("12. two"))), "one\ntwo");
  // Somebody wrote that, in a list without marks.
  assert.equal(content(X, list(item("1. one", run("1. one")))), "1. one");
  assert.equal(content(X, list(item("Dr. Who"))), "Dr. Who");
});

Deno.test("nothing is said where nothing is embedded, where the tree lacks it, and of what nobody writes into", () => {
  assert.equal(content("plain", run("plain")), undefined);
  assert.equal(content(`${X}${X}`, block("one")), undefined);
  const paragraphs: NodeDescription = { role: "section", text: X, children: [block("one")] };
  assert.equal(contentIn(buildSnapshot(paragraphs, browser), 0), undefined);
  const editable: NodeDescription = { ...paragraphs, also: ["editable"] };
  assert.equal(contentIn(buildSnapshot(editable, browser), 0), "one");
  assert.equal(contentIn(buildSnapshot(editable, browser, { cut: ["nodes"] }), 0), undefined);
  assert.equal(contentIn(buildSnapshot(editable, editor), 0), undefined);
  assert.deepEqual([contentOf({ text: X, content: "one" }), contentOf({ text: "one" })], ["one", "one"]);
});
