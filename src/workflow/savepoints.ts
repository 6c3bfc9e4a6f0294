import type { RollbackToStep, SavepointStep, StepCommon } from "../engine/model/step.ts";
import type { Names } from "./names.ts";
import type { Entry } from "./node.ts";
import type { Reading } from "./reading.ts";
import { readName } from "./shape.ts";
import { didYouMean, shown } from "./suggest.ts";

/** `savepoint: name`. From here on a `rollback_to:` may name it; the same name again moves it. */
export function readSavepoint(
  { value }: Entry,
  common: StepCommon,
  names: Names,
  { faults }: Reading,
): SavepointStep | undefined {
  const savepoint = readName(value, "savepoint", faults);
  if (savepoint === undefined) return undefined;
  names.mark(savepoint);
  return { kind: "savepoint", ...common, savepoint };
}

/** `rollback_to: name`, of a savepoint that the flow has passed. */
export function readRollbackTo(
  { value }: Entry,
  common: StepCommon,
  names: Names,
  { faults }: Reading,
): RollbackToStep | undefined {
  const savepoint = readName(value, "rollback_to", faults);
  if (savepoint === undefined) return undefined;
  const existing = names.savepoints();
  if (existing.includes(savepoint)) return { kind: "rollback_to", ...common, savepoint };
  faults.add(
    value.place,
    `there is no savepoint ${shown(savepoint)} before`,
    didYouMean(savepoint, existing, "Savepoints") ?? `Set one first: \`- savepoint: ${savepoint}\`.`,
  );
  return undefined;
}
