import type { RejectStep, Step, StepCommon, Workflow } from "../engine/model/step.ts";
import type { Faults } from "./diagnostics.ts";
import { readTemplate, writtenAs } from "./inputs.ts";
import type { Names } from "./names.ts";
import { describe, type Entry } from "./node.ts";
import type { Reading } from "./reading.ts";

/** `reject: reason`: ends the run with a business error. */
export function readReject(
  { value, keyPlace }: Entry,
  common: StepCommon,
  names: Names,
  reading: Reading,
): RejectStep | undefined {
  const { faults } = reading;
  if (common.optional === true) {
    faults.add(
      keyPlace,
      "`reject:` cannot be `optional:`: it ends the run",
      "Take one of them out, or say when with `if:`.",
    );
  }
  if (value.kind !== "scalar" || typeof value.value !== "string" || value.value.trim() === "") {
    const hint = "Write `reject: The customer is unknown`.";
    return void faults.add(value.place, `reject takes a reason as a text, not ${describe(value)}`, hint);
  }
  const reason = readTemplate(writtenAs(value, keyPlace), names, reading);
  return reason === undefined ? undefined : { kind: "reject", ...common, reason };
}

/** A rejection among steps that cannot end the run: of `after:` and of an `undo:`, which run whatever happened. */
export function refuseRejections(
  { before, steps, after }: Pick<Workflow, "before" | "steps" | "after">,
  faults: Faults,
): void {
  const visit = (list: readonly Step[], where: string | undefined) => {
    for (const step of list) visitStep(step, where);
  };
  const visitStep = (step: Step, where: string | undefined): void => {
    switch (step.kind) {
      case "reject":
        if (where === undefined) return;
        return faults.add(
          step.place,
          `\`reject:\` is not possible in \`${where}:\``,
          "What is done there is done whatever happened: reject in `steps:`.",
        );
      case "operation":
        return step.undo && visit(step.undo.steps, "undo");
      case "if":
        return visit([...step.then, ...step.else], where);
      case "transaction":
      case "repeat":
      case "for_each":
        return visit(step.steps, where);
      case "run":
        return where === undefined
          ? undefined
          : visit([...step.workflow.before, ...step.workflow.steps], where);
      case "savepoint":
      case "rollback_to":
      case "undo":
    }
  };
  visit([...before, ...steps], undefined);
  visit(after, "after");
}
