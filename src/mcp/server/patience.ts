import type { McpCall } from "./call.ts";

/** Milliseconds of silence that a client is left in. */
export const PATIENCE = 1_000;

/**
 * Does something that may wait, an act for its element five seconds, and tells the client once what with, so that it knows
 * why nothing comes. What ends sooner tells nothing.
 */
export async function patiently<T>(
  what: string | undefined,
  call: Pick<McpCall, "progress">,
  action: () => Promise<T>,
  milliseconds = PATIENCE,
): Promise<T> {
  const timer = setTimeout(
    () => call.progress(what === undefined ? "Still busy" : `Still busy with '${what.slice(0, 60)}'`),
    milliseconds,
  );
  try {
    return await action();
  } finally {
    clearTimeout(timer);
  }
}
