import { parseArgs } from "node:util";
import { closest } from "../base/closest.ts";
import { BackstepError } from "../base/error.ts";
import { type Arguments, type Command, optionsOf, type OptionSpec, takesNextWord } from "./command.ts";

/**
 * Reads a subcommand's arguments. Everything that is wrong is a `usage` error that names the argument and, for a
 * misspelt option, the nearest one.
 */
export function readArguments(command: Command, words: readonly string[]): Arguments {
  const options = optionsOf(command);
  const byName = new Map(options.map((o) => [o.name, o]));
  const { tokens } = parseArgs({
    args: words.map((word) => NEGATIVE.test(word) ? NUMBER + word : word),
    options: Object.fromEntries(
      options.map((o) => [o.name, { type: takesNextWord(o) ? "string" as const : "boolean" as const }]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(plain(token.value));
    if (token.kind !== "option") continue;
    const option = byName.get(token.name === "h" ? "help" : token.name);
    const denied = option ? undefined : deniedBy(token.name, byName);
    const meant = option ?? denied;
    if (!meant) throw unknownOption(command, token.rawName, options);
    if (values.has(meant.name) && meant.multiple !== true) {
      throw usage(command, `--${meant.name} is given twice`);
    }
    // Without "=", the next word is its value; another option is none, but forgotten.
    const forgotten = token.inlineValue === false && token.value?.startsWith("--") === true;
    const value = denied && token.value === undefined
      ? "false"
      : valueOf(command, meant, forgotten || token.value === undefined ? undefined : plain(token.value));
    values.set(meant.name, [...values.get(meant.name) ?? [], value]);
  }
  if (!values.has("help")) checkPositionals(command, positionals);
  return {
    positionals,
    string: (name) => values.get(name)?.[0],
    strings: (name) => values.get(name) ?? [],
    number: (name) => values.has(name) ? Number(values.get(name)?.[0]) : undefined,
    boolean: (name) => values.get(name)?.[0] === "true",
    given: (name) => values.has(name),
  };
}

/** A negative number is a word like others, not an option named "5"; the mark hides its dash from the parser. */
const NEGATIVE = /^-\d/;
const NUMBER = "\0";

function plain(word: string): string {
  return word.startsWith(NUMBER) ? word.slice(NUMBER.length) : word;
}

/** The option that `--no-enabled` denies. */
function deniedBy(name: string, byName: ReadonlyMap<string, OptionSpec>): OptionSpec | undefined {
  const option = name.startsWith("no-") ? byName.get(name.slice("no-".length)) : undefined;
  return option?.deniable ? option : undefined;
}

function valueOf(command: Command, option: OptionSpec, value: string | undefined): string {
  if (option.kind === "boolean") {
    if (option.deniable && (value === "true" || value === "false")) return value;
    if (value !== undefined) throw usage(command, `--${option.name} takes no value`);
    return "true";
  }
  if (value === undefined && option.optional) return "";
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
  return new BackstepError("usage", `Cannot run backstep ${command.name}: ${what}`, {
    hint: hint ?? `Run \`backstep ${command.name} --help\`.`,
  });
}
