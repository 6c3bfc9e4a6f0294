import { parseArgs } from "node:util";
import { closest } from "../base/closest.ts";
import { BackstepError } from "../base/error.ts";
import { type Arguments, type Command, COMMON, type OptionSpec } from "./command.ts";

/**
 * Reads a subcommand's arguments. Everything that is wrong is a `usage` error that names the argument and, for a
 * misspelt option, the nearest one.
 */
export function readArguments(command: Command, words: readonly string[]): Arguments {
  const options = [...command.options, ...COMMON];
  const byName = new Map(options.map((o) => [o.name, o]));
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      options.map((o) => [o.name, { type: o.kind === "boolean" ? "boolean" as const : "string" as const }]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = byName.get(token.name === "h" ? "help" : token.name);
    if (!option) throw unknownOption(command, token.rawName, options);
    values.set(option.name, [...values.get(option.name) ?? [], valueOf(command, option, token.value)]);
    if ((values.get(option.name)?.length ?? 0) > 1 && option.multiple !== true && option.kind !== "boolean") {
      throw usage(command, `--${option.name} is given twice`);
    }
  }
  if (!values.has("help")) checkPositionals(command, positionals);
  return {
    positionals,
    string: (name) => values.get(name)?.[0],
    strings: (name) => values.get(name) ?? [],
    number: (name) => values.has(name) ? Number(values.get(name)?.[0]) : undefined,
    boolean: (name) => values.has(name),
  };
}

function valueOf(command: Command, option: OptionSpec, value: string | undefined): string {
  if (option.kind === "boolean") {
    if (value !== undefined) throw usage(command, `--${option.name} takes no value`);
    return "true";
  }
  if (value === undefined) throw usage(command, `--${option.name} needs a value`);
  if (option.choices && !option.choices.includes(value)) {
    throw usage(command, `--${option.name} is ${option.choices.join(", ")}; not "${value}"`);
  }
  if (option.kind === "number" && !(value.trim() !== "" && Number.isFinite(Number(value)))) {
    throw usage(command, `--${option.name} takes a number, not "${value}"`);
  }
  return value;
}

function unknownOption(command: Command, raw: string, options: readonly OptionSpec[]): BackstepError {
  const near = closest(raw.replace(/^-+/, ""), options.map((o) => o.name));
  return usage(
    command,
    `there is no option ${raw}`,
    near.length > 0 ? `Did you mean ${near.map((n) => `--${n}`).join(" or ")}?` : undefined,
  );
}

function checkPositionals(command: Command, given: readonly string[]): void {
  const missing = command.positionals.filter((p) => p.required)[given.length];
  if (missing) throw usage(command, `<${missing.name}> is missing`);
  const takesAll = command.positionals.some((p) => p.rest);
  const extra = given[command.positionals.length];
  if (!takesAll && extra !== undefined) throw usage(command, `"${extra}" is one argument too many`);
}

/** A `usage` error of a subcommand. */
export function usage(command: { readonly name: string }, what: string, hint?: string): BackstepError {
  return new BackstepError("usage", `Cannot ${command.name}: ${what}`, {
    hint: hint ?? `Run \`backstep ${command.name} --help\`.`,
  });
}
