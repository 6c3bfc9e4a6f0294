import process from "node:process";
import { closest } from "../base/closest.ts";
import { BackstepError, type ErrorCode, toBackstepError } from "../base/error.ts";
import { readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { commandHelp, overview } from "./help.ts";
import { type Format, type Io, processIo } from "./io.ts";
import { VERSION } from "./version.ts";

/** Codes that are the caller's input: exit 2. */
const USAGE: ReadonlySet<ErrorCode> = new Set(["usage", "workflow", "selector", "invalid"]);

/**
 * Runs the command line and answers the exit code. It never throws: what goes wrong is told on standard error, or as
 * `{"error": …}` on standard output with `--format json`.
 */
export async function main(words: readonly string[]): Promise<number> {
  const io = processIo(formatOf(words));
  try {
    const { name, rest } = commandFirst(words);
    if (name === "--version" || name === "-V") {
      io.raw(`backstep ${VERSION}\n`);
      return 0;
    }
    const groups = await commandsFor(name);
    if (name === undefined || name === "--help" || name === "-h" || name === "help") {
      const about = name === "help" ? rest[0] : undefined;
      if (about === undefined) {
        io.raw(overview(groups, io.style, lineOf(io)));
        return name === undefined ? 2 : 0;
      }
      io.raw(commandHelp(find(about, groups), io.style, lineOf(io)));
      return 0;
    }
    const command = find(name, groups);
    const args = readArguments(command, rest);
    if (args.boolean("help")) {
      io.raw(commandHelp(command, io.style, lineOf(io)));
      return 0;
    }
    return await command.run(args, io);
  } catch (thrown) {
    const error = toBackstepError(thrown);
    io.error(error.toJSON());
    if (error.code === "internal" && error.cause instanceof Error && process.env.BACKSTEP_DEBUG) {
      io.note(error.cause.stack ?? "");
    }
    return error.code === "cancelled" ? 130 : USAGE.has(error.code) ? 2 : 1;
  }
}

/** A client of `mcp` waits for its server's first answer: there the others stay unloaded. */
async function commandsFor(
  name: string | undefined,
): Promise<readonly (readonly [string, readonly Command[]])[]> {
  if (name === "mcp") return [["Models", [(await import("./commands/mcp.ts")).mcp]]];
  return (await import("./commands.ts")).groups;
}

/** Columns that help is laid out for: the terminal's, but no more than one reads with ease. */
function lineOf(io: Io): number {
  return io.terminal ? Math.min(io.columns, 110) : 100;
}

function find(name: string, groups: readonly (readonly [string, readonly Command[]])[]): Command {
  const commands = groups.flatMap(([, list]) => list);
  const command = commands.find((c) => c.name === name);
  if (command) return command;
  const near = closest(name, commands.map((c) => c.name));
  throw new BackstepError("usage", `Cannot run backstep ${name}: there is no such command`, {
    hint: near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "Run `backstep --help` for the list.",
  });
}

/** `backstep --format json apps` is `backstep apps --format json`. */
function commandFirst(words: readonly string[]): { name: string | undefined; rest: string[] } {
  let at = 0;
  while (at < words.length && words[at]?.startsWith("--format")) at += words[at] === "--format" ? 2 : 1;
  return { name: words[at], rest: [...words.slice(at + 1), ...words.slice(0, at)] };
}

/** The format is needed before arguments are read, since reading them may fail; a bad value is told there. */
function formatOf(words: readonly string[]): Format {
  const at = words.findIndex((w) => w === "--format" || w.startsWith("--format="));
  const word = words[at] ?? "";
  const value = word.includes("=") ? word.slice("--format=".length) : words[at + 1];
  return at >= 0 && (value === "json" || value === "quiet") ? value : "text";
}
