import type { Effect } from "../../contract/effect.ts";
import type { Act } from "../../contract/gate.ts";
import type { OperationStep } from "./step.ts";

/** A declared rollback makes an irreversible action compensable; an author who says that there is none is believed. */
export function judged(act: Act, step: OperationStep): Effect {
  const { effect } = act.resolved;
  if (effect === "read") return effect;
  if (step.undo) return effect === "irreversible" ? "compensable" : effect;
  return step.irreversible === true ? "irreversible" : effect;
}
