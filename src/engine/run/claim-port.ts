import type { Effect } from "../../contract/effect.ts";
import type { Act, ClaimPort } from "../../contract/gate.ts";
import { nameOf } from "../model/step-name.ts";
import type { OperationStep } from "../model/step.ts";
import type { ClaimOutcome } from "./claims.ts";
import type { RunContext } from "./run-context.ts";
import type { Standing } from "./standing.ts";

/** Claims the actions of one step: those that nothing undoes. A rollback has none: it is this run's alone. */
export function claimPort(
  effect: () => Effect,
  step: OperationStep,
  { path, file }: Standing,
  { claims, mask }: Pick<RunContext, "claims" | "mask">,
): { readonly port?: ClaimPort; finished(outcome: ClaimOutcome | "pending"): void } {
  if (!claims || file === undefined) return { finished: () => {} };
  let claimed = false;
  const port = {
    async claim({ resolved }: Act) {
      if (effect() !== "irreversible") return;
      const name = mask.text(nameOf(step.operation, resolved.subject));
      await claims.claim({ path, name, doneWhen: step.doneWhen !== undefined });
      claimed = true;
    },
  };
  return {
    port,
    finished(outcome) {
      if (claimed) claims.finished(path, outcome === "pending" ? "unknown" : outcome);
    },
  };
}
