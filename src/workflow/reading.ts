import type { Place } from "../base/error.ts";
import type { Workflow } from "../engine/step.ts";
import type { Faults } from "./faults.ts";
import type { Verbs } from "./verbs.ts";

/** Steps may nest this deep, counted through the files that are run. */
export const DEEPEST_STEPS = 32;
/** A workflow may have this many steps, with the steps of the files it runs counted each time they are run. */
export const MOST_STEPS = 10_000;
/** A loop may go round this often. */
export const MOST_ROUNDS = 10_000;
/** A step may be tried again this often. */
export const MOST_RETRIES = 100;

/** Parses a selector, throwing `selector` with `details.position`, a column from 1; a strategy says how to read it. */
export type SelectorCheck = (text: string, strategy?: string) => void;

/** What reading one file needs to know. */
export interface Reading {
  readonly file: string;
  readonly faults: Faults;
  readonly verbs: Verbs;
  /** Counts the file's steps, and how deep they nest. */
  readonly tally: { steps: number; height: number };
  readonly checkSelector: SelectorCheck | undefined;
  /** Reads the file of a `run:`; undefined when it is faulty, and the faults are noted. */
  run(reference: string, place: Place): Read | undefined;
}

/** A file that was read, and what its steps amount to. */
export interface Read {
  readonly workflow: Workflow;
  readonly steps: number;
  readonly height: number;
}
