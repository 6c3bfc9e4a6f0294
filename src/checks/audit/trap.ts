import type { Stop, Walk } from "./walk.ts";

/** Presses that leave the focus where it is before that is a trap. */
const STUCK = 4;

/**
 * The element that neither direction left; undefined: there is none. A window with one control keeps the focus there, which
 * is no trap: something else must have had it.
 */
export function trapOf({ start, forward, backward }: Walk): string | undefined {
  const end = forward.at(-1)?.path;
  if (end === undefined || !isStuck(forward, end) || !isStuck(backward, end)) return undefined;
  return [start, ...forward].some(({ path }) => path !== undefined && path !== end) ? end : undefined;
}

function isStuck(stops: readonly Stop[], at: string): boolean {
  const last = stops.slice(-STUCK);
  return last.length === STUCK && last.every(({ path }) => path === at);
}
