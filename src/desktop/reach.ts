import type { Application } from "./element.ts";
import type { Snapshot } from "./snapshot.ts";

/** A row of a tree that was read. */
export interface Spot {
  /** Whose tree it is. */
  readonly application: Application;
  /** The tree. */
  readonly snapshot: Snapshot;
  /** Its row, from 0. */
  readonly row: number;
}

/** What an act will reach, as its operation declares it before anything is done: whoever judges acts judges these. */
export type Reach =
  /** An element does what it is for: it is clicked, toggled, chosen, dragged, dropped on. */
  | { readonly by: "press"; readonly doing: string; readonly spot: Spot }
  /** Items are chosen in an element by their words. */
  | { readonly by: "choice"; readonly spot: Spot; readonly words: readonly string[] }
  /** Whatever lies at a place of the screen. */
  | { readonly by: "point"; readonly doing: string; readonly x: number; readonly y: number }
  /** Chords, one after the other, into an element, an application, or what is in front. */
  | {
    readonly by: "keys";
    readonly chords: readonly (readonly string[])[];
    readonly into?: Spot | undefined;
    readonly application?: Application | undefined;
  }
  /** A typed text, in the same places. */
  | {
    readonly by: "text";
    readonly text: string;
    readonly into?: Spot | undefined;
    readonly application?: Application | undefined;
  }
  /** A window is closed as a person closes it. */
  | { readonly by: "close"; readonly application: Application; readonly id: number; readonly title: string }
  /** An application is ended as a person ends it. */
  | { readonly by: "quit"; readonly app: string }
  /** A program is started: an entry of the catalogue, or whatever stands there. */
  | { readonly by: "program"; readonly app: string; readonly args: readonly string[] }
  /** A script runs. `timeout` in milliseconds. */
  | {
    readonly by: "script";
    readonly script: string;
    readonly language: string;
    readonly timeout?: number | undefined;
  }
  /** Nothing tells. */
  | { readonly by: "unknown"; readonly what: string };
