import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BackstepError } from "../../base/error.ts";
import { ApplicationCatalogue } from "../app-catalogue.ts";
import { bundlesOf } from "./bundles.ts";

const SAFARI = {
  CFBundleIdentifier: "com.apple.Safari",
  CFBundleExecutable: "Safari",
  CFBundleName: "Safari",
};
const EDITOR = {
  CFBundleIdentifier: "com.apple.TextEdit",
  CFBundleExecutable: "TextEdit",
  CFBundleName: "TextEdit",
  CFBundleDisplayName: "Text Editor",
};

/** In the place of plutil, which only macOS has: here property lists are JSON already. */
const read = (file: string) => readFileSync(file, "utf8");
const build = (value: unknown) => JSON.stringify(value);

/** A folder of applications with these property lists. */
function withFolder(plists: Record<string, string>, check: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "backstep-bundles-"));
  try {
    for (const [path, content] of Object.entries(plists)) {
      const file = join(folder, path, "Contents/Info.plist");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    check(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

Deno.test("bundles are known by their property lists, also in folders, and damaged ones are none", () => {
  withFolder({
    "Applications/Safari.app": build(SAFARI),
    "Applications/Utilities/TextEdit.app": build(EDITOR),
    "Applications/Damaged.app": "<plist><dict><key>CFBundle",
    "Applications/Cut.app": build(EDITOR).slice(0, 40),
    "Applications/List.app": build(["CFBundleIdentifier"]),
    "Applications/Nameless.app": build({ CFBundleName: "Nameless" }),
    "Applications/Safari.app/Contents/Helper.app": build({
      ...SAFARI,
      CFBundleIdentifier: "com.apple.helper",
    }),
  }, (folder) => {
    const found = bundlesOf({}, [join(folder, "Applications"), join(folder, "missing")], read);
    assert.deepEqual(found.map(({ id, name, executable }) => [id, name, executable]), [
      ["com.apple.Safari", "Safari", "Safari"],
      ["com.apple.TextEdit", "Text Editor", "TextEdit"],
    ]);
  });
});

Deno.test("the user's own copy of an application counts before that of all", () => {
  withFolder({ "home/Applications/Own.app": build(SAFARI), "all/Safari.app": build(SAFARI) }, (folder) => {
    const [one, ...others] = bundlesOf({ HOME: join(folder, "home") }, [join(folder, "all")], read);
    assert.equal(one?.command.at(-1), join(folder, "home/Applications/Own.app"));
    assert.deepEqual(others, []);
  });
});

Deno.test("an application of macOS is found by its bundle id and by its name, and a wrong one names the next", () => {
  withFolder({ "Safari.app": build(SAFARI), "TextEdit.app": build(EDITOR) }, (folder) => {
    const catalogue = new ApplicationCatalogue({}, bundlesOf({}, [folder], read));
    assert.equal(catalogue.find("com.apple.Safari").name, "Safari");
    assert.equal(catalogue.find("text editor").id, "com.apple.TextEdit");
    assert.equal(
      catalogue.ofProgram("/Applications/TextEdit.app/Contents/MacOS/TextEdit")?.id,
      EDITOR.CFBundleIdentifier,
    );
    assert.throws(() => catalogue.find("com.apple.Safary"), (error) => {
      assert.ok(error instanceof BackstepError);
      assert.equal(error.code, "app_not_found");
      assert.match(error.hint ?? "", /com\.apple\.Safari/);
      return true;
    });
    assert.throws(() => catalogue.find("zzzzzzzz"), /Application not found: zzzzzzzz/);
  });
});
