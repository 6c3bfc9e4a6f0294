import { BackstepError, type Json, type Place } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { asList, asMap, isMap, toJson } from "../../base/json.ts";
import type { Operation } from "../../contract/operation.ts";
import { Faults } from "../../workflow/diagnostics.ts";
import type { ActionStep, Asserted, FileInput, RecordedStep, Recording } from "./model.ts";
import { code, comment, property, quoted } from "./code.ts";
import { expression } from "./expression.ts";
import { KEYS } from "./settings.ts";
import { isBarrier, SURE } from "./write-yaml.ts";

/** What a program cannot say of all its steps. */
const UNSAID: readonly string[] = ["onInterference"];

/**
 * The steps as a program: `import { workflow } from "backstep"`. What a program cannot say is refused: `workflow`, with each
 * step, key and place, up to 20.
 */
export function writeProgram(
  recording: Recording,
  { file, operations }: { readonly file: string; readonly operations: Iterable<Operation> },
): string {
  const faults = new Faults();
  const writer = new Writer(recording, new Map([...operations].map((one) => [one.name, one])), faults, file);
  const { settings, places = {} } = recording;
  const entries: string[] = [];
  for (const [name, key] of KEYS) {
    const value = name === "secrets" && settings.secretSources !== undefined
      ? sourcesOf(recording)
      : settings[name];
    if (value === undefined) continue;
    if (UNSAID.includes(name) || value === "continue") writer.refuse(`\`${key}:\``, places[key]);
    else entries.push(`${name}: ${literal(toJson(value))},`);
  }
  const vars = Object.entries(recording.vars).map(([name, { default: value }]) => {
    if (value !== undefined && value !== null) return `    ${property(name)}: ${literal(value)},`;
    writer.refuse(`the variable ${name} without a default`, places["vars"]);
    return "";
  });
  if (vars.length > 0) entries.push(["vars: {", ...vars, "  },"].join("\n"));
  for (const part of ["before", "after"] as const) {
    if (recording[part].length === 0) continue;
    entries.push([`${part}: async (t) => {`, ...writer.steps(recording[part], 2, part), "  },"].join("\n"));
  }
  const steps = writer.steps(recording.steps, 1, "");
  faults.throwIfAny(file);
  const name = quoted(recording.name);
  const used = steps.length > 0 ? "t" : "_t";
  return [
    'import { workflow } from "backstep";',
    "",
    entries.length === 0 ? `export default workflow(${name}, async (${used}) => {` : [
      `export default workflow(${name}, {`,
      ...entries.map((entry) => `  ${entry}`),
      `}, async (${used}) => {`,
    ]
      .join("\n"),
    ...steps,
    "});",
    "",
  ].join("\n");
}

function literal(value: Json): string {
  return code(value, (text) => quoted(text));
}

function sourcesOf({ settings: { secrets = [], secretSources = {} } }: Recording): Json {
  return toJson(Object.fromEntries(secrets.map((name) => [name, secretSources[name] ?? { env: name }])));
}

class Writer {
  readonly #recording: Recording;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #faults: Faults;
  readonly #file: string;

  constructor(
    recording: Recording,
    operations: ReadonlyMap<string, Operation>,
    faults: Faults,
    file: string,
  ) {
    this.#recording = recording;
    this.#operations = operations;
    this.#faults = faults;
    this.#file = file;
  }

  refuse(what: string, place: Place | undefined, why = "a program cannot say that"): void {
    const hint = "Take it out of the file, or keep the file as YAML.";
    this.#faults.add(place ?? { file: this.#file, line: 1, column: 1 }, `${what}: ${why}`, hint);
  }

  steps(steps: readonly RecordedStep[], depth: number, prefix: string, on = "t"): string[] {
    const margin = "  ".repeat(depth);
    return steps.flatMap((step, index) => {
      const path = `${prefix}${prefix === "" ? "" : "."}${index + 1}`;
      return [
        ...notesOf(step).map((line) => `${margin}${comment(line)}`),
        ...this.#step(step, path, depth, on),
      ];
    });
  }

  #step(step: RecordedStep, path: string, depth: number, on: string): string[] {
    const margin = "  ".repeat(depth);
    if (step.kind !== "action") {
      if (on !== "t") this.refuse(`step ${path} is \`${step.kind}:\` in an \`undo:\``, step.place);
      if (step.kind !== "transaction") {
        const method = step.kind === "savepoint" ? "savepoint" : "rollbackTo";
        return [`${margin}await t.${method}(${quoted(step.savepoint)});`];
      }
      if (step.optional === true) this.refuse(`step ${path} has \`optional:\``, step.place);
      const retry = step.retry === undefined ? "" : `, { retry: ${step.retry} }`;
      return [
        // The engine calls one without a name so, too.
        `${margin}await t.transaction(${quoted(step.name ?? "transaction")}, async () => {`,
        ...this.steps(step.steps, depth + 1, path),
        `${margin}}${retry});`,
      ];
    }
    for (const key of ["id", "tool", "changes"] as const) {
      if (step[key] !== undefined) this.refuse(`step ${path} has \`${key}:\``, step.place);
    }
    if (on !== "t") this.#requireUnbound(step, path);
    try {
      const options = this.#options(step, path, depth);
      const call = (on === "t" ? this.#expectation(step, options) : undefined) ?? this.#call(step, options);
      return [`${margin}await ${on}.${call};`];
    } catch (thrown) {
      if (!(thrown instanceof BackstepError)) throw thrown;
      this.refuse(`step ${path}`, step.place, thrown.message);
      return [];
    }
  }

  /** The steps of an `undo:` are those of one application. */
  #requireUnbound({ input, place }: ActionStep, path: string): void {
    if (input["app"] === undefined) return;
    this.refuse(`step ${path} names an application in an \`undo:\``, place);
  }

  #call({ operation, input }: ActionStep, options: string | undefined): string {
    const { properties, required } = this.#schema(operation);
    const element = "target" in properties ? "target" : "into";
    const { [element]: selector, ...others } = input;
    const method = operation.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const found = typeof selector === "string" && element in properties;
    const rest = this.#given(found ? others : input, required.filter((name) => !found || name !== element));
    const given = rest ?? (options === undefined ? "" : "undefined");
    const tail = options === undefined ? given : `${given}, ${options}`;
    return `${found ? `locator(${this.#code(selector)}).` : ""}${method}(${tail})`;
  }

  /** `expect(locator(…)).toHaveText(…)`, of an assertion of one property; undefined: it is another step. */
  #expectation({ operation, input, ...step }: ActionStep, options: string | undefined): string | undefined {
    if (this.#operations.get(operation)?.traits.condition !== true) return undefined;
    const { target, timeout, ...expected } = input;
    const [only, ...others] = Object.entries(expected);
    const plain = options === undefined || options === "{ soft: true }";
    if (typeof target !== "string" || only === undefined || others.length > 0 || !plain) return undefined;
    const [name, value] = only;
    if (name === "file" || typeof timeout === "string") return undefined;
    const flag = asMap(this.#schema(operation).properties[name])["type"] === "boolean";
    const word = name === "exists" ? "toExist" : name === "contains_text" ? "toContainText" : undefined;
    const method = word ?? `${flag ? "toBe" : "toHave"}${name[0]?.toUpperCase()}${name.slice(1)}`;
    const more = defined({ timeout, soft: step.soft });
    const rest = Object.keys(more).length === 0 ? [] : [this.#code(toJson(more))];
    const usual = value === true && rest.length === 0;
    const given = [...(usual ? [] : [this.#code(value)]), ...rest];
    return `expect(t.locator(${this.#code(target)})).${method}(${given.join(", ")})`;
  }

  #schema(
    operation: string,
  ): { readonly properties: { readonly [name: string]: Json }; readonly required: string[] } {
    const schema = this.#operations.get(operation)?.inputSchema.toJSONSchema({
      io: "input",
      unrepresentable: "any",
    });
    const { properties, required } = asMap(toJson(schema));
    return { properties: asMap(properties), required: asList(required).map(String) };
  }

  /** All of an input, or for short the only thing that it needs; undefined: it says nothing. */
  #given(input: FileInput, required: readonly string[]): string | undefined {
    const [only, ...others] = Object.entries(input);
    if (only === undefined) return undefined;
    const isShort = others.length === 0 && required.length === 1 && only[0] === required[0] &&
      !isMap(only[1]);
    return isShort ? this.#code(only[1]) : this.#code(input);
  }

  #options(step: ActionStep, path: string, depth: number): string | undefined {
    const { name, timeout, retry, optional, irreversible, soft, undo, doneWhen } = step;
    const entries = Object.entries(defined({ timeout, retry, optional, irreversible, soft }))
      .map(([key, value]) => `${key}: ${value}`);
    if (name !== undefined) entries.unshift(`name: ${quoted(name)}`);
    if (doneWhen !== undefined) {
      entries.push(`doneWhen: ${this.#condition(doneWhen, `${path} \`done_when:\``)}`);
    }
    if (undo?.guard !== undefined) {
      entries.push(`guard: ${this.#condition(undo.guard, `${path} \`guard:\``)}`);
    }
    if (undo !== undefined) {
      const margin = "  ".repeat(depth);
      const steps = this.steps(undo.steps, depth + 1, `${path}.undo`, "app");
      entries.push([`undo: async (app) => {`, ...steps, `${margin}}`].join("\n"));
    }
    return entries.length === 0 ? undefined : `{ ${entries.join(", ")} }`;
  }

  #condition({ input, negate }: Asserted, what: string): string {
    if (negate) throw new BackstepError("invalid", `a program cannot negate ${what}`);
    return this.#code(input);
  }

  #code(value: Json): string {
    return code(value, (text) => expression(text, this.#recording));
  }
}

function notesOf(step: RecordedStep): string[] {
  const lines = step.comment === undefined ? [] : step.comment.split(/\r?\n/);
  if (step.confidence !== undefined && step.confidence < SURE) {
    lines.push(`Not sure (${Math.round(100 * step.confidence)} %) that this is what was meant.`);
    lines.push(...(step.alternatives ?? []).map((one) => `It may be: ${one}`));
  }
  if (isBarrier(step)) {
    lines.push("This cannot be undone. If the application can undo it, say how with `undo`.");
  }
  return lines;
}
