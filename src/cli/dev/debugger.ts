import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { ReachedStep } from "../../engine/interactive/steering.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command, OptionSpec } from "../command.ts";

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

/** The debugger that a command line asks for. */
export function debuggerOf(command: Command, args: Arguments, otherwise: Pace): Debugger {
  const breakpoints = args.strings("break").map((text) => {
    const [, file, line] = /^(.+):(\d+)$/.exec(text) ?? [];
    if (file === undefined || line === undefined) {
      throw usage(command, `--break takes FILE:LINE, not "${text}"`);
    }
    return { file: realOf(file), line: Number(line) };
  });
  return new Debugger(breakpoints, args.boolean("debug") && breakpoints.length === 0 ? "step" : otherwise);
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
