import { resolve } from "node:path";
import { cwd } from "node:process";
import { BackstepError, type Json } from "../base/error.ts";
import { DEEPEST_JSON } from "../base/json.ts";
import { defined } from "../base/defined.ts";
import { Gate, OPEN_PORTS } from "../contract/gate.ts";
import type { CliArgument, CliView, Operation } from "../contract/operation.ts";
import type { Arguments, Command, OptionSpec } from "./command.ts";
import { ON_ONE_DESKTOP } from "./desktop-options.ts";
import { table } from "../report/layout.ts";
import { harmless } from "../report/style.ts";
import { baselinesOf } from "../operations/baseline-folder.ts";
import { Duration, milliseconds } from "../operations/duration.ts";
import { usage } from "./arguments.ts";
import type { Io } from "./io.ts";
import { deeperThan } from "../workflow/depth.ts";
import { onOneDesktop } from "./with-session.ts";
import { pairs } from "./workflow-file.ts";

const APP: OptionSpec = {
  name: "app",
  kind: "string",
  value: "<name>",
  description: "The application: its name, id or process id (default: the only one that runs)",
};
const TIMEOUT: OptionSpec = {
  name: "timeout",
  kind: "string",
  value: "<time>",
  description: "How long it may take: 500ms, 5s, or milliseconds",
};

/** The subcommand of an operation, made from its command line view. */
export function operationCommand(
  operation: Operation,
  view: CliView,
  all: () => readonly Operation[],
): Command {
  const own = view.options.map(optionOf);
  // Where an operation has such an option itself, that is the one.
  const common = [APP, TIMEOUT, ...ON_ONE_DESKTOP].filter((o) => !own.some(({ name }) => name === o.name));
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
    options: [...own, ...common],
    ...defined({ examples: view.examples }),
    run: (args, io) => runOperation(operation, view, all(), args, io),
  };
}

const PLACEHOLDERS = {
  string: "<text>",
  number: "<n>",
  path: "<file>",
  time: "<time>",
  comparison: "<text>",
  variable: "<k=v>",
} as const;

function optionOf(argument: CliArgument): OptionSpec {
  const kind = argument.kind ?? "string";
  return {
    name: argument.name ?? argument.property,
    kind: kind === "number" || kind === "boolean" ? kind : "string",
    description: argument.description,
    ...(kind === "boolean" ? { deniable: true } : { value: PLACEHOLDERS[kind] }),
    ...(argument.multiple ? { multiple: true } : {}),
  };
}

/** Paths in workflow files are confined to their folder; what a person names on the command line may be anywhere. */
const ANYWHERE = "/";

async function runOperation(
  operation: Operation,
  view: CliView,
  operations: readonly Operation[],
  args: Arguments,
  io: Io,
): Promise<number> {
  const input = await inputOf(view, args);
  const app = args.string("app");
  const timeout = view.options.some((o) => (o.name ?? o.property) === "timeout")
    ? undefined
    : timeoutOf(view, args.string("timeout"));
  // A bad input must not cost a desktop.
  operation.parse(input);
  return await onOneDesktop({ name: view.command }, args, io, defined({ app }), async (session, stop) => {
    const gate = new Gate({
      operations,
      session,
      folder: ANYWHERE,
      ports: { ...OPEN_PORTS, policy: (await import("./consent.ts")).consent() },
      baselines: baselinesOf(cwd(), "none"),
    });
    const { shown } = await gate.dispatch({ operation: operation.name, input }, {
      signal: stop,
      ...defined({ app, timeout }),
    });
    io.json(shown.json());
    io.exact(finished(forTerminal(shown.text(), io)));
    // A one-shot look-up that found nothing is no error, and ends with 1.
    return shown.found ? 0 : 1;
  });
}

function timeoutOf(view: CliView, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const duration = Duration.safeParse(timeOf(text));
  const time = duration.success ? milliseconds(duration.data) : 0;
  if (time >= 1 && time <= 600_000) return time;
  throw usage(
    { name: view.command },
    `--timeout is a time up to 10 minutes, such as 500ms or 5s; not "${text}"`,
  );
}

/** Milliseconds without a unit are a number. */
function timeOf(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

async function inputOf(view: CliView, args: Arguments): Promise<{ [property: string]: Json }> {
  const input: { [property: string]: Json } = {};
  for (const [index, positional] of view.positionals.entries()) {
    const words = positional.rest ? args.positionals.slice(index) : args.positionals.slice(index, index + 1);
    if (words.length > 0) input[positional.property] = typed(positional, words.join(" "));
  }
  for (const option of view.options) {
    const name = option.name ?? option.property;
    if (option.kind === "boolean") {
      if (args.given(name)) input[option.property] = args.boolean(name);
    } else if (option.kind === "variable") {
      if (args.given(name)) input[option.property] = pairs({ name: view.command }, args.strings(name), name);
    } else if (option.multiple) {
      if (args.given(name)) input[option.property] = args.strings(name).map((value) => typed(option, value));
    } else {
      const value = args.string(name);
      if (value === undefined) continue;
      input[option.property] = option.kind === "comparison"
        ? await comparisonOf(option, value)
        : typed(option, value);
    }
  }
  return input;
}

function typed(argument: CliArgument, text: string): Json {
  if (argument.kind === "number") return Number(text);
  if (argument.kind === "time") return timeOf(text);
  // "~/…" that the shell left alone is in the desktop's own HOME.
  if (argument.kind === "path") return text.startsWith("~/") ? text : resolve(text);
  if (argument.kind === "boolean") {
    if (text === "true" || text === "false") return text === "true";
    throw new BackstepError(
      "usage",
      `Cannot read ${argument.name ?? argument.property}: it is true or false, not "${text}"`,
    );
  }
  return text;
}

/** What is written as a map is one; anything else is a text. */
async function comparisonOf(argument: CliArgument, text: string): Promise<Json> {
  if (!/^\s*\{.*\}\s*$/s.test(text)) return text;
  // Only here: reading it takes longer than most commands do.
  const { parse, Parser } = await import("yaml");
  try {
    // What follows recurses, and would end by the stack: the parser of tokens does not.
    if (deeperThan([...new Parser().parse(text)], DEEPEST_JSON) !== undefined) {
      throw new RangeError(`it nests deeper than ${DEEPEST_JSON} levels`);
    }
    const value: Json = parse(text);
    return value;
  } catch (cause) {
    throw new BackstepError(
      "usage",
      `Cannot read --${argument.name ?? argument.property}: ${
        cause instanceof Error ? cause.message.split("\n")[0] : text
      }`,
      { hint: `Write a map such as '{ at_least: 2 }'; a text in braces is '{ equals: "{…}" }'.`, cause },
    );
  }
}

/** For a terminal: nothing that an application wrote may steer it, and what tabs part stands in columns. */
function forTerminal(text: string, io: Io): string {
  if (!io.terminal) return text;
  const lines = harmless(text).split("\n");
  return (lines.every((line) => line.includes("\t")) ? table(lines.map((line) => line.split("\t"))) : lines)
    .join("\n");
}

function finished(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
