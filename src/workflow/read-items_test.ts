import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { itemFields } from "./item-fields.ts";
import { parseWorkflow } from "./parse.ts";
import { itemsIn, readItems } from "./read-items.ts";

const fields = (text: string, file: string) => itemsIn(text, file).map((one) => one.fields);

Deno.test("work items of a CSV file are texts, an empty cell too; of JSON and YAML they keep their types", () => {
  const csv = 'customer,count,note\r\n"Ada, Countess",3,\r\nGrace,007,"a\nb"\r\n';
  assert.deepEqual(fields(csv, "a.csv"), [
    { customer: "Ada, Countess", count: "3", note: "" },
    { customer: "Grace", count: "007", note: "a\nb" },
  ]);
  const list = [{ customer: "Ada", count: 3 }, { customer: "Grace", tags: ["a"] }];
  assert.deepEqual(fields(JSON.stringify(list), "a.json"), list);
  assert.deepEqual(fields("- { customer: Ada, count: 3 }\n", "a.yaml"), [{ customer: "Ada", count: 3 }]);
  assert.deepEqual(itemsIn(csv, "a.csv").map(({ line }) => line), [2, 4]);
});

Deno.test("files of work items that cannot be used are refused at their places", () => {
  const refused = (text: string, file: string, place: string, message: RegExp) =>
    assert.throws(
      () => itemsIn(text, file),
      (thrown: Error & { place?: { line: number }; code?: string }) => {
        assert.equal(thrown.code, "workflow");
        assert.match(thrown.message, message);
        assert.equal(`${file}:${thrown.place?.line}`, place);
        return true;
      },
    );
  refused("a,b\n1\n", "a.csv", "a.csv:2", /no CSV/);
  refused("a,a\n1,2\n", "a.csv", "a.csv:1", /two columns are called "a"/);
  refused("a,\n1,2\n", "a.csv", "a.csv:2", /has no name/);
  refused("a,b\n", "a.csv", "a.csv:1", /no work item/);
  refused('{"a": 1}', "a.json", "a.json:1", /a file of work items is a list/);
  refused("- 1\n", "a.yaml", "a.yaml:1", /a work item takes a map/);
});

Deno.test("a file of many work items is read, and one that is too large or is none is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "bsi-"));
  try {
    const file = join(folder, "many.csv");
    writeFileSync(
      file,
      `n,text\n${Array.from({ length: 60_000 }, (_, n) => `${n},${"x".repeat(30)}`).join("\n")}`,
    );
    assert.equal(readItems(file).length, 60_000, "larger than a workflow file may be");
    assert.throws(() => readItems(join(folder, "none.csv")), { code: "usage" });
    assert.throws(() => readItems(join(folder, "many.txt")), { code: "usage", message: /no \.csv/ });
    assert.throws(() => readItems(folder + "/x.csv/"), { code: "usage" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("the fields that a workflow names are found wherever its placeholders stand", () => {
  const inner = "name: inner\nsteps: [ { reject: '{{item.inner}}' } ]\n";
  const workflow = parseWorkflow(
    `name: w
vars: { item: x }
before: [ { run: inner.yaml } ]
steps:
  - for_each: { in: '{{item.rows}}', as: row, steps: [ { reject: '{{vars.item}} {{item.a.b}}' } ] }
  - if: { equals: ['{{item.c}}', 1] }
    then: [ { reject: no } ]
`,
    { file: "w.yaml", operations: [], load: (file) => ({ file, key: file, folder: ".", bytes: inner }) },
  );
  assert.deepEqual([...itemFields(workflow).keys()].sort(), ["a", "c", "inner", "rows"]);
  assert.equal(itemFields(workflow).get("rows")?.line, 5);
});
