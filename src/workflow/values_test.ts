import { deepStrictEqual, ok, throws } from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import type { Variable } from "../engine/model/step.ts";
import { resolveVariables } from "./values.ts";

const place = { file: "a.yaml", line: 1, column: 1 };
const workflow = (vars: Record<string, Omit<Variable, "place">>) => ({
  file: "a.yaml",
  vars: Object.fromEntries(Object.entries(vars).map(([name, variable]) => [name, { ...variable, place }])),
});

Deno.test("texts are converted to the declared types", () => {
  const declared = workflow({
    s: { type: "string" },
    n: { type: "number" },
    b: { type: "boolean" },
    l: { type: "list" },
    m: { type: "map" },
  });
  deepStrictEqual(
    resolveVariables(declared, { vars: { s: "7", n: "-1.5e2", b: "false", l: "[1]", m: '{"a":1}' } }),
    { s: "7", n: -150, b: false, l: [1], m: { a: 1 } },
  );
});

Deno.test("--var goes before the file, and the file before the default", () => {
  const declared = workflow({
    a: { type: "number", default: 1 },
    b: { type: "number", default: 1 },
    c: { type: "number", default: 1 },
  });
  deepStrictEqual(resolveVariables(declared, { vars: { a: "3" }, file: { a: 2, b: 2 } }), {
    a: 3,
    b: 2,
    c: 1,
  });
});

for (
  const [name, given, message, hint] of [
    ["an unknown name", { vars: { titel: "x" } }, 'a.yaml has no variable "titel"', 'Did you mean "title"?'],
    [
      "a text that is no number",
      { vars: { n: "0x1f" } },
      'the variable "n" is a number, and "0x1f" is none',
      "such as 3",
    ],
    ["an empty text for a number", { vars: { n: "" } }, 'the variable "n" is a number', "such as 3"],
    ["a word that is no boolean", { vars: { b: "yes" } }, 'the variable "b" is a boolean', "true or false"],
    ["a list that is no JSON", { vars: { l: "a,b" } }, 'the variable "l" is a list', "JSON"],
    ["a map for a list", { vars: { l: "{}" } }, 'the variable "l" is a list', "JSON"],
    [
      "a value of another type in the file",
      { file: { title: 7 } },
      'the variable "title" is a string',
      "in quotes",
    ],
    [
      "a name of Object.prototype",
      { vars: { constructor: "x" } },
      'no variable "constructor"',
      "It declares",
    ],
  ] as const
) {
  Deno.test(`${name} is refused: ${message}`, () => {
    const declared = workflow({
      title: { type: "string", default: "a" },
      n: { type: "number", default: 1 },
      b: { type: "boolean", default: true },
      l: { type: "list", default: [] },
    });
    throws(() => resolveVariables(declared, given), (error) => {
      ok(error instanceof BackstepError && error.code === "usage");
      ok(error.message.includes(message), error.message);
      ok((error.hint ?? "").includes(hint), error.hint);
      return true;
    });
  });
}

Deno.test("all required variables that are missing are listed", () => {
  throws(() => resolveVariables(workflow({ a: { type: "string" }, b: { type: "number" } })), {
    code: "usage",
    message: 'Cannot run a.yaml: the variables "a", "b" have no value',
    hint: "Give them one: --var a=… --var b=…",
  });
});
