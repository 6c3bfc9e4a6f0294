import { BackstepError } from "../../base/error.ts";
import { closest } from "../../base/closest.ts";
import type { Step, Workflow } from "../../engine/model/step.ts";

/** Where a step stands among `steps:`: its number from 0, then those in the transactions around it. */
export type StepIndex = readonly [number, ...number[]];

interface Found {
  readonly step: Step;
  readonly at: StepIndex;
  /** What it stands in that may run it more than once, or not at all. */
  readonly inside?: string;
}

/**
 * The step of a workflow that is meant by its number ("3", "3.2" in a transaction), its name, its id or the name of its
 * savepoint. Throws `usage` for none, several, or one of which nobody can say when it runs.
 */
export function stepAt(workflow: Workflow, wanted: string): StepIndex {
  const { file } = workflow;
  const fail = (why: string, hint: string) =>
    new BackstepError("usage", `Cannot record on from ${file}@${wanted}: ${why}`, { hint });
  if (workflow.cases !== undefined) {
    throw fail("the file has `cases:`", "Take them out: a recording is made with one set of values.");
  }
  const all = steps(workflow.steps, []);
  const numbered = all.filter(({ at }) => at.map((n) => n + 1).join(".") === wanted);
  const found = numbered.length > 0 ? numbered : all.filter(({ step }) => namesOf(step).includes(wanted));
  const [one, second] = found;
  if (one === undefined) {
    const near = closest(wanted, all.flatMap(({ step }) => namesOf(step)));
    const has = `It has ${workflow.steps.length} steps; those in transactions are 2.1, 2.2 and so on.`;
    throw fail("there is no such step", near.length > 0 ? `Did you mean ${near.join(" or ")}?` : has);
  }
  if (second !== undefined) throw fail(`${found.length} steps have this name`, "Give its number.");
  if (one.inside !== undefined) {
    throw fail(
      `the step is inside of \`${one.inside}:\``,
      `Record on from the \`${one.inside}:\` or after it.`,
    );
  }
  return one.at;
}

/** The workflow up to a step, which is its last one. What would come after it, `after:` too, is left out. */
export function upTo(workflow: Workflow, at: StepIndex): Workflow {
  const { expect: _, ...rest } = workflow;
  return { ...rest, steps: cut(workflow.steps, at), after: [] };
}

function cut(list: readonly Step[], [index, ...deeper]: readonly number[]): Step[] {
  const kept = list.slice(0, (index ?? 0) + 1);
  const last = kept.at(-1);
  if (deeper.length === 0 || last?.kind !== "transaction") return kept;
  return [...kept.slice(0, -1), { ...last, steps: cut(last.steps, deeper) }];
}

function namesOf(step: Step): string[] {
  const names = [step.name, step.id, step.kind === "savepoint" ? step.savepoint : undefined];
  return names.filter((name) => name !== undefined);
}

function steps(list: readonly Step[], around: readonly number[], inside?: string): Found[] {
  return list.flatMap((step, index): Found[] => {
    const at: StepIndex = [around[0] ?? index, ...around.slice(1), ...(around.length > 0 ? [index] : [])];
    const own = { step, at, ...(inside === undefined ? {} : { inside }) };
    return [own, ...stepsIn(step, at, inside)];
  });
}

function stepsIn(step: Step, at: StepIndex, inside: string | undefined): Found[] {
  switch (step.kind) {
    case "transaction":
      return steps(step.steps, at, inside);
    case "repeat":
    case "for_each":
      return steps(step.steps, at, inside ?? step.kind);
    case "if":
      return steps([...step.then, ...step.else], at, inside ?? step.kind);
    default:
      return [];
  }
}
