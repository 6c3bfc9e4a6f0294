import process from "node:process";
import { forTerminal } from "../report/style.ts";

/** One of the process' streams. */
export type Stream = "stdout" | "stderr";

/** Somebody looks at it. */
export function isTerminal(stream: Stream): boolean {
  return process[stream].isTTY === true;
}

/** The one place that text goes to a terminal, or to a log that one will show: no control character of others passes. */
export function write(stream: Stream, text: string): void {
  process[stream].write(forTerminal(text));
}

/** Exactly as it is where a program reads it; on a terminal as `write`. */
export function writeExact(stream: Stream, text: string): void {
  process[stream].write(isTerminal(stream) ? forTerminal(text) : text);
}

/** Resolves when all that was written has left the process, or nobody reads it any more. */
export async function flushed(): Promise<void> {
  const left = (stream: Stream) => new Promise<void>((resolve) => process[stream].write("", () => resolve()));
  await Promise.all([left("stdout"), left("stderr")]);
}

/**
 * A reader that went away (`backstep tree | head -1`) ends nothing: what has begun on a desktop is finished and cleaned
 * up, unheard.
 */
export function ignoreHangUps(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners("error").includes(onStreamError)) stream.on("error", onStreamError);
  }
}

function onStreamError(error: Error): void {
  if (!("code" in error) || error.code !== "EPIPE") throw error;
}
