import process from "node:process";
import type { ErrorJson } from "../base/error.ts";
import { errorLines } from "../report/list.ts";
import { COLOUR, PLAIN, type Style } from "../report/style.ts";

/** How a command answers. */
export type Format = "text" | "json" | "quiet";

/** Where a command writes: results to standard output, everything else to standard error. */
export interface Io {
  readonly format: Format;
  readonly style: Style;
  /** Standard output is a terminal. */
  readonly terminal: boolean;
  readonly columns: number;
  /** Text for people; nothing when the format is json or quiet. */
  text(text: string): void;
  /** The result of `--format json`; nothing otherwise. */
  json(value: unknown): void;
  /** As it is, whatever the format but quiet: completion scripts. */
  raw(text: string): void;
  /** A line on standard error, in every format but quiet. */
  note(text: string): void;
  error(error: ErrorJson): void;
}

/** The process' own streams. Colour only on a terminal, and neither with NO_COLOR nor TERM=dumb. */
export function processIo(format: Format): Io {
  const terminal = process.stdout.isTTY === true;
  const colours = !process.env.NO_COLOR && process.env.TERM !== "dumb";
  const errorStyle = process.stderr.isTTY === true && colours ? COLOUR : PLAIN;
  return {
    format,
    style: terminal && colours ? COLOUR : PLAIN,
    terminal,
    columns: process.stdout.columns ?? 80,
    text(text) {
      if (format === "text") process.stdout.write(text);
    },
    json(value) {
      if (format === "json") process.stdout.write(`${JSON.stringify(value)}\n`);
    },
    raw(text) {
      if (format !== "quiet") process.stdout.write(text);
    },
    note(text) {
      if (format !== "quiet") process.stderr.write(`${text}\n`);
    },
    error(error) {
      if (format === "quiet") return;
      if (format === "json") {
        process.stdout.write(`${JSON.stringify({ error })}\n`);
        return;
      }
      const [first = "", ...rest] = errorLines(error, errorStyle);
      process.stderr.write(`${errorStyle.bold("Error")} ${errorStyle.dim(`(${error.code})`)}: ${first}\n`);
      for (const line of rest) process.stderr.write(`  ${line}\n`);
    },
  };
}
