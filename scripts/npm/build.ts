/**
 * Building the npm package and trying it: what `deno task npm` and the tests do.
 *
 * @module
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { wrapped } from "../words/wrap.ts";
import { apiReference } from "./api.ts";
import { assemble } from "./assemble.ts";
import type { BuiltCore } from "./core.ts";
import { installInto, megabytes, pack, type Size, sizeOf, type Tarball } from "./install.ts";
import { DIST, ROOT, RUNTIMES } from "./place.ts";
import { inspectPage } from "./inspect-page.ts";
import { must, run } from "./run.ts";

/** The reference of the library, which is made from the package's declarations. */
export const REFERENCE = join(ROOT, "docs/reference/api.md");

/** Bytes that `node_modules` may have after the package was installed. What would make it larger is an optional peer. */
export const MOST_INSTALLED = 40e6;

/** What was built, and what was seen of it. */
export interface Built {
  readonly tarball: Tarball;
  readonly installed: Size;
  /** The project that it is installed in. */
  readonly project: string;
  readonly cores: readonly BuiltCore[];
  readonly seconds: number;
  /** `docs/reference/api.md` as it is to be. */
  readonly reference: string;
  /** A line for each command that was run from the installed package. */
  readonly ran: readonly string[];
}

/** Emits, packs, installs and runs. Rejects where any of that fails, or the install is too large. */
export async function build(): Promise<Built> {
  const began = performance.now();
  const { folder, cores } = await assemble(ROOT, DIST);
  const packs = join(DIST, "pack");
  rmSync(packs, { recursive: true, force: true });
  const tarball = await pack(folder, packs);
  const project = join(DIST, "installed");
  await installInto(project, tarball.path);
  const installed = sizeOf(join(project, "node_modules"));
  if (installed.bytes > MOST_INSTALLED) {
    throw new Error(
      `node_modules has ${megabytes(installed.bytes)}, and may have ${
        megabytes(MOST_INSTALLED)
      }: make what is new an optional peer (scripts/npm/manifest.ts)`,
    );
  }
  const ran = await tryOut(project);
  const reference = wrapped(apiReference(folder, readFileSync(join(ROOT, "mod.ts"), "utf8")));
  return { reference, tarball, installed, project, cores, seconds: (performance.now() - began) / 1_000, ran };
}

/** Runs it as a person would, with the oldest Node that it supports. */
async function tryOut(project: string): Promise<string[]> {
  const [oldest] = RUNTIMES;
  if (oldest === undefined) throw new Error("there is no runtime to try it with");
  const options = { cwd: project, path: [oldest.bin] };
  const npx = (...args: string[]) => must("npx", ["--no-install", "backstep", ...args], options);
  const version = (await npx("--version")).trim();
  const demo = await run("npx", ["--no-install", "backstep", "demo", "--session", "simulated"], options);
  if (demo.code !== 0) {
    throw new Error(`backstep demo ended with ${demo.code}:\n${demo.stdout}${demo.stderr}`);
  }
  const page = await inspectPage(project, oldest.bin);
  return [
    page,
    `backstep --version: ${version}`,
    `backstep demo --session simulated: ${lastLine(demo.stdout)}`,
  ];
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
