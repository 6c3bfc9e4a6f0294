import process from "node:process";
import { createInterface } from "node:readline";
import type { Format } from "../io.ts";

/** What a person, or a program, asks of a recording that runs. */
export type Order =
  /** Takes the last step back; `fileOnly`: not on the desktop. */
  | { readonly do: "undo"; readonly fileOnly: boolean }
  /** Stops recording, or goes on: undefined, whichever of both it is not doing. */
  | { readonly do: "pause"; readonly on: boolean | undefined }
  /** Asserts what lies there; undefined: where the pointer is. */
  | { readonly do: "check"; readonly at: { readonly x: number; readonly y: number } | undefined }
  | { readonly do: "end" }
  /** Answers a question, or means nothing. */
  | { readonly do: "other"; readonly text: string };

/** The keys of a terminal. */
export const KEYS = "u undo · p pause · a assert what is under the pointer · q end";
/** The lines of standard input. */
export const LINES: readonly string[] = [
  "undo",
  "undo-file",
  "pause",
  "resume",
  "assert",
  "assert <x>,<y>",
  "end",
];

/** Ends the listening. */
export type Release = () => void;

/**
 * Hears the keys of a terminal, or where a program asks for JSON the lines of standard input. The end of standard input
 * ends nothing.
 */
export function hearOrders(format: Format, heard: (order: Order) => void): Release {
  const { stdin } = process;
  if (stdin.isTTY === true && format === "text") {
    const keys = (data: Uint8Array) => {
      for (const key of new TextDecoder().decode(data)) heard(orderOfKey(key));
    };
    stdin.setRawMode(true);
    stdin.on("data", keys);
    stdin.resume();
    return () => {
      stdin.off("data", keys);
      stdin.setRawMode(false);
      stdin.pause();
    };
  }
  if (format !== "json") return () => {};
  const lines = createInterface({ input: stdin, terminal: false });
  lines.on("line", (line) => heard(orderOfLine(line.trim())));
  return () => lines.close();
}

/** What a key means. */
export function orderOfKey(key: string): Order {
  switch (key) {
    case "u":
      return { do: "undo", fileOnly: false };
    case "p":
      return { do: "pause", on: undefined };
    case "a":
      return { do: "check", at: undefined };
    case "q":
    case "\x03": // Ctrl-C, which the terminal sends as a key here
    case "\x04":
      return { do: "end" };
    default:
      return { do: "other", text: key };
  }
}

/** What a line means. */
export function orderOfLine(line: string): Order {
  const [, x, y] = /^assert (-?\d{1,6}),(-?\d{1,6})$/.exec(line) ?? [];
  if (x !== undefined && y !== undefined) return { do: "check", at: { x: Number(x), y: Number(y) } };
  if (line === "undo" || line === "undo-file") return { do: "undo", fileOnly: line === "undo-file" };
  if (line === "pause" || line === "resume") return { do: "pause", on: line === "pause" };
  if (/^assert$/.test(line)) return { do: "check", at: undefined };
  return line === "end" ? { do: "end" } : { do: "other", text: line };
}
