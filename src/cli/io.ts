import process from "node:process";
import type { ErrorJson } from "../base/error.ts";
import { failureLines } from "../report/error.ts";
import { COLOUR, PLAIN, type Style } from "../report/style.ts";

/** How a command answers. */
export type Format = "text" | "json" | "quiet";

/** Where a command writes: results to standard output, everything else to standard error. */
export interface Io {
  readonly format: Format;
  readonly style: Style;
  /** Standard output is a terminal. */
  readonly terminal: boolean;
  /** It is one that can clear a line: what runs may be shown live. */
  readonly live: boolean;
  readonly columns: number;
  /** Text for people; nothing when the format is json or quiet. */
  text(text: string): void;
  /** The result of `--format json`; nothing otherwise. */
  json(value: unknown): void;
  /** As it is, whatever the format but quiet: completion scripts. */
  raw(text: string): void;
  /** A line on standard error, in every format but quiet. */
  note(text: string): void;
  /** A line on standard error for a person who looks on; nothing in logs and for programs. */
  aside(text: string): void;
  error(error: ErrorJson): void;
}

/** The process' own streams. Colour only on a terminal, and neither with NO_COLOR nor TERM=dumb. */
export function processIo(format: Format): Io {
  for (const stream of [process.stdout, process.stderr]) ignoreHangUp(stream);
  const terminal = process.stdout.isTTY === true;
  const colours = !process.env.NO_COLOR && process.env.TERM !== "dumb";
  const errorStyle = process.stderr.isTTY === true && colours ? COLOUR : PLAIN;
  return {
    format,
    style: terminal && colours ? COLOUR : PLAIN,
    terminal,
    live: terminal && process.env.TERM !== "dumb",
    get columns() {
      return process.stdout.columns || 80;
    },
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
    aside(text) {
      if (format === "text" && process.stderr.isTTY === true) {
        process.stderr.write(`${errorStyle.dim(text)}\n`);
      }
    },
    error(error) {
      if (format === "quiet") return;
      if (format === "json") {
        process.stdout.write(`${JSON.stringify({ error })}\n`);
        return;
      }
      const columns = process.stderr.isTTY === true ? process.stderr.columns || 80 : Infinity;
      for (const line of failureLines(error, errorStyle, columns)) process.stderr.write(`${line}\n`);
    },
  };
}

/**
 * A reader that went away (`backstep tree | head -1`) ends nothing: what has begun on a desktop is finished and cleaned
 * up, unheard.
 */
function ignoreHangUp(stream: NodeJS.WriteStream): void {
  if (!stream.listeners("error").includes(onStreamError)) stream.on("error", onStreamError);
}

function onStreamError(error: Error): void {
  if (!("code" in error) || error.code !== "EPIPE") throw error;
}
