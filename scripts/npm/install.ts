/**
 * Packs the npm package, installs it where nothing else is, and looks at what came of it.
 *
 * @module
 */
import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { must } from "./run.ts";

const Packed = z.array(z.object({
  filename: z.string(),
  size: z.number(),
  unpackedSize: z.number(),
  entryCount: z.number(),
})).length(1);

/** The tarball. */
export interface Tarball {
  readonly path: string;
  /** Bytes, and those of the files in it. */
  readonly size: number;
  readonly unpacked: number;
  readonly files: number;
}

/** npm, without its looking for newer ones of itself and for money. */
const QUIET = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];

/** `npm pack` into a folder. */
export async function pack(folder: string, into: string): Promise<Tarball> {
  mkdirSync(into, { recursive: true });
  const said = await must("npm", ["pack", "--json", "--pack-destination", into, ...QUIET], { cwd: folder });
  const [packed] = Packed.parse(JSON.parse(said));
  if (packed === undefined) throw new Error(`npm pack said nothing: ${said}`);
  const { filename, size, unpackedSize, entryCount } = packed;
  return { path: join(into, filename), size, unpacked: unpackedSize, files: entryCount };
}

/** Installs a tarball into a project that has nothing else, without running anyone's scripts; `more` are npm's options. */
export async function installInto(
  folder: string,
  tarball: string,
  more: readonly string[] = [],
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await must("npm", [
    "install",
    "--save-dev",
    "--ignore-scripts",
    "--prefer-offline",
    ...QUIET,
    ...more,
    tarball,
  ], {
    cwd: folder,
  });
}

/** What a folder holds. */
export interface Size {
  /** Bytes of its files. */
  readonly bytes: number;
  readonly files: number;
}

/** The bytes and the number of the files below a folder; what links lead to is not counted. */
export function sizeOf(folder: string): Size {
  let bytes = 0, files = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += lstatSync(join(entry.parentPath, entry.name)).size;
    files++;
  }
  return { bytes, files };
}

/** Bytes in words. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
