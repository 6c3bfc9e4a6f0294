/**
 * Lays the npm package out in a folder: what was emitted, the schema, the core and its sources, the texts.
 *
 * @module
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildCore, buildMacCore, type BuiltCore, placeCore, TARGETS } from "./core.ts";
import { readProject } from "./dependencies.ts";
import { emit } from "./emit.ts";
import { manifestOf, repositoryOf } from "./manifest.ts";

/** Files and folders that are in the package as they are in the clone. The core's sources are for machines that no core fits. */
const AS_THEY_ARE = [
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "schema/workflow.json",
  "schema/config.json",
  "native/Makefile",
  "native/include",
  "native/src",
  "native/linux",
  "native/watcher",
  // What `backstep demo` runs.
  "workflows/calculator.yaml",
  "workflows/form-rollback.yaml",
  "workflows/simulated/calculator.yaml",
  "workflows/simulated/settings-rollback.yaml",
];

/** A package that was laid out. */
export interface Assembled {
  /** What `npm pack` packs. */
  readonly folder: string;
  readonly cores: readonly BuiltCore[];
}

/** Emits, builds and copies into `dist/emitted/tree`. */
export async function assemble(root: string, dist: string): Promise<Assembled> {
  const cores: BuiltCore[] = [];
  for (const target of TARGETS) cores.push(await buildCore(target, join(root, "native")));
  cores.push(await buildMacCore(join(root, "native")));
  // The packages that it is compiled beside must not lie above what is installed later.
  const { tree } = emit({ folder: join(dist, "emitted"), declarations: true });
  for (const path of AS_THEY_ARE) {
    const to = join(tree, path);
    rmSync(to, { recursive: true, force: true });
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(root, path), to, { recursive: true });
  }
  for (const core of cores) if ("folder" in core) placeCore(core, tree);
  const manifest = manifestOf(readProject(pathToFileURL(`${root}/`)), repositoryOf(root));
  writeFileSync(join(tree, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const bin = join(tree, "bin.js");
  if (!readFileSync(bin, "utf8").startsWith("#!/usr/bin/env node\n")) {
    throw new Error(`${bin} does not say what runs it`);
  }
  chmodSync(bin, 0o755);
  return { folder: tree, cores };
}
