import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { VERSION } from "../../src/base/version.ts";
import { edits } from "./edits.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const release = { version: "9.8.7", date: "2031-02-03", published: false };

Deno.test("a release writes its version wherever it stands, and closes the changelog", () => {
  const after = new Map(edits(release, read).map(({ path, after }) => [path, after]));
  assert.match(after.get("deno.json") ?? "", /^ {2}"version": "9\.8\.7",$/m);
  assert.match(after.get("src/base/version.ts") ?? "", /VERSION = "9\.8\.7"/);
  assert.match(after.get("CHANGELOG.md") ?? "", /^## \[Unreleased\]\n\n## \[9\.8\.7\] - 2031-02-03\n\n### /m);
  for (const path of ["README.md", "docs/how-to/npm.md"]) {
    assert.match(
      after.get(path) ?? "",
      /--save-dev \/path\/to\/backstep\/dist\/pack\/backstep-9\.8\.7\.tgz$/m,
    );
    assert.equal(after.get(path)?.replaceAll("9.8.7", VERSION), read(path), "nothing but the version");
  }
});

Deno.test("pages name the registry only once the name is ours", () => {
  for (const path of ["README.md", "docs/how-to/npm.md"]) {
    assert.doesNotMatch(read(path), /npx backstep|install --save-dev backstep$/m, path);
    const edit = edits({ ...release, published: true }, read).find((edit) => edit.path === path);
    assert.match(edit?.after ?? "", /npm install --save-dev backstep\nnpx backstep demo/);
    assert.doesNotMatch(edit?.after ?? "", /not ours|nobody's|--no-install|TARBALL|dist\/pack/, path);
  }
});

Deno.test("a release without a line in the changelog is refused", () => {
  const empty = (path: string) =>
    path === "CHANGELOG.md" ? "## [Unreleased]\n\n## [0.1.0] - 2030\n" : read(path);
  assert.throws(() => edits(release, empty), /nothing under \[Unreleased\]/);
});
