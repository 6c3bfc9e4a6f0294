import { nestsDeeper } from "../base/json.ts";
import { BackstepError, type Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { typeOf } from "../engine/model/bind.ts";
import type { Variable, Workflow } from "../engine/model/step.ts";

import { didYouMean, shown } from "./suggest.ts";

export { typeOf };

/** What a run is given for its variables. */
export interface Given {
  /** From `--var name=value`: texts, converted to the declared types. */
  readonly vars?: Readonly<Record<string, string>>;
  /** From `--vars-file`, or from a program: values that have their types already. */
  readonly file?: { readonly [key: string]: Json };
}

/**
 * The values of a workflow's variables: `--var` before `--vars-file` before defaults. A text given for a number, a
 * boolean, a list or a map is converted (lists and maps are written as JSON).
 *
 * @throws {BackstepError} `usage` for an unknown name, a value that does not fit, and for required variables that are
 * missing: all of them are listed.
 *
 * @example
 * ```ts
 * import { resolveVariables } from "./values.ts";
 * const place = { file: "a.yaml", line: 1, column: 1 };
 * const declared = { n: { type: "number", default: 1, place } } as const;
 * if (resolveVariables({ file: "a.yaml", vars: declared }, { vars: { n: "3" } })["n"] !== 3) throw new Error();
 * ```
 */
export function resolveVariables(
  workflow: Pick<Workflow, "file" | "vars">,
  given: Given = {},
): { [name: string]: Json } {
  const problems: { name: string; message: string; hint?: string }[] = [];
  const note = (name: string, message: string, hint?: string) =>
    problems.push({ name, message, ...defined({ hint }) });
  const texts = given.vars ?? {};
  const values = given.file ?? {};
  for (const name of new Set([...Object.keys(texts), ...Object.keys(values)])) {
    if (Object.hasOwn(workflow.vars, name)) continue;
    const existing = Object.keys(workflow.vars);
    note(
      name,
      `${workflow.file} has no variable ${shown(name)}`,
      didYouMean(name, existing, "It declares") ?? "It declares no variables.",
    );
  }
  const resolved: [string, Json][] = [];
  for (const [name, variable] of Object.entries(workflow.vars)) {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    const value = text !== undefined
      ? convert(text, variable.type)
      : Object.hasOwn(values, name)
      ? values[name]
      : variable.default;
    const from = text !== undefined ? shown(text) : value === undefined ? "" : shown(JSON.stringify(value));
    if (text === undefined && value === undefined) {
      note(name, `the variable "${name}" has no value`, `Give it one: --var ${name}=…`);
    } else if (value === undefined || typeOf(value) !== variable.type) {
      note(name, `the variable "${name}" is a ${variable.type}, and ${from} is none`, HOW[variable.type]);
    } else {
      resolved.push([name, value]);
    }
  }
  const [first] = problems;
  if (first) {
    const missing = problems.filter((p) => p.message.endsWith("has no value")).map((p) => p.name);
    const why = missing.length > 1 && missing.length === problems.length
      ? `the variables ${missing.map((n) => `"${n}"`).join(", ")} have no value`
      : problems.map((p) => p.message).slice(0, 5).join("; ");
    const hint = missing.length > 1 && missing.length === problems.length
      ? `Give them one: ${missing.map((n) => `--var ${n}=…`).join(" ")}`
      : first.hint;
    throw new BackstepError("usage", `Cannot run ${workflow.file}: ${why}`, {
      ...defined({ hint }),
      details: { variables: problems.slice(0, 20).map((p) => ({ ...p })) },
    });
  }
  return Object.fromEntries(resolved);
}

const HOW: Readonly<Record<Variable["type"], string>> = {
  string: "Write a text, in quotes.",
  number: "Write a number such as 3 or 0.5.",
  boolean: "Write true or false.",
  list: 'Write JSON such as ["a", "b"].',
  map: 'Write JSON such as {"a": 1}.',
};

/** A text as a value of a type; undefined: it is none. Lists and maps are written as JSON. */
export function convert(text: string, type: Variable["type"]): Json | undefined {
  switch (type) {
    case "string":
      return text;
    case "number": {
      const number = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text.trim()) ? Number(text) : NaN;
      return Number.isFinite(number) ? number : undefined;
    }
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    default:
      return parseJson(text);
  }
}

function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return nestsDeeper(value) ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
