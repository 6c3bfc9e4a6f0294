import type { Json } from "../../base/error.ts";
import type { RollbackResult, StepResult } from "../../contract/events.ts";
import type { Passed } from "../model/passed.ts";
import type { UndoEntry } from "../rollback/undo-log.ts";

/** A step that was over before its run was cut off. */
export interface EarlierStep {
  readonly status: "passed" | "failed" | "skipped";
  readonly output: Json | undefined;
  readonly input: Json;
  /** Its actions, to be undone with the rest if need be. */
  readonly entries: readonly UndoEntry[];
  /** What it adds to the history; default: the step itself, where it acted. */
  readonly passed?: readonly Passed[];
  /** As it was reported; default: made of the rest. */
  readonly result?: StepResult;
}

/** What a run that was cut off had done already, by the paths of its steps. */
export interface Memory {
  /** Undefined: it was not over. */
  step(path: string): EarlierStep | undefined;
  /** Which way a condition went; undefined: it was not asked. */
  choice(path: string, what: "if" | "branch" | "until"): boolean | undefined;
  /** The try of a transaction that had begun last; undefined: none had. */
  begun(path: string): { readonly attempt: number; readonly committed: boolean } | undefined;
  passedSavepoint(path: string): boolean;
  /** What came of a `rollback_to:` that was over. */
  rollbackTo(path: string): RollbackResult | undefined;
}
