import { deepStrictEqual, equal, throws } from "node:assert/strict";
import { BackstepError, type Json, type Place } from "../../base/error.ts";
import { fill, type Values } from "./fill.ts";
import { parseTemplate, placeholders } from "./template.ts";

const placeAt = (_path: readonly (string | number)[], offset = 0): Place => ({
  file: "t.yaml",
  line: 1,
  column: offset + 1,
});

const values: Values = {
  vars: { name: "Ada", n: 3, on: false, rows: [{ id: 7 }], none: null, tricky: "{{vars.name}}" },
  steps: { save: { value: "ok" } },
  numbered: { 2: { text: "two" } },
  env: (name) => name === "HOME" ? "/home/ada" : undefined,
  secret: (name) => name === "TOKEN" ? "s3cret" : undefined,
};

const filled = (value: Json) => fill(parseTemplate(value, placeAt), values);

for (
  const [written, expected] of [
    ["plain", "plain"],
    ["", ""],
    ["{{vars.n}}", 3],
    ["{{ vars.n }}", 3],
    ["{{vars.on}}", false],
    ["{{vars.none}}", null],
    ["{{vars.rows}}", [{ id: 7 }]],
    ["{{vars.rows.0.id}}", 7],
    ["n={{vars.n}}, {{vars.on}}", "n=3, false"],
    ["{{steps.save.value}}/{{step_2.text}}", "ok/two"],
    ["{{env.HOME}}", "/home/ada"],
    ["{{vars.tricky}}", "{{vars.name}}"],
    ["<{{vars.tricky}}>", "<{{vars.name}}>"],
    ["{{{{vars.n}}", "{{vars.n}}"],
    ["{{{vars.n}}}", "{3}"],
    ["{{{{{{vars.n}}", "{{3"],
    ["a } b }} c {", "a } b }} c {"],
    [{ a: ["{{vars.n}}", 1, null], b: true }, { a: [3, 1, null], b: true }],
  ] satisfies [Json, Json][]
) {
  Deno.test(`${JSON.stringify(written)} is filled in as ${JSON.stringify(expected)}`, () => {
    deepStrictEqual(filled(written), expected);
  });
}

for (
  const [written, message, column, hint] of [
    ["{{vars.name", "malformed placeholder {{vars.name: it has no closing }}", 1, "Close it with }}."],
    ["a {{}}", "malformed placeholder {{}}: it is empty", 3, "Name a value"],
    ["{{vars..x}}", "a name between dots is missing", 1, "Only field access"],
    ["{{vars.a + 1}}", '"a + 1" is not a name', 1, "Only field access"],
    ["{{vars.f()}}", '"f()" is not a name', 1, "Only field access"],
    ["ab {{vars.nme}}", 'Cannot fill in {{vars.nme}}: there is no "nme"', 4, 'Did you mean "name"'],
    ["{{var.name}}", 'there is no "var"', 1, 'Did you mean "vars"?'],
    ["{{steps.sav.value}}", 'there is no "sav"', 1, 'Did you mean "save"?'],
    ["{{steps.save.valeu}}", 'there is no "valeu"', 1, 'Did you mean "value"?'],
    ["{{step_1.text}}", 'there is no "step_1"', 1, 'Did you mean "step_2"?'],
    ["{{vars}}", "it names no value", 1, "{{vars.NAME}}"],
    ["{{env.NOPE}}", "the environment variable NOPE is not set", 1, "Set NOPE"],
    ["{{vars.n.x}}", 'there is no "x" in a number', 1, ""],
    ["{{vars.rows.1}}", 'there is no "1" in a list of 1', 1, "count from 0"],
    ["{{vars.rows.length}}", 'there is no "length" in a list', 1, ""],
    ["{{vars.constructor}}", 'there is no "constructor"', 1, ""],
    ["{{vars.__proto__}}", 'there is no "__proto__"', 1, ""],
    ["x{{vars.rows}}", "it is a list, which cannot stand inside a text", 2, "one of its fields"],
    ["x{{vars.none}}", "it is null", 2, ""],
  ] satisfies [string, string, number, string][]
) {
  Deno.test(`${written} is refused: ${message}`, () => {
    throws(() => filled(written), (error) => {
      if (!(error instanceof BackstepError)) return false;
      equal(error.code, "workflow");
      equal(error.place?.column, column);
      equal(error.message.includes(message), true, error.message);
      equal((error.hint ?? "").includes(hint), true, error.hint);
      return true;
    });
  });
}

Deno.test("a key __proto__ stays an ordinary key", () => {
  const map: Json = JSON.parse('{"__proto__": {"polluted": "{{vars.n}}"}}');
  equal(JSON.stringify(filled(map)), '{"__proto__":{"polluted":3}}');
  equal(Object.hasOwn(Object.prototype, "polluted"), false);
});

Deno.test("outputs inherited from an outer scope are found", () => {
  const steps: Record<string, Json> = {};
  Object.setPrototypeOf(steps, { outer: { value: 1 } });
  const inner: Values = { ...values, steps };
  equal(fill(parseTemplate("{{steps.outer.value}}", placeAt), inner), 1);
});

Deno.test("placeholders are listed in the order they are written", () => {
  const template = parseTemplate(["{{vars.a}} {{vars.b}}", { k: "{{step_1.c}}" }, 4], placeAt);
  deepStrictEqual([...placeholders(template)].map((p) => p.path.join(".")), ["vars.a", "vars.b", "step_1.c"]);
});
