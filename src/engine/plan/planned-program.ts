import type { PlanStanding, PlanWalk } from "./plan-walk.ts";

/** The part of a workflow that its steps are made in. */
export type ProgramPart = "before" | "steps" | "after";

/** A workflow that is a program, as far as a plan needs it. */
export interface PlannedProgram {
  /** Follows a part of it without doing anything. Answers why what follows cannot be known; undefined: all of it is. */
  plan(part: ProgramPart, walk: PlanWalk, at: PlanStanding): Promise<string | undefined>;
}
