import type { Json } from "../base/error.ts";
import { asMap } from "../base/json.ts";
import type { WmRect } from "./model.ts";

/** A text, or null where something else stands. */
export function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** A number, or null where something else stands. */
export function numberOf(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Yes or no, or null where something else stands. */
export function flagOf(value: Json | undefined): boolean | null {
  return typeof value === "boolean" ? value : null;
}

/** A rectangle; missing sides are 0. */
export function rectOf(value: Json | undefined): WmRect {
  const { x, y, width, height } = asMap(value);
  return {
    x: numberOf(x) ?? 0,
    y: numberOf(y) ?? 0,
    width: numberOf(width) ?? 0,
    height: numberOf(height) ?? 0,
  };
}
