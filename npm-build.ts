/**
 * Makes the npm package: `deno task npm [--verify [--only PART,…]]`. TypeScript's compiler emits it, `npm pack` packs it, and it is installed
 * into an empty folder, without anyone's scripts, and run there: a package that was not installed and run is not built.
 *
 * Writes docs/reference/api.md. Prints the tarball, its size and its files, what an install takes, and the platforms whose core is in it. `--verify` then
 * tries it on each runtime (`scripts/npm/verify.ts`); `--only` takes parts of that: types, publish, rollbacks, stdio, conformance,
 * start, ways, debian11, arm64, musl, unit. Exits 1 where anything is not as it must be.
 *
 * @module
 */
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { build, REFERENCE } from "./scripts/npm/build.ts";
import { megabytes } from "./scripts/npm/install.ts";
import { ROOT } from "./scripts/npm/place.ts";

const { values } = parseArgs({
  options: { verify: { type: "boolean", default: false }, only: { type: "string" } },
});
if (values.only !== undefined && !values.verify) throw new Error("--only is for --verify");
// Before the build: a misspelt part must not cost half a minute.
const verifying = values.verify ? await import("./scripts/npm/verify.ts") : undefined;
const parts = verifying?.partsOf(values.only) ?? [];
const { tarball, installed, cores, seconds, ran, reference } = await build();
writeFileSync(REFERENCE, reference);
console.log(
  `${relative(ROOT, tarball.path)}: ${megabytes(tarball.size)}, ${tarball.files} files of ${
    megabytes(tarball.unpacked)
  }`,
);
console.log(
  `installed without scripts: ${megabytes(installed.bytes)} in ${installed.files} files of node_modules`,
);
for (const core of cores) {
  console.log(
    "folder" in core
      ? `core for ${core.platform}: ${core.needs}`
      : `core for ${core.platform}: NOT IN IT, its compiler is missing: ${core.missing}`,
  );
}
for (const line of ran) console.log(`ran from there: ${line}`);
console.log(`npm: ${seconds.toFixed(1)} s`);
if (verifying !== undefined) process.exitCode = await verifying.verify(tarball.path, parts) ? 0 : 1;
