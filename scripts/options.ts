import process from "node:process";
import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * The options and arguments that a command of this folder was called with, as `parseArgs` of node:util has them. `--help` prints the
 * usage and ends with 0; an option that the command does not have is named above it, and ends with 2.
 *
 * @example
 * ```ts
 * import { optionsOf } from "./options.ts";
 *
 * const { values } = optionsOf("deno task soak [--calls N]", { options: { calls: { type: "string", default: "100" } } });
 * console.log(values.calls);
 * ```
 */
export function optionsOf<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  const asked = process.argv.slice(2);
  if (asked.includes("--help") || asked.includes("-h")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (thrown) {
    misused(usage, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** Ends a command with 2, since it was called with what it cannot do. */
export function misused(usage: string, why: string): never {
  console.error(`${why}\n\n${usage}`);
  process.exit(2);
}
