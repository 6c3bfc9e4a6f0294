import process from "node:process";
import type { ErrorJson } from "../base/error.ts";
import { failureLines } from "../report/error.ts";
import { COLOUR, jsonText, PLAIN, type Style } from "../report/style.ts";
import { ignoreHangUps, isTerminal, write, writeExact } from "./terminal.ts";

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
  /** The same; exactly as an application wrote it where a program reads it. */
  exact(text: string): void;
  /** The result of `--format json`; nothing otherwise. */
  json(value: unknown): void;
  /** Whatever the format but quiet: help, completion scripts, SARIF. */
  raw(text: string): void;
  /** A line on standard error, in every format but quiet. */
  note(text: string): void;
  /** A line on standard error for a person who looks on; nothing in logs and for programs. */
  aside(text: string): void;
  error(error: ErrorJson): void;
}

/** The process' own streams. Colour only on a terminal, and neither with NO_COLOR nor TERM=dumb. */
export function processIo(format: Format): Io {
  ignoreHangUps();
  const terminal = isTerminal("stdout");
  const colours = !process.env.NO_COLOR && process.env.TERM !== "dumb";
  const errorStyle = isTerminal("stderr") && colours ? COLOUR : PLAIN;
  return {
    format,
    style: terminal && colours ? COLOUR : PLAIN,
    terminal,
    live: terminal && process.env.TERM !== "dumb",
    get columns() {
      return process.stdout.columns || 80;
    },
    text(text) {
      if (format === "text") write("stdout", text);
    },
    exact(text) {
      if (format === "text") writeExact("stdout", text);
    },
    json(value) {
      if (format === "json") write("stdout", `${jsonText(value)}\n`);
    },
    raw(text) {
      if (format !== "quiet") write("stdout", text);
    },
    note(text) {
      if (format !== "quiet") write("stderr", `${text}\n`);
    },
    aside(text) {
      if (format === "text" && isTerminal("stderr")) {
        write("stderr", `${errorStyle.dim(text)}\n`);
      }
    },
    error(error) {
      if (format === "quiet") return;
      if (format === "json") {
        write("stdout", `${jsonText({ error })}\n`);
        return;
      }
      const columns = isTerminal("stderr") ? process.stderr.columns || 80 : Infinity;
      for (const line of failureLines(error, errorStyle, columns)) write("stderr", `${line}\n`);
    },
  };
}
