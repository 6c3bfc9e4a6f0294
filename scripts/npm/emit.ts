/**
 * Emits the project as JavaScript, for runtimes that do not read its TypeScript: TypeScript's own compiler over a copy of the
 * sources, beside the npm packages that they import.
 *
 * `deno run -A scripts/npm/emit.ts FOLDER` leaves a tree in FOLDER/tree that runs: `node FOLDER/tree/bin.js`.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { readProject } from "./dependencies.ts";

const ROOT = new URL("../../", import.meta.url);
const REFERENCES = new URL("tools/references/node_modules/", ROOT);

/** What is emitted, and where to. */
export interface EmitOptions {
  /** A scratch folder. What an earlier emit left there is replaced; installed packages are kept. */
  readonly folder: string;
  /** Files and folders, from the project's root. Default: the command line, the library and `src`. */
  readonly roots?: readonly string[];
  /** Also tests and their fixtures: files named `_…` or `…_test.ts`. */
  readonly tests?: boolean;
  /** Also checks the types, and writes a `.d.ts` beside each file. */
  readonly declarations?: boolean;
}

/** What was emitted. */
export interface Emitted {
  /** The folder of `bin.js`, `mod.js` and `src/`. */
  readonly tree: string;
  /** The files of the sources that no compiler reads, from the tree's root: they are copied as they are. */
  readonly assets: readonly string[];
}

/** The command line, the library and what they are made of. */
export const PRODUCT = ["bin.ts", "mod.ts", "src"] as const;

/** Is it a test or a test's fixture, by its path? */
export function isForTests(path: string): boolean {
  return path.split("/").some((part) => part.startsWith("_")) || /_test\.[jt]s$/.test(path);
}

/**
 * Emits into `folder/tree`, from a copy in `folder/source`, with the packages in `folder/node_modules`.
 * Throws with the compiler's own words when the types are checked and are not sound, or a package cannot be had.
 */
export function emit(options: EmitOptions): Emitted {
  const folder = resolve(options.folder);
  const [source, tree] = [join(folder, "source"), join(folder, "tree")];
  for (const old of [source, tree]) rmSync(old, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  const wanted = (options.roots ?? PRODUCT).flatMap((path) => filesBelow(path))
    .filter((path) => options.tests === true || !isForTests(path));
  for (const path of wanted) copy(path, source);
  installPackages(folder);
  compile(folder, options.declarations === true);
  const assets = wanted.filter((path) => !path.endsWith(".ts"));
  for (const path of assets) copy(path, tree);
  writePackage(tree);
  return { tree, assets };
}

/** The project's `package.json` as the tree needs it: modules, and a name that its own tests import it by. */
function writePackage(tree: string): void {
  const { version, license } = readProject(ROOT);
  const manifest = {
    name: "backstep",
    version,
    license,
    type: "module",
    bin: { backstep: "bin.js" },
    exports: { ".": "./mod.js", "./testing": "./src/testing/mod.js" },
  };
  writeFileSync(join(tree, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

function filesBelow(path: string): string[] {
  const absolute = fileURLToPath(new URL(path, ROOT));
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(absolute, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(`${path}/${entry.name}`) : [`${path}/${entry.name}`]
  );
}

function copy(path: string, to: string): void {
  const target = join(to, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(fileURLToPath(new URL(path, ROOT)), target);
}

/** The packages by their exact versions, from the cache of Deno, which has them for the project itself. */
function installPackages(folder: string): void {
  const { dependencies } = readProject(ROOT);
  const manifest = JSON.stringify({ private: true, type: "module", dependencies });
  writeFileSync(join(folder, "package.json"), manifest);
  cpSync(fileURLToPath(new URL("deno.lock", ROOT)), join(folder, "deno.lock"));
  writeFileSync(join(folder, "deno.json"), JSON.stringify({ nodeModulesDir: "auto" }));
  const deno = fileURLToPath(new URL("tools/node_modules/.bin/deno", ROOT));
  run(deno, ["install", "--quiet", "--frozen=false"], folder);
  // Types of what is built into Node, and of the one package without.
  for (const name of ["node", "pngjs", "deno"]) {
    const link = join(folder, "node_modules/@types", name);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(fileURLToPath(new URL(`@types/${name}`, REFERENCES)), link);
  }
}

function compile(folder: string, declarations: boolean): void {
  const config = {
    compilerOptions: {
      rootDir: "source",
      outDir: "tree",
      target: "es2023",
      lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
      types: ["node", "deno"],
      // The packages without types: Deno finds ours by a comment, which is no news to TypeScript.
      paths: {
        "@tesseract.js-data/eng": ["./source/src/vision/data-eng.d.ts"],
        pg: ["./source/src/fleet/database/pg-types.d.ts"],
      },
      module: "nodenext",
      rewriteRelativeImportExtensions: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noImplicitOverride: true,
      erasableSyntaxOnly: true,
      noImplicitReturns: true,
      noFallthroughCasesInSwitch: true,
      skipLibCheck: true,
      declaration: declarations,
      noCheck: !declarations,
      noEmitOnError: declarations,
    },
    include: ["source/**/*.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(folder, "source/package.json"), JSON.stringify({ name: "backstep", type: "module" }));
  const compiler = fileURLToPath(new URL("typescript/bin/tsc", REFERENCES));
  if (!existsSync(compiler)) {
    throw new Error(`Cannot emit: ${compiler} is not there: tools/setup.sh --references installs it`);
  }
  run(compiler, ["--project", "tsconfig.json"], folder);
}

/** Runs a program to its end; throws with what it printed when that is not 0. */
function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    timeout: 300_000,
    maxBuffer: 1 << 26,
  });
  if (status === 0) return;
  const why = error?.message ?? `${stdout}${stderr}`.trim().slice(0, 20_000);
  throw new Error(`Cannot emit: ${basename(program)} ended with ${status}:\n${why}`, { cause: error });
}

if (import.meta.main) {
  const [folder, ...flags] = process.argv.slice(2);
  if (folder === undefined) {
    console.error("usage: deno run -A scripts/npm/emit.ts FOLDER [--tests] [--declarations]");
    process.exit(2);
  }
  const began = performance.now();
  const { tree } = emit({
    folder,
    tests: flags.includes("--tests"),
    declarations: flags.includes("--declarations"),
  });
  console.log(`${tree}: ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}
