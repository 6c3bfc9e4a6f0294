import type { Json, Place } from "../base/error.ts";
import type { Template, Workflow } from "../engine/model/step.ts";
import type { PlaceOf } from "../engine/model/template.ts";
import type { Faults } from "./diagnostics.ts";
import type { Verbs } from "./verbs.ts";

/** A workflow file may not be larger: 1 MiB. */
export const MOST_BYTES = 1 << 20;
/** Lists and maps of a file may nest this deep. */
export const DEEPEST = 200;
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

/** A file that was fetched for a `run:` or for `cases:`. */
export interface Source {
  /** As messages name it. */
  readonly file: string;
  /** Its one true path: two references to one file have one key. */
  readonly key: string;
  /** What its own `run:` are relative to. */
  readonly folder: string;
  /** UTF-8; 1 MiB at most. */
  readonly bytes: Uint8Array | string;
}

/** What reading one file needs to know. */
export interface Reading {
  readonly file: string;
  readonly faults: Faults;
  readonly verbs: Verbs;
  /** Counts the file's steps, and how deep they nest. */
  readonly tally: { steps: number; height: number };
  readonly checkSelector: SelectorCheck | undefined;
  /** What its values hold: placeholders in a file, plain text in a call. Throws `workflow` for a malformed placeholder. */
  template(json: Json, placeOf: PlaceOf): Template;
  /** Reads the file of a `run:`; undefined when it is faulty, and the faults are noted. */
  run(reference: string, place: Place): Read | undefined;
  /** Fetches a file of values; undefined when it cannot be had, and the fault is noted. */
  data(reference: string, place: Place): Source | undefined;
}

/** A file that was read, and what its steps amount to. */
export interface Read {
  readonly workflow: Workflow;
  readonly steps: number;
  readonly height: number;
}
