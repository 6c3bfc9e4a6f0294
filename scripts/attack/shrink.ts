import { fewer } from "../histories/shrink.ts";
import type { Plan } from "./plan.ts";

/** Tries at most: each is a play on a real desktop. */
const MOST = 40;

/** The smallest plan that was found for which `fails` still holds: fewer ways to misbehave, fewer steps. */
export async function shrink(plan: Plan, fails: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let best = plan;
  let tries = 0;
  for (let smaller = true; smaller;) {
    smaller = false;
    for (const candidate of candidates(best)) {
      if (++tries > MOST) return best;
      if (!await fails(candidate)) continue;
      best = candidate;
      smaller = true;
      break;
    }
  }
  return best;
}

function* candidates(plan: Plan): Generator<Plan> {
  const { traits, steps } = plan;
  if (traits.length > 0) yield { ...plan, traits: [] };
  for (const at of traits.keys()) yield { ...plan, traits: traits.filter((_, one) => one !== at) };
  for (const less of fewer(steps)) yield { ...plan, steps: less };
}
