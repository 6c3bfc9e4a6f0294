/** Everything of a release but publishing it: see USAGE. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { build, REFERENCE } from "./npm/build.ts";
import { newer, TARGETS } from "./npm/core.ts";
import { repositoryOf } from "./npm/manifest.ts";
import { ROOT } from "./npm/place.ts";
import { must } from "./npm/run.ts";
import { edits, type Release } from "./release/edits.ts";
import { misused, optionsOf } from "./options.ts";

const USAGE = `deno task release VERSION [--dry-run] [--published]

Everything of a release but publishing it. Checks that the clone is clean and can be released, writes the version and the
changelog, builds, verifies and packs the npm package, and prints the commands that are left for a person: commit, tag,
publish. The name on the registry is not ours until it is published the first time. Until then the pages install the tarball by
its path.

  --dry-run     says what it would write, builds what is there, and changes nothing
  --published   the package is on the registry: the pages say the short form from this release on`;

const { values, positionals } = optionsOf(USAGE, {
  allowPositionals: true,
  options: {
    "dry-run": { type: "boolean", default: false },
    published: { type: "boolean", default: false },
  },
});
const dry = values["dry-run"];
const [version = ""] = positionals;
if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) {
  misused(USAGE, `A version is three numbers, as 1.2.3, not "${version}".`);
}
const release: Release = {
  version,
  date: new Date().toISOString().slice(0, 10),
  published: values.published,
};

/** What stands in the way. */
async function obstacles(): Promise<string[]> {
  const changed = (await must("git", ["status", "--porcelain"], { cwd: ROOT })).trim();
  const tags = await must("git", ["tag", "--list"], { cwd: ROOT });
  const newest = tags.split("\n").filter((tag) => /^v\d/.test(tag)).map((tag) => tag.slice(1))
    .reduce((one, other) => newer(other, one) ? other : one, "0");
  return [
    ...(changed === "" ? [] : [`the clone has changes:\n${changed}`]),
    ...(newer(version.replace(/-.*/, ""), newest) ? [] : [`${newest} was released already`]),
    ...(repositoryOf(ROOT) === undefined
      ? ["git knows no remote `origin`: npm proves with its address where the package comes from"]
      : []),
  ];
}

const found = await obstacles();
for (const obstacle of found) console.log(`${dry ? "would refuse" : "refused"}: ${obstacle}`);
if (found.length > 0 && !dry) process.exit(1);
for (const { path, before, after } of edits(release, (path) => readFileSync(join(ROOT, path), "utf8"))) {
  if (before === after) continue;
  const lines = after.split("\n").filter((line) => !before.split("\n").includes(line));
  console.log(`${dry ? "would write" : "wrote"} ${path}: ${lines.slice(0, 3).join(" / ").slice(0, 160)}`);
  if (!dry) writeFileSync(join(ROOT, path), after);
}
const { tarball, cores, reference } = await build();
if (!dry) writeFileSync(REFERENCE, reference);
const lacking = cores.filter((core) => "missing" in core);
if (lacking.length > 0 || cores.length <= TARGETS.length) {
  for (const core of lacking) console.log(`not in the package: the core for ${core.platform}`);
  if (!dry) process.exit(1);
}
if (dry) {
  console.log(`would verify and pack ${relative(ROOT, tarball.path)}`);
} else {
  const { verify } = await import("./npm/verify.ts");
  if (!await verify(tarball.path)) process.exit(1);
  console.log([
    "",
    "What is left is a person's:",
    `  git commit -am "Release ${version}" && git tag v${version} && git push --follow-tags`,
    `  npm publish ${relative(ROOT, tarball.path)}      # from CI, with an id token, for provenance`,
  ].join("\n"));
}
