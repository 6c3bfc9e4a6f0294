import type { Place } from "../base/error.ts";
import type { Placeholder, Workflow } from "../engine/model/step.ts";

/** The fields of a work item that a workflow's placeholders name, `{{item.x}}`, each with its first place. */
export function itemFields(workflow: Workflow): ReadonlyMap<string, Place> {
  const found = new Map<string, Place>();
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (isPlaceholder(value)) {
      const [root, name] = value.path;
      if (root === "item" && name !== undefined && !found.has(name)) found.set(name, value.place);
      return;
    }
    Object.values(value).forEach(visit);
  };
  // Cases and variables hold values, in which nothing is a placeholder.
  [workflow.before, workflow.steps, workflow.after].forEach(visit);
  return found;
}

function isPlaceholder(value: object): value is Placeholder {
  return "kind" in value && value.kind === "placeholder" && "path" in value && Array.isArray(value.path);
}
