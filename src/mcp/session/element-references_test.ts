import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import { ELEMENT_REFERENCE, type ReferencedElement } from "../../contract/elements.ts";
import type { Fingerprint } from "../../desktop/desktop.ts";
import { ElementReferences } from "./element-references.ts";

function existing(path: string, fingerprint: Partial<Fingerprint> = {}): ReferencedElement {
  return {
    application: { bus: ":1.5", name: "editor", pid: 7, toolkit: "gtk", toolkitVersion: "4" },
    element: {
      bus: ":1.5",
      path,
      generation: 1,
      fingerprint: { role: 43, name: "Save", id: "", ...fingerprint },
    },
  };
}

Deno.test("the same element keeps its reference, which looks like one", () => {
  const references = new ElementReferences();
  const first = references.keep(existing("/1"));
  assert.match(first, ELEMENT_REFERENCE);
  assert.equal(references.keep(existing("/1")), first);
  assert.notEqual(references.keep(existing("/2")), first);
  assert.equal(references.get(first).element.path, "/1");
});

Deno.test("what takes over an address gets a reference of its own, and the old one keeps what it stood for", () => {
  const references = new ElementReferences();
  const item = (content: string) => ({ item: { path: "/1", content } });
  const first = references.keep(existing("/1", item("Anna")));
  const second = references.keep(existing("/1", item("Berta")));
  assert.notEqual(second, first);
  assert.deepEqual(references.get(first).element.fingerprint.item?.content, "Anna");
  assert.notEqual(references.keep(existing("/1", { name: "Load" })), second);
});

Deno.test("a control that renames itself with its value keeps its reference", () => {
  const references = new ElementReferences();
  const combo = (name: string) => existing("/3", { role: 11, name });
  assert.equal(references.keep(combo("Sans")), references.keep(combo("Serif")));
});

Deno.test("what was used the longest ago is forgotten first, and what nobody was told is not known", () => {
  const references = new ElementReferences(3);
  const [one = "", two = ""] = ["/1", "/2", "/3"].map((path) => references.keep(existing(path)));
  references.get(one);
  references.keep(existing("/4"));
  assert.equal(references.size, 3);
  assert.equal(references.get(one).element.path, "/1");
  for (const reference of [two, "el-000000"]) {
    assert.throws(
      () => references.get(reference),
      (thrown) => thrown instanceof BackstepError && thrown.code === "not_found",
    );
  }
  assert.notEqual(references.keep(existing("/2")), two);
});
