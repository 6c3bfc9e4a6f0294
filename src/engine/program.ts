import type { Standing } from "./perform.ts";
import type { PlanStanding, PlanWalk } from "./plan-walk.ts";
import type { RunContext } from "./run-context.ts";

/** The part of a workflow that its steps are made in. */
export type ProgramPart = "before" | "steps" | "after";

/** A workflow that is a program: its steps are known when it makes them. They go through the same engine as a file's. */
export interface Program {
  /** Runs a part of it. Throws what stops the flow. */
  run(part: ProgramPart, at: Omit<Standing, "path">, run: RunContext): Promise<void>;
  /** Follows a part of it without doing anything. Answers why what follows cannot be known; undefined: all of it is. */
  plan(part: ProgramPart, walk: PlanWalk, at: PlanStanding): Promise<string | undefined>;
}
