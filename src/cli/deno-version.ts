import type { Finding } from "./findings.ts";

/** The first that closes the descriptor of a Unix socket once. */
const CLOSES_ONCE = [2, 9, 6] as const;

/**
 * What the doctor says of the Deno that runs it; undefined: there is nothing to say. Deno up to 2.9.5 closes the descriptor of
 * a Unix socket twice: the second time it may be what another thread has just opened, and the process may die of that.
 */
export function oldDeno(version: string | undefined): Finding | undefined {
  if (version === undefined) return undefined;
  const found = version.split(/[.+-]/).slice(0, 3).map(Number);
  const at = CLOSES_ONCE.findIndex((number, place) => number !== found[place]);
  if (at < 0 || (found[at] ?? 0) > (CLOSES_ONCE[at] ?? 0)) return undefined;
  return {
    name: "version of Deno",
    ok: false,
    needed: false,
    says: `${version} closes files that it does not own, and may end in the middle of a run`,
    fix: `Upgrade to ${CLOSES_ONCE.join(".")} or later: deno upgrade`,
  };
}
