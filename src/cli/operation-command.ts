import process from "node:process";
import { BackstepError, type Json } from "../base/error.ts";
import { Gate, OPEN_PORTS } from "../contract/gate.ts";
import type { CliArgument, CliView, Operation } from "../contract/operation.ts";
import { type Arguments, type Command, ON_A_DESKTOP, type OptionSpec } from "./command.ts";
import { usage } from "./arguments.ts";
import type { Io } from "./io.ts";
import { withSession } from "./with-session.ts";
import { interrupts } from "./signals.ts";

const APP: OptionSpec = {
  name: "app",
  kind: "string",
  value: "<name>",
  description: "The application meant: its name, id or pid (default: the only one that runs)",
};
const TIMEOUT: OptionSpec = {
  name: "timeout",
  kind: "number",
  value: "<ms>",
  description: "How long it may take, in milliseconds",
};

/** The subcommand of an operation, made from its command line view. */
export function operationCommand(
  operation: Operation,
  view: CliView,
  all: () => readonly Operation[],
): Command {
  return {
    name: view.command,
    summary: operation.title,
    details: [operation.description],
    positionals: view.positionals.map((p) => ({
      name: p.name ?? p.property,
      description: p.description,
      required: p.required === true,
      ...(p.rest ? { rest: true } : {}),
    })),
    options: [...view.options.map(optionOf), APP, TIMEOUT, ...ON_A_DESKTOP],
    ...(view.examples ? { examples: view.examples } : {}),
    run: (args, io) => runOperation(operation, view, all(), args, io),
  };
}

function optionOf(argument: CliArgument): OptionSpec {
  const kind = argument.kind ?? "string";
  return {
    name: argument.name ?? argument.property,
    kind,
    description: argument.description,
    ...(kind === "boolean" ? {} : { value: kind === "number" ? "<n>" : "<text>" }),
  };
}

async function runOperation(
  operation: Operation,
  view: CliView,
  operations: readonly Operation[],
  args: Arguments,
  io: Io,
): Promise<number> {
  const input = inputOf(view, args);
  const app = args.string("app");
  const timeout = args.number("timeout");
  if (timeout !== undefined && !(timeout >= 1 && timeout <= 600_000)) {
    throw usage({ name: view.command }, "--timeout is from 1 to 600000 milliseconds");
  }
  // A bad input must not cost a desktop.
  operation.parse(input);
  const asked = interrupts(() => {});
  try {
    return await withSession(
      {
        session: args.string("session") ?? "attach",
        ...(app === undefined ? {} : { app }),
        signal: asked.stop,
      },
      io,
      async (session) => {
        const gate = new Gate({ operations, session, folder: process.cwd(), ports: OPEN_PORTS });
        const { output } = await gate.dispatch({ operation: operation.name, input }, {
          signal: asked.stop,
          ...(app === undefined ? {} : { app }),
          ...(timeout === undefined ? {} : { timeout }),
        });
        io.json(output);
        io.text(ended(view.toText ? view.toText(output) : JSON.stringify(output, null, 2)));
        return foundNothing(output) ? 1 : 0;
      },
    );
  } finally {
    asked.release();
  }
}

function inputOf(view: CliView, args: Arguments): { [property: string]: Json } {
  const input: { [property: string]: Json } = {};
  for (const [index, positional] of view.positionals.entries()) {
    const words = positional.rest ? args.positionals.slice(index) : args.positionals.slice(index, index + 1);
    if (words.length > 0) input[positional.property] = typed(positional, words.join(" "));
  }
  for (const option of view.options) {
    const name = option.name ?? option.property;
    if (option.kind === "boolean") {
      if (args.boolean(name)) input[option.property] = true;
    } else {
      const value = args.string(name);
      if (value !== undefined) input[option.property] = typed(option, value);
    }
  }
  return input;
}

function typed(argument: CliArgument, text: string): Json {
  if (argument.kind === "number") return Number(text);
  if (argument.kind === "boolean") {
    if (text === "true" || text === "false") return text === "true";
    throw new BackstepError(
      "usage",
      `Cannot read ${argument.name ?? argument.property}: it is true or false, not "${text}"`,
    );
  }
  return text;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** A one-shot look-up that found nothing is no error, and ends with 1. */
function foundNothing(output: unknown): boolean {
  return typeof output === "object" && output !== null && "found" in output && output.found === false;
}
