import type { Place } from "../base/error.ts";
import { placeholders, ROOTS, stepNumber } from "../engine/model/template.ts";
import type { Placeholder, Template, Variable } from "../engine/model/step.ts";
import type { Faults } from "./diagnostics.ts";
import { didYouMean } from "./suggest.ts";

/** What is known of a variable before the run. */
export type VariableType = Variable["type"] | "any";

/** What placeholders can name at one point of a file. Inner scopes see what the outer ones hold, not the reverse. */
export class Names {
  /** How many top-level steps are done here: `{{step_N}}` may name these. */
  done = 0;
  readonly #vars = new Map<string, VariableType>();
  readonly #ids = new Set<string>();
  readonly #savepoints = new Set<string>();
  readonly #outer: Names | undefined;
  readonly #file: FileNames;

  private constructor(file: FileNames, outer: Names | undefined) {
    this.#file = file;
    this.#outer = outer;
    this.done = outer?.done ?? 0;
  }

  /** The outermost scope of a file. */
  static of(vars: Readonly<Record<string, Variable>>, secrets: readonly string[]): Names {
    const names = new Names({ ids: new Map(), secrets: new Set(secrets) }, undefined);
    for (const [name, variable] of Object.entries(vars)) names.#vars.set(name, variable.type);
    return names;
  }

  /** A scope whose ids end with it: a branch or a loop may not run at all. */
  inner(variable?: string): Names {
    const inner = new Names(this.#file, this);
    if (variable !== undefined) inner.#vars.set(variable, "any");
    return inner;
  }

  /** Takes an id for a step; a fault when the file has it already. Visible only after `show`. */
  claim(id: string, place: Place, faults: Faults): void {
    const first = this.#file.ids.get(id);
    if (first) {
      faults.add(place, `the id "${id}" is taken`, `Line ${first.line} has it; ids are unique in a file.`);
    } else this.#file.ids.set(id, place);
  }

  /** From here on, placeholders may name the step. */
  show(id: string): void {
    this.#ids.add(id);
  }

  /** From here on, a `rollback_to:` may name it. */
  mark(savepoint: string): void {
    this.#savepoints.add(savepoint);
  }

  /** The savepoints that have been passed here. */
  savepoints(): string[] {
    return [...this.#savepoints, ...(this.#outer ? this.#outer.savepoints() : [])];
  }

  hasVariable(name: string): boolean {
    return this.#type(name) !== undefined;
  }

  /** Every placeholder that names nothing becomes a fault. */
  check(template: Template, faults: Faults): void {
    for (const placeholder of placeholders(template)) this.#checkOne(placeholder, faults);
  }

  #checkOne({ path, source, place }: Placeholder, faults: Faults): void {
    const [root = "", name] = path;
    const fault = (why: string, hint?: string) =>
      faults.add(place, `unknown placeholder ${source}: ${why}`, hint);
    const number = stepNumber(root);
    if (number !== undefined) {
      if (number <= this.done) return;
      fault(
        `step ${number} has not run here`,
        this.done === 0
          ? "Steps are counted from 1 at the top level; none is done yet."
          : `Steps are counted from 1 at the top level; {{step_${this.done}…}} is the last one that is done.`,
      );
    } else if (!ROOTS.includes(root)) {
      const bare = this.hasVariable(root) ? `Write {{vars.${path.join(".")}}}.` : undefined;
      fault(`there is no "${root}"`, bare ?? didYouMean(root, [...ROOTS, "step_1"]));
    } else if (name === undefined) {
      fault("it names no value", `Write {{${root}.NAME}}.`);
    } else if (root === "item") {
      // Which fields an item has is known when it is loaded.
      return;
    } else if (root === "vars") {
      this.#checkVariable(name, path.length > 2, fault);
    } else if (root === "steps") {
      if (this.#visible().includes(name)) return;
      fault(
        `no earlier step has the id "${name}"`,
        this.#file.ids.has(name)
          ? `The step "${name}" is not over here, or stands in a branch or loop that may not run.`
          : didYouMean(name, this.#visible(), "Earlier ids") ?? "Give an earlier step an `id:`.",
      );
    } else if (root === "secrets") {
      if (!this.#file.secrets.has(name)) {
        fault(
          `the secret "${name}" is not declared`,
          didYouMean(name, this.#file.secrets, "Declared") ?? `Add \`secrets: [${name}]\`.`,
        );
      } else if (path.length > 2) fault("a secret is a text and has no fields");
    } else if (this.#file.secrets.has(name)) {
      fault(`"${name}" is a secret`, `Write {{secrets.${name}}}, so that it is never shown.`);
    } else if (path.length > 2) {
      fault("an environment variable is a text and has no fields");
    }
  }

  #checkVariable(name: string, fields: boolean, fault: (why: string, hint?: string) => void): void {
    const type = this.#type(name);
    if (type === undefined) {
      fault(
        `the variable "${name}" is not declared`,
        didYouMean(name, this.#variables(), "Declared") ?? `Declare it: \`vars: { ${name}: … }\`.`,
      );
    } else if (fields && type !== "any" && type !== "map" && type !== "list") {
      fault(`the variable "${name}" is a ${type} and has no fields`);
    }
  }

  #type(name: string): VariableType | undefined {
    return this.#vars.get(name) ?? (this.#outer ? this.#outer.#type(name) : undefined);
  }

  #variables(): string[] {
    return [...this.#vars.keys(), ...(this.#outer ? this.#outer.#variables() : [])];
  }

  #visible(): string[] {
    return [...this.#ids, ...(this.#outer ? this.#outer.#visible() : [])];
  }
}

interface FileNames {
  readonly ids: Map<string, Place>;
  readonly secrets: ReadonlySet<string>;
}
