import type { Style } from "../report/style.ts";
import { type Command, COMMON, type OptionSpec } from "./command.ts";

/** What the program says of itself when nothing else is asked. */
export function overview(groups: readonly (readonly [string, readonly Command[]])[], style: Style): string {
  const width = Math.max(...groups.flatMap(([, commands]) => commands.map((c) => c.name.length)));
  const lines = [
    `${style.bold("backstep")}  desktop workflows where every step knows the way back`,
    "",
    `${style.bold("Usage")}  backstep <command> [arguments] [--format text|json|quiet]`,
  ];
  for (const [title, commands] of groups) {
    lines.push("", style.bold(title));
    for (const command of commands) {
      lines.push(`  ${style.accent(command.name.padEnd(width))}  ${command.summary}`);
    }
  }
  lines.push(
    "",
    `${style.bold("Exit codes")}  0 passed · 1 failed, nothing left behind · 2 usage or a faulty file`,
    "            3 something could not be taken back · 4 in doubt · 130 interrupted and taken back",
    "",
    "Run `backstep <command> --help` for one of them.",
    "",
  );
  return lines.join("\n");
}

/** The help of one subcommand. */
export function commandHelp(command: Command, style: Style): string {
  const words = command.positionals.map((p) => {
    const word = p.rest ? `<${p.name}>…` : `<${p.name}>`;
    return p.required ? word : `[${word}]`;
  });
  const lines = [
    command.summary,
    "",
    `${style.bold("Usage")}  backstep ${[command.name, ...words].join(" ")} [options]`,
  ];
  for (const paragraph of command.details ?? []) lines.push("", paragraph);
  if (command.positionals.length > 0) {
    lines.push("", style.bold("Arguments"));
    const width = Math.max(...command.positionals.map((p) => p.name.length)) + 2;
    for (const p of command.positionals) {
      lines.push(`  ${style.accent(`<${p.name}>`.padEnd(width))}  ${p.description}`);
    }
  }
  lines.push("", style.bold("Options"));
  const options = [...command.options, ...COMMON];
  const width = Math.max(...options.map((o) => written(o).length));
  for (const o of options) lines.push(`  ${style.accent(written(o).padEnd(width))}  ${o.description}`);
  if (command.examples && command.examples.length > 0) {
    lines.push("", style.bold("Examples"));
    for (const example of command.examples) lines.push(`  ${example}`);
  }
  return [...lines, ""].join("\n");
}

function written(option: OptionSpec): string {
  return option.kind === "boolean" ? `--${option.name}` : `--${option.name} ${option.value ?? "<value>"}`;
}
