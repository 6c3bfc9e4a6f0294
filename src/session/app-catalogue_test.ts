import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BackstepError } from "../base/error.ts";
import { ApplicationCatalogue } from "./app-catalogue.ts";

/** Data folders and a PATH of our own, with these entries and programs. */
function withCatalogue(
  files: Record<string, string>,
  programs: readonly string[],
  check: (catalogue: ApplicationCatalogue) => void,
): void {
  const root = mkdtempSync(join(tmpdir(), "backstep-catalogue-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `[Desktop Entry]\nType=Application\n${text}\n`);
    }
    mkdirSync(join(root, "bin"));
    for (const program of programs) {
      writeFileSync(join(root, "bin", program), "");
      chmodSync(join(root, "bin", program), 0o755);
    }
    check(
      new ApplicationCatalogue({
        HOME: "/nowhere",
        PATH: join(root, "bin"),
        XDG_DATA_HOME: join(root, "user"),
        XDG_DATA_DIRS: `${join(root, "local")}:${join(root, "system")}`,
      }),
    );
  } finally {
    rmSync(root, { recursive: true });
  }
}

const codeOf = (action: () => unknown) => {
  try {
    action();
  } catch (error) {
    if (error instanceof BackstepError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "nothing was thrown";
};

Deno.test("an application is found by its id, its name in any case, and its program", () => {
  withCatalogue(
    {
      "system/applications/org.gnome.Calculator.desktop": "Name=Calculator\nExec=calc %U",
      "system/applications/kde/kwrite.desktop": "Name=KWrite\nExec=env A=1 kwrite %U",
    },
    ["calc", "kwrite", "env", "bare-tool"],
    (catalogue) => {
      for (
        const wanted of ["org.gnome.Calculator", "org.gnome.calculator", "CALCULATOR", "calc", " Calculator "]
      ) {
        assert.equal(catalogue.find(wanted).id, "org.gnome.Calculator", wanted);
      }
      assert.equal(catalogue.find("org.gnome.Calculator.desktop").id, "org.gnome.Calculator");
      assert.equal(catalogue.find("kwrite").id, "kde-kwrite");
      const bare = catalogue.find("bare-tool");
      assert.equal(bare.id, "bare-tool");
      assert.equal(bare.entry, undefined);
    },
  );
});

Deno.test("the user's entry replaces the system's, a hidden one removes it", () => {
  withCatalogue(
    {
      "user/applications/a.desktop": "Name=Mine\nExec=one",
      "system/applications/a.desktop": "Name=Theirs\nExec=one",
      "local/applications/b.desktop": "Name=B\nExec=one\nHidden=true",
      "system/applications/b.desktop": "Name=B\nExec=one",
    },
    ["one"],
    (catalogue) => assert.deepEqual(catalogue.applications.map((one) => one.name), ["Mine"]),
  );
});

Deno.test("what is not installed is left out: by TryExec, and by its own program", () => {
  withCatalogue(
    {
      "system/applications/a.desktop": "Name=A\nExec=one\nTryExec=absent",
      "system/applications/b.desktop": "Name=B\nExec=absent",
      "system/applications/c.desktop": "Name=C\nExec=one\nNoDisplay=true",
    },
    ["one"],
    (catalogue) => {
      assert.deepEqual(catalogue.applications.map((one) => one.id), ["c"]);
      for (const [wanted, file] of [["A", "a"], ["b", "b"], ["absent", "a"]] as const) {
        assert.throws(() => catalogue.find(wanted), (error) => {
          assert.ok(error instanceof BackstepError);
          assert.equal(error.code, "app_not_found");
          assert.match(
            error.hint ?? "",
            new RegExp(`/${file}\\.desktop runs "absent", which is not on PATH`),
          );
          return true;
        });
      }
    },
  );
});

Deno.test("an unknown application is app_not_found, an empty id is invalid", () => {
  withCatalogue(
    { "system/applications/org.gnome.Calculator.desktop": "Name=Calculator\nExec=calc" },
    ["calc"],
    (catalogue) => {
      assert.equal(
        codeOf(() => catalogue.find("Calculater")),
        "app_not_found: Application not found: Calculater",
      );
      assert.equal(codeOf(() => catalogue.find("../calc")), "app_not_found: Application not found: ../calc");
      assert.match(codeOf(() => catalogue.find("  ")), /^invalid: Invalid parameter: /);
    },
  );
});

Deno.test("a name that two applications have is refused, and both are named", () => {
  withCatalogue(
    {
      "system/applications/a.Files.desktop": "Name=Files\nExec=one",
      "system/applications/b.Files.desktop": "Name=Files\nExec=two",
    },
    ["one", "two"],
    (catalogue) => {
      assert.throws(() => catalogue.find("files"), (error) => {
        assert.ok(error instanceof BackstepError);
        assert.equal(error.code, "invalid");
        assert.deepEqual(error.details?.["ids"], ["a.Files", "b.Files"]);
        return true;
      });
    },
  );
});

Deno.test("a link to nowhere, a folder or a link to itself that calls itself an entry takes away no other", () => {
  const root = mkdtempSync(join(tmpdir(), "backstep-catalogue-"));
  try {
    const folder = join(root, "applications");
    mkdirSync(join(folder, "folder.desktop"), { recursive: true });
    symlinkSync(join(root, "gone"), join(folder, "broken.desktop"));
    symlinkSync(join(folder, "loop.desktop"), join(folder, "loop.desktop"));
    writeFileSync(join(folder, "good.desktop"), "[Desktop Entry]\nType=Application\nName=Good\nExec=sh\n");
    // A data folder that is a file is none.
    writeFileSync(join(root, "file"), "");
    const catalogue = new ApplicationCatalogue({
      PATH: "/bin",
      XDG_DATA_HOME: root,
      XDG_DATA_DIRS: join(root, "file"),
    });
    assert.deepEqual(catalogue.applications.map((one) => one.id), ["good"]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

Deno.test("a name means what menus show, and of several the one whose id has it; a program, the entry that adds nothing", () => {
  const okular = "Name=Okular\nExec=okular %U";
  withCatalogue(
    {
      "system/applications/org.kde.okular.desktop": okular,
      "system/applications/okularApplication_pdf.desktop": `${okular}\nNoDisplay=true`,
      "system/applications/okularApplication_xps.desktop": `${okular}\nNoDisplay=true`,
      "system/applications/office-calc.desktop": "Name=Office Calc\nExec=office --calc %U",
      "system/applications/office-start.desktop": "Name=Office Start\nExec=office %U",
      "system/applications/org.one.Notes.desktop": "Name=Notes\nExec=one",
      "system/applications/org.two.Jotter.desktop": "Name=Notes\nExec=two",
      "system/applications/org.three.Pad.desktop": "Name=Pads\nExec=three",
      "system/applications/org.four.Paper.desktop": "Name=Pads\nExec=four",
    },
    ["okular", "office", "one", "two", "three", "four"],
    (catalogue) => {
      assert.equal(catalogue.find("okular").id, "org.kde.okular");
      assert.equal(catalogue.find("office").id, "office-start");
      assert.equal(catalogue.find("notes").id, "org.one.Notes");
      assert.match(codeOf(() => catalogue.find("pads")), /^invalid: .*names 2 applications/);
    },
  );
});
