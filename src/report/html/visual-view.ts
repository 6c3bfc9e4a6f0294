import { isList, isMap } from "../../base/json.ts";
import type { Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { StepLook, StepResult } from "../../contract/events.ts";
import type { Rect } from "../../desktop/desktop.ts";
import type { Material } from "./material.ts";
import type { VisualView } from "./model.ts";

/** Places that are listed. */
const MOST = 50;

/**
 * A step that failed since pictures differ: the pictures that it kept beside the run, black where the desktop showed what must not be seen,
 * and the places that differ. `look` is what was seen of the step: where none was, and the run has secrets, no picture is shown.
 */
export function visualOf(
  step: StepResult,
  look: StepLook | undefined,
  material: Material,
): VisualView | undefined {
  const details = step.error?.details;
  if (!details || !comparesPictures(details)) return undefined;
  const artefacts = isMap(details["artefacts"]) ? details["artefacts"] : {};
  const place = pointOf(details["place"]);
  const open = (what: string) => material.picture(artefacts[what], look, place);
  const [expected, actual, diff] = ["expected", "actual", "diff"].map(open);
  const withheld = [expected, actual, diff].find((one) => typeof one === "string");
  const size = [actual, expected].find((one) => typeof one === "object");
  const name = (one: typeof expected) => typeof one === "object" ? one.name : undefined;
  const shown = { expected: name(expected), actual: name(actual), diff: name(diff) };
  const differences = isList(details["differences"]) ? details["differences"] : [];
  return {
    summary: summaryOf(details) + (typeof withheld === "string" ? ` ${withheld}` : ""),
    ...defined({ expected: shown.expected, actual: shown.actual, diff: shown.diff }),
    width: typeof size === "object" ? size.width : 0,
    height: typeof size === "object" ? size.height : 0,
    clusters: differences.slice(0, MOST).flatMap((one) => {
      const rect = isMap(one) ? rectOf(one["rect"]) : undefined;
      return isMap(one) && rect ? [{ rect, text: clusterText(one) }] : [];
    }),
  };
}

/** Of a baseline that is not there, or not to be read, nothing was compared. */
function comparesPictures(details: { readonly [key: string]: Json }): boolean {
  return typeof details["diff_pixels"] === "number" || typeof details["expected_size"] === "string";
}

function summaryOf(details: { readonly [key: string]: Json }): string {
  const {
    baseline,
    mode,
    diff_pixels,
    total_pixels,
    diff_percentage,
    threshold,
    expected_size,
    actual_size,
  } = details;
  if (typeof expected_size === "string") {
    return `${String(baseline)} is ${expected_size}, the picture ${String(actual_size)}.`;
  }
  const percentage = typeof diff_percentage === "number" ? Number(diff_percentage.toPrecision(3)) : "?";
  return `${String(baseline)}, ${String(mode)}: ${String(diff_pixels)} of ${
    String(total_pixels)
  } pixels differ ` +
    `(${percentage} %, at most ${String(threshold)} %).`;
}

function clusterText(one: { readonly [key: string]: Json }): string {
  const elements = isList(one["elements"]) ? one["elements"].map(String).join(", ") : "";
  const moved = isMap(one["moved"])
    ? `moved by (${String(one["moved"]["dx"])}, ${String(one["moved"]["dy"])})`
    : "";
  return [`${String(one["pixels"])} pixels`, elements, moved].filter((part) => part !== "").join("; ");
}

function pointOf(value: Json | undefined): { readonly x: number; readonly y: number } | undefined {
  if (!isMap(value)) return undefined;
  const { x, y } = value;
  return typeof x === "number" && typeof y === "number" ? { x, y } : undefined;
}

/** A rectangle as results write it. */
export function rectOf(value: Json | undefined): Rect | undefined {
  const point = pointOf(value);
  if (!point || !isMap(value)) return undefined;
  const { width, height } = value;
  return typeof width === "number" && typeof height === "number" ? { ...point, width, height } : undefined;
}
