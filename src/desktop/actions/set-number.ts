import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, NumericValue, Reading } from "../element.ts";
import { requireInput } from "../mode.ts";
import { Role } from "../roles.ts";
import { Attempts, type Done } from "./attempts.ts";
import { focus } from "./focus.ts";
import { inputMethod } from "./input-method.ts";
import { Interface } from "../interfaces.ts";
import { implementsAll, isIn, label } from "./label.ts";
import { applicationOf } from "./place.ts";
import { stepTo } from "./step-to.ts";
import { isWeb, takesSteps, UNHEARD, webFactsOf } from "../toolkits.ts";
import { until } from "./read-back.ts";
import { sendAndSee } from "./refused.ts";
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
  const before = await desktop.read(element, { ...deadline.call(), recent: true, place: false });
  const attempts = new Attempts(`set ${label(element, before)} to ${value}`);
  // A spin button that holds nothing is to be filled.
  const range = before.value ?? (isEmptySpin(before) ? UNBOUNDED : undefined);
  if (range?.current === value) return attempts.done("none", true);
  if (range === undefined) {
    throw new BackstepError("unsupported", `Cannot ${attempts.doing}: it has no numeric value`);
  }
  requireWritable(before, attempts.doing);
  requireInRange(range, value, attempts.doing);
  if (before.role === Role.spinButton) {
    const facts = webFactsOf(await applicationOf(desktop, element, deadline));
    if (facts?.silentSpins) {
      attempts.refuse("Value.CurrentValue", "unsupported", UNHEARD);
      const there = (now: Reading) => now.value?.current === value;
      const typed = await typeNumber(desktop, element, before, String(value), there, attempts, deadline);
      if (typed) return typed;
      return await stepped(desktop, element, value, attempts, deadline);
    }
  }
  const slack = tolerance(range);
  const there = (now: Reading) => now.value !== undefined && Math.abs(now.value.current - value) <= slack;
  if (takesSteps(await applicationOf(desktop, element, deadline))) {
    requireRange(range, attempts.doing);
    return await stepTo(desktop, element, value, before, attempts, deadline);
  }
  // Refused and done all the same: keys typed then would read as taken before they are, and go to what has the focus next.
  const set = await attempts.attempt("Value.CurrentValue", () =>
    sendAndSee(
      () => desktop.act(element, { do: "setValue", value }, deadline.call()),
      async (within) => (await until(desktop, element, there, within)).held,
      deadline,
    ));
  if (set && there(before)) {
    // It was within half a step already: that it is now tells nothing.
    const now = await desktop.read(element, { ...deadline.call(), recent: true, place: false });
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
  return await stepped(desktop, element, value, attempts, deadline);
}

/** Arrow keys pressed at most. */
const STEPS = 100;

/** A slider or spin button that a page has made itself knows the arrow keys at best: each is pressed once the one before has shown. */
async function stepped(
  desktop: Desktop,
  element: ElementRef,
  value: number,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done> {
  const isOfPage = isWeb(await applicationOf(desktop, element, deadline));
  const done = isOfPage && await attempts.attempt(inputMethod(desktop, "arrow keys"), async () => {
    requireInput(desktop, attempts.doing, "keyboard");
    await focus(desktop, element, deadline);
    let now = (await desktop.read(element, deadline.call())).value?.current;
    for (let steps = 0; now !== undefined && now !== value && steps < STEPS; steps++) {
      const was: number = now;
      await desktop.pressKeys([was < value ? "Up" : "Down"], deadline.call());
      const moved = (next: Reading) => next.value?.current !== was;
      const next = (await until(desktop, element, moved, deadline)).last.value?.current;
      // It did not move, went the other way, or past the place.
      if (next === undefined || Math.abs(next - value) >= Math.abs(was - value)) return false;
      now = next;
    }
    return now === value;
  });
  if (done) return done;
  const last = deadline.passed
    ? undefined
    : await desktop.read(element, { ...deadline.call(), place: false });
  const holds = last?.value?.current;
  const now = holds === undefined ? "" : `It is ${holds} now. `;
  throw attempts.failure(
    `${now}It may make something else of a number, or round to its own steps: \`value\` shows its range.`,
  );
}

/** Empties a spin button: as a person does, with the keyboard. Reads back that it holds no number. */
export async function clearNumber(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<Done> {
  const before = await desktop.read(element, deadline.call());
  const attempts = new Attempts(`empty ${label(element, before)}`);
  if (before.value === undefined) return attempts.done("none", true);
  requireWritable(before, attempts.doing);
  const typed = await typeNumber(desktop, element, before, "", isEmptySpin, attempts, deadline);
  if (typed) return typed;
  throw attempts.failure();
}

/** Does it hold no number: is it empty, or a part of a date that nobody has filled? */
export function isEmptySpin(reading: Reading): boolean {
  return reading.role === Role.spinButton && reading.value === undefined &&
    implementsAll(reading, Interface.value) && reading.text !== undefined;
}

/** A part of a date has no text to select: what is typed there replaces it. */
async function typeNumber(
  desktop: Desktop,
  element: ElementRef,
  before: Reading,
  digits: string,
  there: (now: Reading) => boolean,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done | undefined> {
  return await attempts.attempt(inputMethod(desktop, "keys"), async () => {
    requireInput(desktop, attempts.doing, "keyboard");
    await focus(desktop, element, deadline);
    if (isIn(before, "editable")) await selectAll(desktop, element, deadline);
    if (digits === "") await desktop.pressKeys(["Delete"], deadline.call());
    else await desktop.typeText(digits, deadline.call());
    return (await until(desktop, element, there, deadline)).held;
  });
}

/** The range of what tells none. */
const UNBOUNDED: NumericValue = { current: NaN, minimum: NaN, maximum: NaN, step: 0 };

/** Half a step; without one, a millionth of the range. */
export function tolerance(range: NumericValue): number {
  const width = Math.abs(range.maximum - range.minimum);
  const fine = Number.isFinite(width) ? width * 1e-6 : 0;
  return Math.max(1e-9, range.step > 0 ? range.step / 2 : fine);
}

/** A spin button of days or words tells the number 0 and a range of nothing. */
function requireRange({ minimum, maximum }: NumericValue, doing: string): void {
  if (minimum < maximum) return;
  throw new BackstepError("unsupported", `Cannot ${doing}: what it shows is no number`, {
    hint: "Set its field to a text: `spinbutton[name=…] textfield`.",
  });
}

function requireInRange(range: NumericValue, value: number, doing: string): void {
  const { minimum, maximum } = range;
  const existing = Number.isFinite(minimum) && Number.isFinite(maximum) && minimum < maximum;
  if (!existing || (value >= minimum && value <= maximum)) return;
  throw new BackstepError("invalid", `Cannot ${doing}: it takes ${minimum} to ${maximum}`, {
    details: { minimum, maximum },
  });
}
