import type { Scene } from "./scene.ts";

/** The patterns, in the order in which they go before each other where several fit equally well. */
export const patternNames = [
  "error_alert",
  "file_save_dialog",
  "file_open_dialog",
  "confirmation_dialog",
  "login_form",
  "settings_page",
  "progress_indicator",
  "browser_main",
  "text_editor",
  "search_interface",
  "table_view",
  "form",
] as const;
/** The name of a pattern. */
export type PatternName = (typeof patternNames)[number];

/** One element that made a detector decide. */
export interface Reason {
  /** Its row in the snapshot. */
  readonly row: number;
  /** What it is to the pattern: "the password field". */
  readonly is: string;
}

/** How sure a detector is: structure and words agree; the structure alone; it is there, and other things are too. */
export const SURE = 0.9, LIKELY = 0.7, WEAK = 0.5;

/** A pattern that fits. */
export interface Detected {
  readonly name: PatternName;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly reasons: readonly Reason[];
}

/** One pattern: how it is recognised, and what can be done with it. */
export interface Detector {
  readonly name: PatternName;
  /** Undefined: it does not fit. */
  detect(scene: Scene): Omit<Detected, "name"> | undefined;
  /** What somebody may want to do next, by row; only what is there. */
  suggest(scene: Scene): readonly Idea[];
}

/** A next step, before it is known how its element is asked for. */
export interface Idea {
  readonly action: string;
  readonly tool: string;
  readonly row: number;
}

/** Every reason of a list that has one. */
export function reasons(...found: readonly (readonly [row: number | undefined, is: string])[]): Reason[] {
  return found.flatMap(([row, is]) => row === undefined || row < 0 ? [] : [{ row, is }]);
}

/** Every idea of a list that has an element. */
export function ideas(
  ...found: readonly (readonly [row: number | undefined, tool: string, action: string])[]
): Idea[] {
  return found.flatMap(([row, tool, action]) => row === undefined || row < 0 ? [] : [{ row, tool, action }]);
}
