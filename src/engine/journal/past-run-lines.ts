import type { Json } from "../../base/error.ts";
import type { Effect } from "../../contract/effect.ts";
import type { StepVerdict } from "../../contract/events.ts";
import type { Image } from "../../contract/participant.ts";
import type { Invocation } from "../../contract/operation.ts";
import type { LeftStanding } from "../model/left-standing.ts";
import type { ActionBeginContent } from "./records/action.ts";

/** An action as the journal tells it. */
export interface PastAction {
  readonly path: string;
  /** Number of its line. */
  readonly intent: number;
  readonly operation: string;
  effect: Effect;
  passable: boolean;
  reported: ActionBeginContent;
  /** The transaction that it belongs to; "" is the file. */
  undoLog: string;
  /** "none": the process was killed before it was known. */
  outcome: "none" | "done" | "failed" | "unknown";
  after: readonly (Image | null)[];
  inverse: Invocation | undefined;
  left: LeftStanding | undefined;
  output: Json;
  /** By which of its before-images: the step by which its window, dialog or menu went. */
  readonly gone: Map<number, string>;
  /** What a rollback that was cut off has dealt with… */
  readonly undone: Map<string, StepVerdict>;
  /** …and what it was at. */
  readonly undoing: Set<string>;
}

/** A step that was over. */
export interface EarlierStepLine {
  readonly status: "passed" | "failed" | "skipped";
  readonly output: Json | undefined;
}

/** What follows a passed run: it is rolled back after all, or what that took is put in place again. */
export interface LateChange {
  readonly kind: "undo" | "redo";
  /** The first action that it is about. */
  readonly from: number;
}
