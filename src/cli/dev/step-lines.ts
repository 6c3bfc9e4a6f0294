import type { Step, Workflow } from "../../engine/model/step.ts";

/** The lines in which steps of a workflow begin, by the file that they stand in, as it was named. */
export function stepLines(workflow: Workflow): ReadonlyMap<string, ReadonlySet<number>> {
  const lines = new Map<string, Set<number>>();
  const seen = new Set<Workflow>();
  const ofStep = (step: Step): void => {
    const { file, line } = step.place;
    const own = lines.get(file) ?? new Set<number>();
    lines.set(file, own.add(line));
    switch (step.kind) {
      case "if":
        return [...step.then, ...step.else].forEach(ofStep);
      case "run":
        return ofFile(step.workflow);
      case "transaction":
      case "repeat":
      case "for_each":
        return step.steps.forEach(ofStep);
    }
  };
  const ofFile = (one: Workflow): void => {
    if (seen.has(one)) return;
    seen.add(one);
    [...one.before, ...one.steps, ...one.after].forEach(ofStep);
  };
  ofFile(workflow);
  return lines;
}
