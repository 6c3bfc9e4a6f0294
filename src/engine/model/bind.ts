import { BackstepError, type Json, type Place } from "../../base/error.ts";
import { isList } from "../../base/json.ts";
import type { Variable, Workflow } from "./step.ts";

/** The type of a value, as declarations name it. */
export function typeOf(value: Json): Variable["type"] | "null" {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    default:
      return "map";
  }
}

/**
 * The variables of a file that is run, from what `with:` gave and its defaults. What came out of a placeholder is known
 * only now. Throws `workflow` at the step for an unknown name, a missing value, and one of another type.
 */
export function bindVariables(
  workflow: Pick<Workflow, "file" | "vars">,
  given: Json,
  place: Place,
): Record<string, Json> {
  const fail = (why: string) =>
    new BackstepError("workflow", `Cannot run ${workflow.file}: ${why}`, { place });
  const values = given !== null && typeof given === "object" && !isList(given) ? given : {};
  const strange = Object.keys(values).find((name) => !Object.hasOwn(workflow.vars, name));
  if (strange !== undefined) throw fail(`it has no variable "${strange}"`);
  return Object.fromEntries(
    Object.entries(workflow.vars).map(([name, { type, default: fallback }]) => {
      const value = Object.hasOwn(values, name) ? values[name] : fallback;
      if (value === undefined) throw fail(`the variable "${name}" has no value`);
      const found = typeOf(value);
      if (found !== type) {
        throw fail(`the variable "${name}" is a ${type}, not ${found === "null" ? "nothing" : `a ${found}`}`);
      }
      return [name, value] as const;
    }),
  );
}
