import { wrap } from "../report/layout.ts";
import type { Style } from "../report/style.ts";
import { type Command, optionsOf, type OptionSpec } from "./command.ts";

/** What the program says of itself when nothing else is asked. */
export function overview(
  groups: readonly (readonly [string, readonly Command[]])[],
  style: Style,
  columns: number,
): string {
  const lines = [
    `${style.bold("backstep")}  desktop workflows where every step knows the way back`,
    "",
    `${style.bold("Usage")}  backstep <command> [arguments] [--format text|json|quiet]`,
  ];
  const names = groups.flatMap(([, commands]) => commands.map((c) => c.name));
  for (const [title, commands] of groups) {
    lines.push(
      "",
      style.bold(title),
      ...entries(commands.map((c) => [c.name, c.summary]), style, columns, names),
    );
  }
  lines.push(
    "",
    style.bold("Exit codes"),
    ...entries(EXITS, style, columns),
    "",
    "Run `backstep <command> --help` for its arguments, options and examples.",
    "",
  );
  return lines.join("\n");
}

const EXITS: readonly (readonly [string, string])[] = [
  ["0", "passed"],
  ["1", "failed, or nothing was found; everything that had to be rolled back was rolled back"],
  ["2", "the command line or the workflow file is invalid; nothing was launched"],
  ["3", "failed, and something could not be rolled back; the output names it"],
  ["4", "in doubt: the rollback failed, or it is not known whether a step happened"],
  ["130", "interrupted and rolled back"],
];

/** The help of one subcommand, laid out for so many columns. */
export function commandHelp(command: Command, style: Style, columns = 100): string {
  const words = command.positionals.map((p) => {
    const word = p.rest ? `<${p.name}>…` : `<${p.name}>`;
    return p.required ? word : `[${word}]`;
  });
  const lines = [
    ...wrap(command.summary, columns),
    "",
    `${style.bold("Usage")}  backstep ${[command.name, ...words].join(" ")} [options]`,
  ];
  for (const paragraph of command.details ?? []) lines.push("", ...hanging(paragraph, columns));
  if (command.positionals.length > 0) {
    lines.push("", style.bold("Arguments"));
    lines.push(...entries(command.positionals.map((p) => [`<${p.name}>`, p.description]), style, columns));
  }
  lines.push("", style.bold("Options"));
  lines.push(
    ...entries(optionsOf(command).map((o) => [written(o), o.description]), style, columns),
  );
  if (command.examples && command.examples.length > 0) {
    lines.push("", style.bold("Examples"));
    for (const example of command.examples) lines.push(`  ${example}`);
  }
  return [...lines, ""].join("\n");
}

/** Names on the left, what they are on the right, wrapped below itself; as wide as the widest of `all` names. */
function entries(
  list: readonly (readonly [string, string])[],
  style: Style,
  columns: number,
  all: readonly string[] = list.map(([name]) => name),
): string[] {
  const width = Math.max(...all.map((name) => name.length));
  return list.flatMap(([name, text]) => {
    const [first = "", ...rest] = wrap(text, columns - width - 4);
    return [
      `  ${style.accent(name.padEnd(width))}  ${first}`,
      ...rest.map((line) => `${" ".repeat(width + 4)}${line}`),
    ];
  });
}

/** A paragraph; one that begins with "word:" is wrapped below what follows the word. */
function hanging(paragraph: string, columns: number): string[] {
  const indent = /^\w+:\s+/.exec(paragraph)?.[0].length ?? 0;
  const [first = "", ...rest] = wrap(paragraph.slice(indent), columns - indent);
  return [paragraph.slice(0, indent) + first, ...rest.map((line) => " ".repeat(indent) + line)];
}

function written(option: OptionSpec): string {
  const no = option.deniable ? "[no-]" : "";
  const value = option.value ?? "<value>";
  if (option.kind === "boolean") return `--${no}${option.name}`;
  return option.optional ? `--${option.name}[=${value}]` : `--${option.name} ${value}`;
}
