import assert from "node:assert/strict";
import { Deadline } from "../../base/call.ts";
import { buildSnapshot, type NodeDescription } from "../../desktop/build.ts";
import { EMBEDDED } from "../../desktop/content.ts";
import type { Application } from "../../desktop/desktop.ts";
import { editor } from "../../desktop/selector/_fixture.ts";
import { changesBetween, takeTreeSnapshot, type TreeSnapshot } from "./tree-snapshot.ts";

const chromium: Application = { ...editor, name: "Chromium", toolkit: "Chromium", toolkitVersion: "156.0" };
const firefox: Application = { ...editor, name: "Firefox", toolkit: "Gecko", toolkitVersion: "140.0" };

async function changed(
  from: NodeDescription,
  to: NodeDescription,
  application: Application,
): Promise<string[]> {
  const take = (tree: NodeDescription, like?: TreeSnapshot) => {
    const snapshot = () => Promise.resolve(buildSnapshot(tree, application));
    return takeTreeSnapshot({ snapshot }, application, Deadline.after(1_000), like);
  };
  const before = await take(from);
  return changesBetween(before, await take(to, before)).map(({ participant, property }) =>
    `${property} of ${participant}`
  );
}

/** A window of Chromium whose controls were asked for their texts before they had names, or after. */
const window = (early: boolean): NodeDescription => ({
  role: "panel",
  text: early ? EMBEDDED.repeat(2) : `${EMBEDDED}Form${EMBEDDED}`,
  children: [
    { role: "pushButton", name: "Close", text: early ? "" : "Close" },
    { role: "static", name: "Form", text: early ? "" : "Form" },
    { role: "panel", text: "" },
  ],
});

Deno.test("texts of the browser's own controls that came early are no difference", async () => {
  assert.deepEqual(await changed(window(false), window(true), chromium), []);
  assert.notDeepEqual(await changed(window(false), window(true), firefox), []);
});

Deno.test("what a page's text or field shows otherwise is one", async () => {
  const page = (run: string, field: string): NodeDescription => ({
    role: "paragraph",
    text: `${run}${EMBEDDED}`,
    children: [
      { role: "static", name: run, text: run },
      { role: "entry", text: field, also: ["editable"] },
    ],
  });
  assert.deepEqual(await changed(page("Total 3", "a"), page("Total 4", ""), chromium), [
    'name of statictext "Total 4"',
    "text of textfield",
  ]);
});

Deno.test("panels that came to the front are in another order, and are not renamed", async () => {
  const panel = (name: string, text: string): NodeDescription => ({
    role: "panel",
    name,
    path: `/${name}`,
    children: [{ role: "entry", name: "Filter", text, also: ["editable"], path: `/${name}/filter` }],
  });
  const window = (...children: NodeDescription[]): NodeDescription => ({
    role: "frame",
    name: "Main",
    path: "/main",
    children,
  });
  const before = window(panel("Layers", "a"), panel("Blocks", "b"), panel("Library", "c"));
  const raised = window(panel("Blocks", "b"), panel("Library", "c"), panel("Layers", "a"));
  assert.deepEqual(await changed(before, raised, editor), ['order of window "Main"']);
  const written = window(panel("Blocks", "b"), panel("Library", "c"), panel("Layers", "else"));
  assert.deepEqual(await changed(before, written, editor), [
    'order of window "Main"',
    'text of textfield "Filter"',
  ]);
  assert.deepEqual(await changed(before, before, editor), []);
});

Deno.test("items of a list are told by their places, whatever their addresses", async () => {
  const list = (...names: string[]): NodeDescription => ({
    role: "list",
    name: "Rows",
    path: "/rows",
    children: names.map((name) => ({ role: "listItem", name, path: `/${name}` })),
  });
  assert.deepEqual(await changed(list("a", "b"), list("b", "a"), editor), [
    'name of listitem "b"',
    'name of listitem "a"',
  ]);
});
