import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { actionMethod, actionNamed } from "./action.ts";
import type { Attempts, Done } from "./attempts.ts";
import { until } from "./read-back.ts";

/** Steps that are made one after the other; more are not worth their time. */
const MOST = 1_000;

/**
 * Sets a number by the actions of its control, one step after the other: the first tells how far a step goes. The
 * application hears of each number in between, as it does of a person's arrow keys. Reads back that it is exactly this one.
 */
export async function stepTo(
  desktop: Desktop,
  element: ElementRef,
  value: number,
  before: Reading,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done> {
  const from = numberIn(before);
  const name = actionNamed(before, [value > from ? "increment" : "decrement"]);
  if (name === undefined) {
    attempts.refuse("Action.DoAction", "unsupported", "it offers no action for this");
    throw attempts.failure("Focus it and use the arrow keys.");
  }
  const step = () => desktop.act(element, { do: "action", name }, deadline.call());
  const done = await attempts.attempt(actionMethod(name), async () => {
    await step();
    const first = await until(desktop, element, (now) => numberIn(now) !== from, deadline);
    const at = numberIn(first.last);
    const left = Math.round((value - at) / (at - from));
    if (!first.held || left < 0 || left > MOST) return at === value;
    for (let made = 0; made < left; made++) {
      deadline.check(attempts.doing);
      await step();
    }
    return (await until(desktop, element, (now) => numberIn(now) === value, deadline)).held;
  });
  if (done) return done;
  throw attempts.failure(
    `It goes in steps of its own, and by ${MOST} of them at most: focus it and use the keys.`,
  );
}

function numberIn(reading: Reading): number {
  return reading.value?.current ?? NaN;
}
