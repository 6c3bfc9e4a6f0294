import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A runtime that is no Deno, as `tools/references` pins it. */
export interface Runtime {
  readonly name: string;
  readonly program: string;
}

const RUNTIMES: readonly (readonly [name: string, path: string])[] = [
  ["node 22", "node-22-linux-x64/bin/node"],
  ["node 24", "node-24-linux-x64/bin/node"],
  ["bun", "bun-linux-x64/bin/bun"],
];

/** Those that are there: `tools/setup.sh --references` brings them on x64. */
export const runtimes: readonly Runtime[] = RUNTIMES.map(([name, path]) => ({
  name,
  program: fileURLToPath(new URL(`../../tools/references/node_modules/${path}`, import.meta.url)),
})).filter(({ program }) => existsSync(program));

/** Why there are none; undefined: there are. */
export const runtimesMissing = runtimes.length === RUNTIMES.length
  ? undefined
  : "tools/setup.sh --references was not run, or this is no x64";
