import { deepStrictEqual, equal, ok, throws } from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BackstepError } from "../base/error.ts";
import { FAKE_CATALOGUE } from "./_catalogue.ts";
import { loadWorkflow, projectRoot, readVariablesFile } from "./load.ts";

/** Runs `test` in a folder with these files; `a -> b` makes a symbolic link. */
function inFolder(files: Record<string, string>, test: (folder: string) => void): void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "backstep-load-")));
  try {
    for (const [name, content] of Object.entries(files)) {
      const [path = name, target] = name.split(" -> ");
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      if (target === undefined) writeFileSync(join(folder, path), content);
      else symlinkSync(target, join(folder, path));
    }
    test(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const load = (folder: string, name: string) =>
  loadWorkflow(join(folder, name), { operations: FAKE_CATALOGUE });

function refused(
  folder: string,
  name: string,
): { message: string; where: string; hint: string; faults: string } {
  try {
    load(folder, name);
  } catch (error) {
    ok(error instanceof BackstepError && error.code === "workflow", String(error));
    const { file = "", line, column } = error.place ?? {};
    return {
      message: error.message,
      where: `${file.replace(`${folder}/`, "")}:${line}:${column}`,
      hint: error.hint ?? "",
      faults: JSON.stringify(error.details?.["faults"]),
    };
  }
  throw new Error("the file was accepted");
}

const runs = (reference: string) => `name: n\nsteps:\n  - run: ${reference}\n`;
const leaf = "name: leaf\nvars: { user: { type: string }, n: 3 }\nsteps: [{ click: '{{vars.user}}' }]\n";

Deno.test("a file that is run is read relative to the one that runs it", () => {
  inFolder({
    "p/deno.json": "{}",
    "p/flows/a.yaml": "name: a\nsteps:\n  - run: ../shared/b.yaml\n",
    "p/shared/b.yaml": "name: b\nsteps:\n  - run: c.yaml\n    with: { user: Ada }\n",
    "p/shared/c.yaml": leaf,
  }, (folder) => {
    const step = load(folder, "p/flows/a.yaml").steps[0];
    ok(step?.kind === "run");
    equal(step.workflow.file, join(folder, "p/shared/b.yaml"));
    const inner = step.workflow.steps[0];
    ok(inner?.kind === "run");
    equal(inner.workflow.name, "leaf");
    deepStrictEqual(inner.with, { kind: "map", entries: [["user", "Ada"]] });
  });
});

Deno.test("faults of files that are run are reported with their own places, after those of the main file", () => {
  inFolder({
    ".git/HEAD": "",
    "z.yaml": "name: n\nsteps:\n  - run: a.yaml\n  - clik: a\n",
    "a.yaml": "name: a\nsteps:\n  - pres: x\n",
  }, (folder) => {
    const { message, where, faults } = refused(folder, "z.yaml");
    equal(message, 'unknown verb "clik"');
    equal(where, "z.yaml:4:5");
    ok(faults.includes('unknown verb \\"pres\\"') && faults.includes("a.yaml"), faults);
  });
});

for (
  const [name, files, expected] of [
    ["a missing file", { "a.yaml": runs("loginn.yaml"), "login.yaml": leaf }, {
      where: "a.yaml:3:10",
      message: "there is no such file",
      hint: 'Did you mean "login.yaml"?',
    }],
    ["a folder", { "a.yaml": runs("shared"), "shared/x.yaml": leaf }, {
      where: "a.yaml:3:10",
      message: "it is no ordinary file",
      hint: "It holds x.yaml",
    }],
    ["a file that runs itself", { "a.yaml": runs("./a.yaml") }, {
      where: "a.yaml:3:10",
      message: "the file runs itself",
      hint: "repeat",
    }],
    ["a cycle", { "a.yaml": runs("b.yaml"), "b.yaml": runs("a.yaml") }, {
      where: "b.yaml:3:10",
      message: "b.yaml → ",
      hint: "repeat",
    }],
    ["a cycle through a link", { "a.yaml": runs("l.yaml"), "l.yaml -> a.yaml": "" }, {
      where: "a.yaml:3:10",
      message: "the file runs itself",
      hint: "repeat",
    }],
    ["a dangling link", { "a.yaml": runs("l.yaml"), "l.yaml -> gone.yaml": "" }, {
      where: "a.yaml:3:10",
      message: "there is no such file",
      hint: "points nowhere",
    }],
    ["a file outside the project", { "a.yaml": runs("/etc/hostname") }, {
      where: "a.yaml:3:10",
      message: "it lies outside the project",
      hint: "--root",
    }],
    ["a link out of the project", { "a.yaml": runs("l.yaml"), "l.yaml -> /etc/hostname": "" }, {
      where: "a.yaml:3:10",
      message: "it lies outside the project",
      hint: "--root",
    }],
    ["a path with a placeholder", { "a.yaml": runs("'{{env.X}}.yaml'") }, {
      where: "a.yaml:3:10",
      message: "run cannot hold a placeholder",
      hint: "write it out",
    }],
    ["a required variable that is not given", { "a.yaml": runs("b.yaml"), "b.yaml": leaf }, {
      where: "a.yaml:3:10",
      message: 'needs the variable "user"',
      hint: "with: { user: … }",
    }],
    ["a misspelt variable", { "a.yaml": runs("b.yaml\n    with: { usr: x }"), "b.yaml": leaf }, {
      where: "a.yaml:4:13",
      message: 'has no variable "usr"',
      hint: 'Did you mean "user"?',
    }],
    ["a variable of another type", { "a.yaml": runs("b.yaml\n    with: { user: 7 }"), "b.yaml": leaf }, {
      where: "a.yaml:4:19",
      message: "is a string, not a number",
      hint: "",
    }],
  ] as const
) {
  Deno.test(`${name} is refused at ${expected.where}: ${expected.message}`, () => {
    inFolder({ "deno.json": "{}", ...files }, (folder) => {
      const { message, where, hint } = refused(folder, "a.yaml");
      ok(message.includes(expected.message), message);
      equal(where, expected.where);
      ok(hint.includes(expected.hint), hint);
    });
  });
}

Deno.test("a main file that is missing names its nearest neighbour", () => {
  inFolder({ "calculator.yaml": leaf }, (folder) => {
    const { message, hint } = refused(folder, "calculatr.yaml");
    ok(message.includes("there is no such file"), message);
    equal(hint, 'Did you mean "calculator.yaml"?');
  });
});

Deno.test("files that run each other many times over count each time", () => {
  const files: Record<string, string> = { "deno.json": "{}", "f0.yaml": "name: n\nsteps: [{ press: a }]\n" };
  for (let i = 1; i <= 20; i++) {
    files[`f${i}.yaml`] = `name: n\nsteps: [{ run: f${i - 1}.yaml }, { run: f${i - 1}.yaml }]\n`;
  }
  inFolder(files, (folder) => {
    ok(refused(folder, "f20.yaml").message.includes("more than 10000 steps"));
    equal(load(folder, "f8.yaml").steps.length, 2);
  });
});

Deno.test("the project is the nearest folder with a mark, or else the file's own", () => {
  inFolder({ "p/backstep.toml": "", "p/a/b/x.yaml": leaf }, (folder) => {
    equal(projectRoot(join(folder, "p/a/b/x.yaml")), join(folder, "p"));
    equal(projectRoot(join(folder, "x.yaml")), folder);
  });
});

Deno.test("a named root confines instead", () => {
  inFolder(
    { "deno.json": "{}", "a/a.yaml": runs("../b.yaml"), "b.yaml": "name: b\nsteps: []\n" },
    (folder) => {
      equal(load(folder, "a/a.yaml").steps.length, 1);
      let refusal = "";
      try {
        loadWorkflow(join(folder, "a/a.yaml"), { operations: FAKE_CATALOGUE, root: join(folder, "a") });
      } catch (error) {
        refusal = String(error);
      }
      ok(refusal.includes("outside the project"), refusal);
    },
  );
});

Deno.test("a file of variables is a map of values", () => {
  inFolder({ "v.yaml": "a: 1\nb: [x]\n", "w.yaml": "- a\n" }, (folder) => {
    deepStrictEqual(readVariablesFile(join(folder, "v.yaml")), { a: 1, b: ["x"] });
    let refusal: unknown;
    try {
      readVariablesFile(join(folder, "w.yaml"));
    } catch (error) {
      refusal = error;
    }
    ok(refusal instanceof BackstepError && refusal.code === "workflow" && refusal.place?.line === 1);
  });
});

Deno.test("a path through a file is refused like any that is not there", () => {
  inFolder({ "main.yaml": runs("leaf.yaml/x.yaml"), "leaf.yaml": leaf }, (folder) => {
    const { message, hint } = refused(folder, "main.yaml");
    ok(message.includes("there is no such file"), message);
    ok(hint.includes("There is no folder"), hint);
  });
});

Deno.test("a program is no file to be read: that is said before it is taken for YAML", () => {
  throws(() => loadWorkflow("workflows/draft.ts", { operations: [] }), {
    code: "workflow",
    message: /draft\.ts: it is a program, whose steps are known only when it makes them/,
  });
});
