import type { Step, Workflow } from "./step.ts";

/** The secrets that a file declares, and the files that it runs: each is hidden in the whole run. */
export function secretsOf(workflow: Workflow): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Workflow>();
  const visit = (one: Workflow) => {
    if (seen.has(one)) return;
    seen.add(one);
    for (const name of one.secrets) names.add(name);
    for (const steps of [one.before, one.steps, one.after]) steps.forEach(visitStep);
  };
  const visitStep = (step: Step): void => {
    switch (step.kind) {
      case "operation":
        return step.undo?.steps.forEach(visitStep);
      case "if":
        return [...step.then, ...step.else].forEach(visitStep);
      case "run":
        return visit(step.workflow);
      case "savepoint":
      case "rollback_to":
        return;
      default:
        return step.steps.forEach(visitStep);
    }
  };
  visit(workflow);
  return names;
}
