import { z } from "zod";
import { commandHelp } from "../src/cli/help.ts";
import { groups } from "../src/cli/commands.ts";
import type { Operation } from "../src/contract/operation.ts";
import { PLAIN } from "../src/report/style.ts";

const HEAD = "<!-- Made by `deno task schema` from the code; do not edit. -->\n";

/** Every operation: what it does, its YAML verb, its input and output. */
export function operationReference(operations: readonly Operation[]): string {
  const parts = [
    `${HEAD}\n# Operations\n\nEach operation is a verb in workflow files, and most are also commands. \`effect\` says what is needed to undo it; see`,
    "[transactions](../explanation/transactions.md).\n",
  ];
  for (const operation of operations) {
    const { name, title, description, hints, views } = operation;
    const flags = [
      hints.readOnly ? "read" : "write",
      ...(hints.idempotent ? ["idempotent"] : []),
      ...(hints.destructive && !hints.readOnly ? ["destructive"] : []),
    ];
    parts.push(
      `## ${name}\n`,
      `${title}. ${description}\n`,
      `*${flags.join(", ")}*\n`,
    );
    if (views.yaml) parts.push(`YAML verb: \`${views.yaml.verb}\`\n`);
    if (views.cli) parts.push(`Command: \`backstep ${views.cli.command}\`\n`);
    parts.push(
      table("Input", operation.inputSchema),
      table("Output", operation.outputSchema),
    );
  }
  return `${parts.join("\n").trimEnd()}\n`;
}

interface Property {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Property[];
  readonly $ref?: string;
  readonly const?: unknown;
}

function table(title: string, schema: Operation["inputSchema"]): string {
  const json = z.object({
    properties: z.record(z.string(), z.custom<Property>()).optional(),
    required: z.array(z.string()).optional(),
  }).loose().safeParse(
    schema.toJSONSchema({
      unrepresentable: "any",
      io: title === "Input" ? "input" : "output",
    }),
  );
  const properties = Object.entries(json.data?.properties ?? {});
  if (properties.length === 0) return `${title}: nothing.\n`;
  const rows = properties.map(([name, property]) =>
    `| \`${name}\`${json.data?.required?.includes(name) ? "" : "?"} | ${typeOf(property)} | ${
      cell(property.description ?? "")
    } |`
  );
  return [`| ${title} | type | |`, "|---|---|---|", ...rows, ""].join("\n");
}

function typeOf(property: Property): string {
  if (property.enum) {
    return property.enum.map((value) => `\`${String(value)}\``).join(" ");
  }
  if (property.const !== undefined) return `\`${String(property.const)}\``;
  if (property.anyOf) {
    return [...new Set(property.anyOf.map(typeOf))].join(" or ");
  }
  if (property.$ref !== undefined) return "map";
  const { type } = property;
  if (type === undefined) return "any";
  return typeof type === "string"
    ? (type === "object" ? "map" : type === "array" ? "list" : type)
    : type.join(" or ");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** Every subcommand, as its own help shows it. */
export function commandReference(): string {
  const parts = [`${HEAD}\n# Command line\n`];
  for (const [title, commands] of groups) {
    parts.push(`## ${title}\n`);
    for (const command of commands) {
      parts.push(
        `### ${command.name}\n`,
        "```text",
        commandHelp(command, PLAIN).trimEnd(),
        "```\n",
      );
    }
  }
  return `${parts.join("\n").trimEnd()}\n`;
}
