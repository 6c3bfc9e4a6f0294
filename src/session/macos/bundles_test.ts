import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BackstepError } from "../../base/error.ts";
import { ApplicationCatalogue } from "../app-catalogue.ts";
import { bundleAt, bundlesOf, plutil } from "./bundles.ts";

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

Deno.test("a property list with a date in it is read key by key, and what is no list is none", () => {
  const failed = () => Object.assign(new Error("exit 1"), { status: 1 });
  const asked: string[] = [];
  // As plutil: "invalid object in plist for destination format" for the whole of it.
  const facts: Record<string, string> = {
    CFBundleIdentifier: "com.example.dated",
    CFBundleExecutable: "Dated",
  };
  const run = (_program: string, args: readonly string[]) => {
    const [verb, key = ""] = args;
    asked.push(verb === "-extract" ? key : verb ?? "");
    const value = verb === "-extract" ? facts[key] : undefined;
    if (value === undefined) throw failed();
    return `${value}\n`;
  };
  withFolder({ "Dated.app": "a list with a date" }, (folder) => {
    const found = bundleAt(join(folder, "Dated.app"), (file) => plutil(file, run));
    assert.deepEqual([found?.id, found?.name, found?.executable], ["com.example.dated", "Dated", "Dated"]);
    assert.deepEqual(asked, [
      "-convert",
      "CFBundleIdentifier",
      "CFBundleExecutable",
      "CFBundleDisplayName",
      "CFBundleName",
    ]);
    const none = () => {
      throw failed();
    };
    assert.equal(bundleAt(join(folder, "Dated.app"), (file) => plutil(file, none)), undefined);
  });
});
