import type { StepResult } from "../../contract/events.ts";
import type { Material } from "./material.ts";
import type { VisualView } from "./model.ts";

/** A visual diff among the steps: what it answered, or what its failure tells. Filled in when the operation is there. */
export function visualOf(_step: StepResult, _material: Material): VisualView | undefined {
  return undefined;
}
