import type { Step } from "../model/step.ts";
import type { RollbackResult } from "../../contract/events.ts";
import type { EarlierStep } from "./earlier-steps.ts";
import type { Standing } from "./standing.ts";

/** Accompanies the flow of a run that can go back to its steps: hears where it is, and may stop it there. */
export interface Guide {
  /** What fails in a transaction stays as it is, so that a person can look at it. */
  readonly keepsFailures: boolean;
  /** Before a step of any kind. It may wait, and throws `FlowStopped` where the flow is to stop here. */
  before(step: Step, at: Standing): Promise<void>;
  /** An operation step is over. */
  over(path: string, done: EarlierStep): void;
  chose(path: string, what: "if" | "branch" | "until", value: boolean): void;
  committed(path: string, attempt: number): void;
  /** What was done inside is undone, and is tried again. */
  triedAgain(path: string): void;
  rolledBackTo(path: string, back: RollbackResult): void;
}
