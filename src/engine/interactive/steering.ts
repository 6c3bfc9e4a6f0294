import type { BackstepError } from "../../base/error.ts";
import type { StepResult, WentBack } from "../../contract/events.ts";
import type { Workflow } from "../model/step.ts";
import type { Program } from "../run/program.ts";
import type { Inside, RunOptions } from "../run/run-options.ts";
import type { Point } from "./track.ts";

/** A workflow as it is now, with the values of its variables. */
export interface FileNow extends Pick<RunOptions, "vars"> {
  readonly workflow: Workflow;
  /** What makes its steps, of a workflow that is a program. */
  readonly program?: Program | undefined;
}

/** What an interactive run is given: as any run, and the first state of its file. */
export interface InteractiveOptions
  extends
    Omit<RunOptions, "plan" | "vars" | "evidence" | "hardStop" | "signal">,
    Pick<Inside, "healing" | "sink"> {
  readonly file: FileNow;
}

/** A step that an interactive run has reached, as people are shown it. */
export interface ReachedStep extends Pick<Point, "path" | "name" | "operation" | "place" | "breaks"> {
  /** Undefined: it holds others, or is the one that failed and is done again. */
  readonly result: StepResult | undefined;
}

/** How far an interactive run is to go. */
export interface GoOn {
  /** The file as it is now; default: as it was. */
  readonly file?: FileNow;
  /** Stops before the step of this path. */
  readonly until?: string;
  /** Asked before each step that is about to be done, not of those that stand: "stop" stops before it. */
  readonly asked?: (step: ReachedStep) => Promise<"go" | "stop">;
  /** Fires: stop. What was done stands. */
  readonly signal?: AbortSignal;
}

/** Where an interactive run stands, and why. */
export interface Stop {
  /** "end": all steps passed. "failed": one failed; what it left stands. "stopped": `asked` said so. */
  readonly why: "end" | "failed" | "until" | "stopped" | "cancelled";
  /** The step that is next, or that failed and is next; undefined at the end. */
  readonly next?: Pick<ReachedStep, "path" | "name" | "operation" | "place">;
  readonly error?: BackstepError;
  /** How it went back first, where something was to be undone. */
  readonly went?: WentBack;
}
