import type { Json } from "../../../src/base/error.ts";
import { isList, isMap } from "../../../src/base/json.ts";
import type { Story, StoryStep } from "../story.ts";

/**
 * A story as it is told on both desktops. What becomes of an open list when something else is done is each toolkit's own
 * affair, as is what a key does that goes to whatever has the focus:
 *
 * - a click that opens the list is the last action of its steps, or else only looks;
 * - the key that is pressed is `F9`, which changes nothing: `Tab` moves the focus, and is a character where lines can be broken.
 */
export function comparable(story: Story): Story {
  return { ...story, steps: stepsOf(story.steps) };
}

function stepsOf(steps: readonly StoryStep[]): StoryStep[] {
  const reported = steps.map(stepOf);
  const opening = reported.filter(opensList);
  const others = reported.filter((step) => !opensList(step));
  const last = others.at(-1);
  const fails = last !== undefined && "assert" in last && JSON.stringify(last).includes("Nowhere");
  const [first] = opening;
  if (first === undefined) return reported;
  if (!fails) return reported.map((step) => opensList(step) ? { assert: { target: LANGUAGE } } : step);
  return [...others.slice(0, -1), first, last];
}

const LANGUAGE = '[name="Language"]';

function opensList(step: StoryStep): boolean {
  return JSON.stringify(step["click"] ?? null).includes(JSON.stringify(LANGUAGE));
}

function stepOf(step: StoryStep): StoryStep {
  if ("press" in step) return { ...step, press: { keys: "F9" } };
  return Object.fromEntries(
    Object.entries(step).map(([key, value]): [string, Json] => {
      // An opposite action presses what closes its dialog.
      if (key === "undo") return [key, value];
      if (isList(value) && value.every(isMap)) return [key, stepsOf(value)];
      if (isMap(value)) return [key, stepOf(value)];
      return [key, value];
    }),
  );
}
