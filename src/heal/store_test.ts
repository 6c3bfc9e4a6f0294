import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Entry, EvidenceStore } from "./store.ts";

function entry(path: string, selector: string, name = "Save"): Entry {
  return {
    path,
    selector,
    at: "2026-11-24T00:00:00Z",
    element: {
      role: "button",
      name,
      id: "",
      description: "",
      labelled: false,
      labels: [],
      placeholders: [],
      content: [],
      ancestors: [],
      neighbours: ["", ""],
      index: 0,
      others: [],
    },
  };
}

Deno.test("evidence is kept by file, step and locator; a later run replaces its own, and nobody else reads it", () => {
  const state = mkdtempSync(join(tmpdir(), "bs-heal-"));
  try {
    const file = join(state, "a.yaml");
    writeFileSync(file, "steps: []\n");
    const store = new EvidenceStore(state);
    assert.deepEqual(store.read(file), []);
    store.keep(file, [entry("1", "button"), entry("2", "link")]);
    store.keep(file, [entry("1", "button", "Send")]);
    assert.equal(store.find(file, "1", "button")?.element.name, "Send");
    assert.equal(
      store.find(file, "2", "link")?.element.name,
      "Save",
      "a step that did not run keeps its own",
    );
    assert.equal(store.find(file, "1", "link")?.path, "2", "a step was put before it");
    assert.equal(store.find(file, "1", "checkbox"), undefined, "the locator was changed");
    store.keep(file, [entry("3", "link", "Other")]);
    assert.equal(store.find(file, "1", "link"), undefined, "two have it: nobody can tell which is meant");
    assert.equal(store.find(file, "3", "link")?.element.name, "Other");
    assert.deepEqual(store.read(join(state, "b.yaml")), []);

    const folder = join(state, "heal", "evidence");
    const [name = ""] = readdirSync(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    writeFileSync(join(folder, name), '{"version":1,"entr');
    assert.deepEqual(new EvidenceStore(state).read(file), [], "cut off: as good as none");
    store.keep(file, Array.from({ length: 400 }, (_, k) => entry(String(k), "button")));
    assert.equal(store.read(file).length, 300);
    const others = Array.from({ length: 300 }, (_, k) => `${"x".repeat(80)} ${k}`);
    const large = (k: number) => ({
      ...entry(String(k), "button"),
      element: { ...entry("", "").element, others },
    });
    store.keep(file, Array.from({ length: 300 }, (_, k) => large(k)));
    assert.ok(statSync(join(folder, name)).size < 4_100_000);
    assert.ok(store.read(file).length >= 75, `${store.read(file).length}`);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});
