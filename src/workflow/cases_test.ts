import assert from "node:assert/strict";
import { BackstepError, type Json } from "../base/error.ts";
import { isList, isMap } from "../base/json.ts";
import { parseWorkflow } from "./parse.ts";

const VARS =
  "vars: { customer: Nobody, count: { type: number, default: 1 }, tags: { type: list, default: [] } }\n";

function read(cases: string, files: Readonly<Record<string, string>> = {}) {
  return parseWorkflow(`name: Order\n${VARS}${cases}steps: []\n`, {
    file: "w.yaml",
    operations: [],
    load(reference) {
      const bytes = files[reference];
      if (bytes === undefined) {
        throw new BackstepError("workflow", `Cannot read ${reference}: there is no such file`);
      }
      return { file: reference, key: reference, folder: ".", bytes };
    },
  }).cases;
}

/** "file:line: message" of each fault. */
function faults(cases: string, files: Readonly<Record<string, string>> = {}): string[] {
  try {
    read(cases, files);
  } catch (thrown) {
    assert.ok(thrown instanceof BackstepError && thrown.code === "workflow");
    const found: Json = thrown.toJSON().details?.["faults"] ?? [];
    return (isList(found) ? found : []).map((one) => {
      const place = isMap(one) && isMap(one["place"]) ? one["place"] : {};
      return `${place["file"]}:${place["line"]}: ${isMap(one) ? one["message"] : ""}`;
    });
  }
  throw new Error("nothing is wrong with them");
}

Deno.test("cases are maps of values; each has a name, given or made from its values, and no two the same", () => {
  const cases = read(`cases:
  - { customer: Ada, count: 3 }
  - { case: a long list, tags: [a, b] }
  - { customer: Ada, count: 3 }
  - {}
`);
  assert.deepEqual(cases, [
    { name: "Ada, 3", values: { customer: "Ada", count: 3 } },
    { name: "a long list", values: { tags: ["a", "b"] } },
    { name: "Ada, 3 (2)", values: { customer: "Ada", count: 3 } },
    { name: "no values", values: {} },
  ]);
  assert.equal(read(""), undefined);
});

Deno.test("a CSV file: the first line names the variables, texts become their types, and an empty cell says nothing", () => {
  const csv = '\uFEFFcase,customer,count,tags\nfirst,"Lovelace, Ada",3,"[""x""]"\n\n,"two\nlines",,\n';
  assert.deepEqual(read("cases: orders.csv\n", { "orders.csv": csv }), [
    { name: "first", values: { customer: "Lovelace, Ada", count: 3, tags: ["x"] } },
    { name: "two lines", values: { customer: "two\nlines" } },
  ]);
});

Deno.test("JSON and YAML files hold the same list", () => {
  const expected = [{ name: "7", values: { count: 7 } }];
  assert.deepEqual(read("cases: a.json\n", { "a.json": '[{ "count": 7 }]' }), expected);
  assert.deepEqual(read("cases: a.yaml\n", { "a.yaml": "- count: 7\n" }), expected);
});

Deno.test("what is wrong with a case is said at its place, in its own file", () => {
  assert.deepEqual(faults("cases:\n  - { custmer: Ada }\n  - { count: many }\n"), [
    'w.yaml:4: a case has a value for "custmer", which is no variable',
    'w.yaml:5: the variable "count" is a number, and "many" is none',
  ]);
  assert.match(faults("cases:\n  - 3\n")[0] ?? "", /^w\.yaml:4: a case takes a map, not /);
  assert.deepEqual(faults("cases: o.csv\n", { "o.csv": "customer,count\nAda,3\nBo,many\n" }), [
    'o.csv:3: the variable "count" is a number, and "many" is none',
  ]);
  assert.match(
    faults("cases: o.csv\n", { "o.csv": "customer,count\nAda\n" })[0] ?? "",
    /^o\.csv:2: the file is no CSV: /,
  );
  assert.match(faults("cases: o.txt\n", { "o.txt": "x" })[0] ?? "", /o\.txt.* is no file of cases/);
  assert.match(faults("cases: gone.csv\n")[0] ?? "", /^w\.yaml:3: .*no such file/);
  assert.match(faults("cases: []\n")[0] ?? "", /there is no case/);
  assert.match(faults("cases: o.csv\n", { "o.csv": "customer\n" })[0] ?? "", /there is no case/);
});
