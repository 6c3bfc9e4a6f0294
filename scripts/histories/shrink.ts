import type { Json } from "../../src/base/error.ts";
import { isList, isMap } from "../../src/base/json.ts";
import type { Story, StoryStep } from "./story.ts";

/** Tries at most: a story that shrinks no further is small enough. */
const MOST = 600;

/** The smallest story that was found for which `fails` still holds: fewer steps, fewer faults, smaller values. */
export async function shrink(story: Story, fails: (story: Story) => Promise<boolean>): Promise<Story> {
  let best = story;
  let tries = 0;
  for (let smaller = true; smaller && tries < MOST;) {
    smaller = false;
    for (const candidate of candidates(best)) {
      if (++tries > MOST) break;
      if (!await fails(candidate)) continue;
      best = candidate;
      smaller = true;
      break;
    }
  }
  return best;
}

/** Every story that is a little smaller, the boldest first. */
function* candidates(story: Story): Generator<Story> {
  const { interrupt, faults, steps, head } = story;
  if (interrupt) {
    const { interrupt: _, ...rest } = story;
    yield rest;
    if (interrupt.hardAfter !== undefined) yield { ...story, interrupt: { at: interrupt.at } };
  }
  for (const key of Object.keys(head)) {
    yield { ...story, head: Object.fromEntries(Object.entries(head).filter(([one]) => one !== key)) };
  }
  for (const [at] of faults.entries()) yield { ...story, faults: faults.filter((_, i) => i !== at) };
  for (const less of fewer(steps)) yield { ...story, steps: less };
  for (const [at, fault] of faults.entries()) {
    if (!("when" in fault) || fault.when?.at === undefined || fault.when.at <= 1) continue;
    for (const to of [1, fault.when.at - 1]) {
      yield { ...story, faults: faults.with(at, { ...fault, when: { ...fault.when, at: to } }) };
    }
  }
}

/** Lists of steps with one step less, with what a step holds in its place, or with a step that says less. */
export function* fewer(steps: readonly StoryStep[]): Generator<StoryStep[]> {
  for (const [at, step] of steps.entries()) {
    const put = (...instead: StoryStep[]) => [...steps.slice(0, at), ...instead, ...steps.slice(at + 1)];
    yield put();
    for (const held of heldBy(step)) yield put(...held.steps);
    for (const key of Object.keys(step).slice(1)) {
      if (!ESSENTIAL.has(key)) {
        yield put(Object.fromEntries(Object.entries(step).filter(([one]) => one !== key)));
      }
    }
    for (const { steps: inner, replace } of heldBy(step)) {
      for (const less of fewer(inner)) if (less.length > 0) yield put(replace(less));
    }
  }
}

/** Without them a step is another one, or none. */
const ESSENTIAL: ReadonlySet<string> = new Set(["then", "args", "with"]);

interface Held {
  readonly steps: readonly StoryStep[];
  replace(steps: readonly StoryStep[]): StoryStep;
}

function heldBy(step: StoryStep): Held[] {
  const held: Held[] = [];
  for (const verb of ["transaction", "repeat", "for_each"]) {
    const body = step[verb];
    if (!isMap(body)) continue;
    held.push({
      steps: listed(body["steps"]),
      replace: (steps) => ({ ...step, [verb]: { ...body, steps } }),
    });
  }
  for (const branch of ["then", "else"]) {
    if (branch in step) {
      held.push({ steps: listed(step[branch]), replace: (steps) => ({ ...step, [branch]: steps }) });
    }
  }
  return held;
}

function listed(value: Json | undefined): StoryStep[] {
  return value !== undefined && isList(value) ? value.filter(isMap) : [];
}
