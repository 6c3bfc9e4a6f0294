import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop, ElementRef, NumericValue, Reading } from "../desktop.ts";
import { requireInput } from "../mode.ts";
import { Role } from "../roles.ts";
import { Attempts, type Done } from "./attempts.ts";
import { focus } from "./focus.ts";
import { inputMethod } from "./input-method.ts";
import { label } from "./label.ts";
import { until } from "./read-back.ts";
import { requireWritable, selectAll } from "./set-text.ts";

/**
 * Sets a slider, a spin button, a scroll bar: Value.CurrentValue; for a spin button that does not take it (Chromium),
 * keys. Reads back a value within half a step. Errors: `invalid` outside of the range, `unsupported` without a value.
 */
export async function setNumber(
  desktop: Desktop,
  element: ElementRef,
  value: number,
  deadline: Deadline,
): Promise<Done> {
  const before = await desktop.read(element, deadline.call());
  const attempts = new Attempts(`set ${label(element, before)} to ${value}`);
  const range = before.value;
  if (range?.current === value) return attempts.done("none", true);
  requireWritable(before, attempts.doing);
  if (range === undefined) {
    throw new BackstepError("unsupported", `Cannot ${attempts.doing}: it has no numeric value`);
  }
  requireInRange(range, value, attempts.doing);
  const slack = tolerance(range);
  const there = (now: Reading) => now.value !== undefined && Math.abs(now.value.current - value) <= slack;
  const set = await attempts.attempt("Value.CurrentValue", async () => {
    await desktop.act(element, { do: "setValue", value }, deadline.call());
    return (await until(desktop, element, there, deadline)).held;
  });
  if (set && there(before)) {
    // It was within half a step already: that it is now tells nothing.
    const now = await desktop.read(element, deadline.call());
    return { ...set, verified: now.value?.current === value || now.value?.current !== range.current };
  }
  if (set) return set;
  if (before.role === Role.spinButton) {
    const typed = await attempts.attempt(inputMethod(desktop, "keys"), async () => {
      requireInput(desktop, attempts.doing, "keyboard");
      await focus(desktop, element, deadline);
      await selectAll(desktop, element, deadline);
      await desktop.typeText(String(value), deadline.call());
      if ((await until(desktop, element, there, deadline)).held) return true;
      // GTK and Qt take what was typed when the field is left.
      await desktop.pressKeys(["Tab"], deadline.call());
      return (await until(desktop, element, there, deadline)).held;
    });
    if (typed) return typed;
  }
  throw attempts.failure("It may round to its own steps: `value` shows its range.");
}

/** Half a step; without one, a millionth of the range. */
export function tolerance(range: NumericValue): number {
  const width = Math.abs(range.maximum - range.minimum);
  const fine = Number.isFinite(width) ? width * 1e-6 : 0;
  return Math.max(1e-9, range.step > 0 ? range.step / 2 : fine);
}

function requireInRange(range: NumericValue, value: number, doing: string): void {
  const { minimum, maximum } = range;
  const known = Number.isFinite(minimum) && Number.isFinite(maximum) && minimum < maximum;
  if (!known || (value >= minimum && value <= maximum)) return;
  throw new BackstepError("invalid", `Cannot ${doing}: it takes ${minimum} to ${maximum}`, {
    details: { minimum, maximum },
  });
}
