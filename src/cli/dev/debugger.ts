import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Workflow } from "../../engine/model/step.ts";
import type { ReachedStep } from "../../engine/interactive/steering.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command, OptionSpec } from "../command.ts";
import type { LoadedFile } from "../workflow-file.ts";
import { stepLines } from "./step-lines.ts";

/** What stops a run for a person. */
export const DEBUG: readonly OptionSpec[] = [
  {
    name: "debug",
    kind: "boolean",
    description: "Stop before the first step, and go on as you say: step, next, continue, back, quit",
  },
  {
    name: "break",
    kind: "string",
    value: "<file:line>",
    multiple: true,
    description: "Stop before the step at this line; may be repeated. A step `pause:` does the same",
  },
];

/** How a run goes on. */
export type Pace =
  /** To the next step, also one inside of this one. */
  | "step"
  /** To the next step that is not inside of this one. */
  | "next"
  /** To the next breakpoint. */
  | "continue";

/** A line of a file, before whose step a run stops. */
interface Breakpoint {
  readonly file: string;
  readonly line: number;
}

/** Decides before which steps a run stops. */
export class Debugger {
  readonly #breakpoints: readonly Breakpoint[];
  #pace: Pace;
  /** The step that it stopped before last: it goes on with that. */
  #from: string | undefined;

  constructor(breakpoints: readonly Breakpoint[], pace: Pace) {
    this.#breakpoints = breakpoints;
    this.#pace = pace;
  }

  /** The run goes on at this pace, from before a step. */
  goOn(pace: Pace, from: string | undefined): void {
    this.#pace = pace;
    this.#from = from;
  }

  asked(step: ReachedStep): "go" | "stop" {
    const from = this.#from;
    if (step.path === from) {
      // It stopped before it: from here on every step is another one.
      if (this.#pace !== "next") this.#from = undefined;
      return "go";
    }
    const inside = from !== undefined && /^[.[]/.test(step.path.slice(from.length)) &&
      step.path.startsWith(from);
    const stops = this.#pace === "step" || (this.#pace === "next" && !inside) || step.breaks ||
      this.#at(step);
    return stops ? "stop" : "go";
  }

  #at({ place }: ReachedStep): boolean {
    return this.#breakpoints.some(({ file, line }) => line === place.line && file === realOf(place.file));
  }
}

/** The debugger that a command line asks for. Throws `usage` for a line in which no step of the workflow begins. */
export function debuggerOf(
  command: Command,
  args: Arguments,
  { workflow, program }: Pick<LoadedFile, "workflow" | "program">,
  otherwise: Pace,
): Debugger {
  const breakpoints = args.strings("break").map((text) => {
    const [, file, line] = /^(.+):(\d+)$/.exec(text) ?? [];
    if (file === undefined || line === undefined) {
      throw usage(command, `--break takes FILE:LINE, not "${text}"`);
    }
    const breakpoint = { file: realOf(file), line: Number(line) };
    // The lines of a program are known when it makes its steps.
    if (program === undefined) mustBegin(command, breakpoint, text, workflow);
    return breakpoint;
  });
  return new Debugger(breakpoints, args.boolean("debug") && breakpoints.length === 0 ? "step" : otherwise);
}

function mustBegin(command: Command, { file, line }: Breakpoint, text: string, workflow: Workflow): void {
  const [, lines] = [...stepLines(workflow)].find(([named]) => realOf(named) === file) ?? [];
  if (lines?.has(line)) return;
  const near = [...lines ?? []].sort((a, b) => Math.abs(a - line) - Math.abs(b - line)).slice(0, 5);
  throw usage(
    command,
    `--break ${text}: no step begins there`,
    lines === undefined
      ? "The workflow has no steps in that file."
      : `Steps begin in lines ${near.sort((a, b) => a - b).join(", ")}.`,
  );
}

/** Does the command line ask for one? */
export function isDebugged(args: Arguments): boolean {
  return args.boolean("debug") || args.given("break");
}

function realOf(file: string): string {
  try {
    return realpathSync(resolve(file));
  } catch {
    return resolve(file); // a breakpoint in a file that is not there is never reached
  }
}
