import { MODES } from "../desktop/mode.ts";
import type { Io } from "./io.ts";

/** One option of a subcommand. */
export interface OptionSpec {
  /** Without the dashes: "session". */
  readonly name: string;
  readonly kind: "boolean" | "string" | "number";
  readonly description: string;
  /** What stands for the value in help: "<n>". */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** Values that completion offers where others are allowed too. */
  readonly suggests?: readonly string[];
  /** The value may be left out, and follows a "=" where it is not: `--shuffle`, `--shuffle=7`. */
  readonly optional?: boolean;
  /** May be given more than once. */
  readonly multiple?: boolean;
  /** A boolean that can be denied: `--no-enabled`, `--enabled=false`. */
  readonly deniable?: boolean;
}

/** Whether the word after an option is its value. */
export function takesNextWord({ kind, optional }: OptionSpec): boolean {
  return kind !== "boolean" && optional !== true;
}

/** One positional argument. */
export interface PositionalSpec {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Takes all that follow. */
  readonly rest?: boolean;
  /** For completion and help; whether they fit is judged by the command. */
  readonly choices?: readonly string[];
}

/** The values of a command line, checked against its command. */
export interface Arguments {
  readonly positionals: readonly string[];
  string(name: string): string | undefined;
  strings(name: string): readonly string[];
  number(name: string): number | undefined;
  /** False where it is not given, too. */
  boolean(name: string): boolean;
  given(name: string): boolean;
}

/** A subcommand. Its work is imported when it runs, so that `--help` and `--version` stay quick. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Paragraphs below the usage line. */
  readonly details?: readonly string[];
  readonly positionals: readonly PositionalSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples?: readonly string[];
  /** Answers the exit code. */
  run(args: Arguments, io: Io): Promise<number>;
}

/** Options that every subcommand takes. */
export const COMMON: readonly OptionSpec[] = [
  {
    name: "format",
    kind: "string",
    value: "<form>",
    choices: ["text", "json", "quiet"],
    description: "Output format: text (default), json, or quiet for the exit code only",
  },
  { name: "help", kind: "boolean", description: "Show this help" },
];

/** Every option that a subcommand takes; its own stand in for common ones of the same name. */
export function optionsOf({ options }: Pick<Command, "options">): readonly OptionSpec[] {
  return [...options, ...COMMON.filter(({ name }) => !options.some((own) => own.name === name))];
}

/** Options of every subcommand that needs a desktop. */
export const ON_A_DESKTOP: readonly OptionSpec[] = [
  {
    name: "session",
    kind: "string",
    suggests: ["attach", "isolated", "simulated"],
    value: "<kind>",
    description:
      "Which desktop: attach (your own), isolated (a new private one), simulated, or the id of a kept one",
  },
  {
    name: "mode",
    kind: "string",
    value: "<mode>",
    choices: MODES,
    description:
      "focus: may take the keyboard, the pointer and the active window; background: may not (default " +
      "on your own desktop). On a new private desktop this is always allowed",
  },
];
