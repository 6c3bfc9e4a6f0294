import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BackstepError } from "../../base/error.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";
import { typed } from "../typed.ts";
import { GITHUB, GITLAB, IGNORED, WORKFLOW } from "./init-files.ts";

/** `backstep init`. */
export const init: Command = {
  name: "init",
  summary: "Write a first workflow, a .gitignore and a CI file into a folder",
  details: [
    "The workflow runs on the simulated desktop, and says what to change for a real application. Its first line tells " +
    "editors which keys there are. No file is overwritten: where one exists, nothing is written. Only lines that an " +
    "existing .gitignore lacks are added to it.",
  ],
  positionals: [{
    name: "folder",
    description: "Where to write (default: the current folder)",
    required: false,
  }],
  options: [{
    name: "ci",
    kind: "string",
    value: "<system>",
    choices: ["github", "gitlab", "none"],
    description: "For which CI system the file is (default: github)",
  }],
  examples: ["backstep init", "backstep init desktop-tests --ci gitlab"],
  run: write,
};

const CI = {
  github: { path: ".github/workflows/backstep.yml", text: GITHUB },
  gitlab: { path: ".gitlab-ci.yml", text: GITLAB },
} as const;

function write(args: Arguments, io: Io): Promise<number> {
  const folder = resolve(args.positionals[0] ?? ".");
  const system = args.string("ci") ?? "github";
  const first = "workflows/first.yaml";
  const files = [
    {
      path: first,
      text: `# yaml-language-server: $schema=${schemaFrom(folder, dirname(first))}\n# Run it: ${
        typed(`run ${first}`)
      }\n${WORKFLOW}`,
    },
    ...(system === "github" || system === "gitlab" ? [CI[system]] : []),
  ];
  const there = files.filter(({ path }) => existsSync(join(folder, path))).map(({ path }) => path);
  if (there.length > 0) {
    throw new BackstepError("refused", `Cannot write into ${folder}: ${there.join(" and ")} already there`, {
      hint: "Move what is there, or give another folder: backstep init FOLDER. Nothing was written.",
      details: { folder, files: there },
    });
  }
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: "wx" });
  }
  const ignored = ignore(join(folder, ".gitignore"));
  io.json({ folder, written: files.map(({ path }) => path), ignored });
  io.text([
    ...files.map(({ path }) => `wrote ${join(folder, path)}`),
    ...(ignored.length === 0 ? [] : [`added to ${join(folder, ".gitignore")}: ${ignored.join(" ")}`]),
    "",
    `Run it: ${typed(`run ${relative(".", join(folder, first))}`)}`,
    "",
  ].join("\n"));
  return Promise.resolve(0);
}

/** Adds what the file lacks; returns what that was. */
function ignore(file: string): string[] {
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const lines = new Set(before.split("\n").map((line) => line.trim()));
  const lacking = IGNORED.filter((line) => !lines.has(line));
  if (lacking.length === 0) return [];
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  writeFileSync(file, `${before}${gap}${lacking.join("\n")}\n`);
  return lacking;
}

/** The path of the schema as the first line of a workflow names it: relative to the workflow where both are in the project. */
function schemaFrom(folder: string, within: string): string {
  const name = "schema/workflow.json";
  const installed = join(folder, "node_modules/backstep", name);
  const own = fileURLToPath(new URL(`../../../${name}`, import.meta.url));
  const schema = existsSync(installed) ? installed : own;
  const below = relative(folder, schema);
  return below.startsWith("..") || isAbsolute(below) ? schema : relative(join(folder, within), schema);
}
