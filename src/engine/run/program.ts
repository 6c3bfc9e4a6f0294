import type { PlannedProgram, ProgramPart } from "../plan/planned-program.ts";
import type { RunContext } from "./run-context.ts";
import type { Standing } from "./standing.ts";

/** A workflow that is a program: its steps are known when it makes them. They go through the same engine as a file's. */
export interface Program extends PlannedProgram {
  /** Runs a part of it. Throws what stops the flow. */
  run(part: ProgramPart, at: Omit<Standing, "path">, run: RunContext): Promise<void>;
}
