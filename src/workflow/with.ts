import { closest } from "../base/closest.ts";
import type { Template, Workflow } from "../engine/model/step.ts";
import type { Faults } from "./diagnostics.ts";
import { type Entry, entryOf, type MapNode, toJson } from "./node.ts";
import { didYouMean, shown } from "./suggest.ts";
import { typeOf } from "./values.ts";

/** Checks what `with:` gives against the variables of the file that is run, as far as it is known before the run. */
export function checkWith(
  workflow: Workflow,
  values: MapNode | undefined,
  template: Template,
  verb: Entry,
  faults: Faults,
): void {
  const declared = Object.keys(workflow.vars);
  const strange: string[] = [];
  for (const { key, keyPlace, value } of values?.entries ?? []) {
    const variable = Object.hasOwn(workflow.vars, key) ? workflow.vars[key] : undefined;
    if (!variable) {
      strange.push(key);
      faults.add(
        keyPlace,
        `${workflow.file} has no variable ${shown(key)}`,
        didYouMean(key, declared, "It declares") ?? "It declares no variables.",
      );
      continue;
    }
    const filled = entryIn(template, key);
    if (typeof filled === "object" && filled !== null && filled.kind === "placeholder") continue;
    const type = typeof filled === "object" && filled?.kind === "interpolated"
      ? "string"
      : typeOf(toJson(value));
    if (type !== variable.type) {
      faults.add(
        value.place,
        `the variable "${key}" of ${workflow.file} is a ${variable.type}, not ${inWords(type)}`,
      );
    }
  }
  for (const [name, variable] of Object.entries(workflow.vars)) {
    if (variable.default !== undefined || (values && entryOf(values, name))) continue;
    // A misspelt name is missing too; saying so once is enough.
    if (strange.some((key) => closest(key, [name]).length > 0)) continue;
    faults.add(
      verb.value.place,
      `${workflow.file} needs the variable "${name}"`,
      `Add \`with: { ${name}: … }\`.`,
    );
  }
}

function entryIn(template: Template, key: string): Template | undefined {
  if (typeof template !== "object" || template === null || template.kind !== "map") return undefined;
  return template.entries.find(([name]) => name === key)?.[1];
}

function inWords(type: string): string {
  return type === "null" ? "nothing" : `a ${type}`;
}
