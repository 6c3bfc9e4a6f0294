/** Folders that the making of the npm package uses. @module */
import { join, resolve } from "node:path";

/** The clone. */
export const ROOT = resolve(import.meta.dirname ?? ".", "../..");

/** Where the package is made; git does not keep it. */
export const DIST = join(ROOT, "dist");

/** The packages that only tests and checks use. */
export const REFERENCES = join(ROOT, "tools/references/node_modules");

/** A pinned runtime, from npm. */
export interface Runtime {
  readonly name: "node-22" | "node-24" | "bun";
  /** The folder of its program, for PATH. */
  readonly bin: string;
  /** The program that runs a JavaScript file. */
  readonly program: string;
}

/** The runtimes that the package is tried on. Their binaries come from npm, pinned in `tools/references/package.json`. */
export const RUNTIMES: readonly Runtime[] = [
  { name: "node-22", ...programOf("node-22-linux-x64", "node") },
  { name: "node-24", ...programOf("node-24-linux-x64", "node") },
  { name: "bun", ...programOf("bun-linux-x64", "bun") },
];

function programOf(folder: string, name: string): { bin: string; program: string } {
  const bin = join(REFERENCES, folder, "bin");
  return { bin, program: join(bin, name) };
}
