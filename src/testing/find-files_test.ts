import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findFiles } from "./find-files.ts";

function within(files: readonly string[], action: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "bst-"));
  try {
    for (const name of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), /helper/.test(name) ? "export const x = 1;" : "export default 1;\n");
    }
    action(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

Deno.test("folders are searched through for workflows, and not for helpers, tests, types and modules of others", () => {
  const there = [
    "w/a.yaml",
    "w/b.yml",
    "w/c.ts",
    "w/d/e.yaml",
    "w/helper.ts",
    "w/_shared.yaml",
    "w/_parts/x.yaml",
    "w/.hidden.yaml",
    "w/c_test.ts",
    "w/t.d.ts",
    "w/node_modules/m/x.yaml",
    "w/readme.md",
    "w/baselines/form.tree.yaml",
  ];
  within(there, (folder) => {
    // A circle of links ends somewhere.
    symlinkSync("..", join(folder, "w/d/up"));
    const found = findFiles(["w"], folder).map(({ file }) => file);
    assert.deepEqual(found, ["w/a.yaml", "w/b.yml", "w/c.ts", "w/d/e.yaml"]);
  });
});

Deno.test("a file that is named is taken as it is, and each only once", () => {
  within(["w/_a.yaml", "w/helper.ts"], (folder) => {
    const found = findFiles(["w/_a.yaml", "w/helper.ts", "w/../w/_a.yaml"], folder).map(({ file }) => file);
    assert.deepEqual(found, ["w/_a.yaml", "w/helper.ts"]);
  });
});

Deno.test("a file elsewhere is shown with its whole path", () => {
  within(["w/a.yaml"], (folder) => {
    assert.deepEqual(findFiles([folder], "/usr").map(({ file }) => file), [join(folder, "w/a.yaml")]);
  });
});

Deno.test("a path that is not there, and a folder without workflows, are usage errors", () => {
  within(["w/readme.md"], (folder) => {
    assert.throws(() => findFiles(["v"], folder), {
      code: "usage",
      message: /Cannot test v: there is no such/,
    });
    assert.throws(() => findFiles(["w"], folder), {
      code: "usage",
      message: /Cannot test w: there is no workflow/,
    });
  });
});
