import { BackstepError, type BackstepError as Fault, type Json, toBackstepError } from "../base/error.ts";
import type { VisualMode } from "../checks/visual/modes.ts";
import { diffPicture } from "../checks/visual/diff-picture.ts";
import { differenceText, explain, type Under } from "../checks/visual/explain.ts";
import type { Context } from "../contract/operation.ts";
import type { Frame } from "../desktop/desktop.ts";
import { applicationFor } from "./application.ts";
import { encodePng } from "./png.ts";
import type { Match } from "./target.ts";
import type { Verdict } from "./visual-watch.ts";

/** Differences that the message itself names. */
const NAMED = 3;

/** What `unlike` tells of. */
export interface Unlike {
  readonly context: Context;
  readonly wanted: { readonly frame: Frame; readonly bytes: Uint8Array; readonly name: string };
  readonly verdict: Verdict;
  readonly match: Match | undefined;
  readonly mode: VisualMode;
  readonly threshold: number;
  readonly app: string | undefined;
  /** Milliseconds that were waited. */
  readonly limit: number;
}

/**
 * The error of a picture that did not come to match: numbers, places, the elements there, and what was kept of it. Beside
 * it the picture of the difference as a PNG; undefined: the sizes differ.
 */
export async function unlike(
  reported: Unlike,
): Promise<{ readonly error: Fault; readonly picture: Uint8Array | undefined }> {
  const { wanted, verdict, mode, threshold, limit } = reported;
  const { comparison, taken, ignored, nothing } = verdict;
  const { frame } = taken;
  const common = {
    passed: false,
    baseline: wanted.name,
    mode,
    threshold,
    // Where the picture's corner lies on the screen: reports black out there what received a secret.
    place: { x: taken.x, y: taken.y },
    ...(nothing.length > 0 ? { ignored_nothing: [...nothing] } : {}),
  };
  if (comparison === undefined) {
    const sizes = { expected: sizeOf(wanted.frame), actual: sizeOf(frame) };
    const error = new BackstepError(
      "assertion",
      `Cannot confirm ${wanted.name}: it is ${sizes.expected}, the picture ${sizes.actual} (waited ${limit} ms)`,
      {
        hint: "Images are never scaled: first give the window the size of the baseline.",
        details: {
          ...common,
          expected_size: sizes.expected,
          actual_size: sizes.actual,
          ...keep(reported, []),
        },
      },
    );
    return { error, picture: undefined };
  }
  const under = await elementsOf(reported);
  const { differences, more } = explain(wanted.frame, frame, comparison, under);
  const picture = encodePng(diffPicture(frame, comparison.judged, differences, ignored));
  const percentage = Number(comparison.percentage.toPrecision(3));
  const named = differences.slice(0, NAMED).map(differenceText).join("; ");
  const rest = differences.length + more - NAMED;
  const details: { [key: string]: Json } = {
    ...common,
    diff_percentage: comparison.percentage,
    diff_pixels: comparison.different,
    total_pixels: comparison.total,
    ignored_pixels: comparison.ignored,
    antialiased_pixels: comparison.antialiased,
    differences: differences.map(({ rect, pixels, elements, moved }): Json => ({
      rect: { ...rect },
      pixels,
      elements: [...elements],
      ...(moved ? { moved: { ...moved } } : {}),
    })),
    ...(more > 0 ? { more_differences: more } : {}),
    ...keep(reported, [["diff", picture]]),
  };
  const error = new BackstepError(
    "assertion",
    `Cannot confirm ${wanted.name}: ${comparison.different} pixels differ, ${percentage} % of ${comparison.total} ` +
      `(at most ${threshold} %; waited ${limit} ms): ${named}${rest > 0 ? `; and ${rest} more` : ""}`,
    {
      hint: nothing.length > 0
        ? `To be ignored, and not there: ${nothing.join(", ").slice(0, 300)}.`
        : "If it is meant to look so: `--update-baselines changed`.",
      details,
    },
  );
  return { error, picture };
}

function sizeOf({ width, height }: Frame): string {
  return `${width}x${height}`;
}

/** Keeps the pictures beside the run; their names are what reports open. */
function keep(
  { context, wanted, verdict }: Unlike,
  more: readonly (readonly [string, Uint8Array])[],
): { readonly artefacts?: { readonly [what: string]: string } } {
  const pictures: [string, Uint8Array][] = [
    ["expected", wanted.bytes],
    ["actual", encodePng(verdict.taken.frame)],
    ...more.map(([what, bytes]): [string, Uint8Array] => [what, bytes]),
  ];
  const names = pictures.flatMap(([what, bytes]) => {
    const name = context.evidence.put(bytes);
    return name === undefined ? [] : [[what, name] as const];
  });
  return names.length === 0 ? {} : { artefacts: Object.fromEntries(names) };
}

/** What lies under the picture; undefined where that is the whole screen, or nobody answers. */
async function elementsOf({ context, verdict, match, app }: Unlike): Promise<Under | undefined> {
  if (match === undefined && app === undefined && context.app === undefined) return undefined;
  const { x, y } = verdict.taken;
  try {
    const application = match?.application ?? await applicationFor(context, app);
    const fields = ["extents", "id"] as const;
    return {
      snapshot: await context.desktop.snapshot(application, { ...context.deadline.call(), fields }),
      x,
      y,
    };
  } catch (thrown) {
    // That it differs is known; whoever does not answer now must not hide it.
    context.progress(`No elements are named: ${toBackstepError(thrown).message}`);
    return undefined;
  }
}
