/** Folders that the making of the npm package uses. @module */
import { dirname, join, resolve } from "node:path";
import { runtimes } from "./runtimes.ts";

/** The clone. */
export const ROOT = resolve(import.meta.dirname ?? ".", "../..");

/** Where the package is made; git does not keep it. */
export const DIST = join(ROOT, "dist");

/** The packages that only tests and checks use. */
export const REFERENCES = join(ROOT, "tools/references/node_modules");

/** A pinned runtime. */
export interface Runtime {
  readonly name: string;
  /** The program that runs a JavaScript file. */
  readonly program: string;
  /** Its folder, for PATH. */
  readonly bin: string;
}

/** The runtimes that the package is tried on: Node 22 first, which is the oldest that it supports. */
export const RUNTIMES: readonly Runtime[] = runtimes.map(({ name, program }) => ({
  name,
  program,
  bin: dirname(program),
}));
