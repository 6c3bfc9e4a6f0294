// CONTRIBUTING.md, "What adding one touches": counted where files can tell.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname ?? ".", "..");

/** Every file of src that is no test, with the files of src that it imports. */
const imports: ReadonlyMap<string, readonly string[]> = new Map(
  readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith("_test.ts") && !basename(file).startsWith("_"))
    .map((file) => {
      const text = readFileSync(join(root, "src", file), "utf8");
      const found = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)];
      return [file, found.map(([, to = ""]) => relative(root, resolve(root, dirname(file), to)))];
    }),
);

function importersOf(file: string): string[] {
  return [...imports].filter(([, to]) => to.includes(file)).map(([from]) => from);
}

function filesIn(folder: string): string[] {
  return [...imports.keys()].filter((file) => dirname(file) === folder);
}

Deno.test("a rule of the audit is its file and a line in the list of rules", () => {
  const list = "checks/audit/rules/mod.ts";
  const rules = (imports.get(list) ?? []).filter((file) => dirname(file) === dirname(list));
  assert.ok(rules.length > 40);
  for (const rule of rules) assert.deepEqual(importersOf(rule), [list], rule);
});

Deno.test("a reporter is its file and a line in the list of reporters", () => {
  const list = "report/tests/reporters.ts";
  const reporters = ["blob", "dot", "github", "json", "junit", "line", "list"].map((name) =>
    `report/tests/${name}.ts`
  );
  for (const reporter of reporters) {
    assert.ok(filesIn("report/tests").includes(reporter), reporter);
    assert.ok(importersOf(reporter).includes(list), reporter);
  }
});

Deno.test("a participant is its file, a line in revive.ts and the operations that protect it", () => {
  for (const name of ["clipboard", "expansion", "number", "process", "scroll", "text-selection", "toggle"]) {
    const importers = importersOf(`participants/${name}.ts`);
    assert.ok(importers.includes("participants/revive.ts"), name);
    assert.deepEqual(importers.filter((one) => !/^(?:participants|operations)\//.test(one)), [], name);
  }
});

Deno.test("the engine knows no participant of an element by name", () => {
  const shared = new Set(["element", "files", "revive"].map((name) => `participants/${name}.ts`));
  const named = filesIn("participants").filter((file) => !shared.has(file)).flatMap((file) =>
    importersOf(file).filter((from) => from.startsWith("engine/")).map((from) => `${from}: ${file}`)
  );
  assert.deepEqual(named, []);
});
