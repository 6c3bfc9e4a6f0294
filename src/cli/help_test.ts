import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PLAIN } from "../report/style.ts";
import { width } from "../report/layout.ts";
import { readArguments } from "./arguments.ts";
import { optionsOf } from "./command.ts";
import { groups } from "./commands.ts";
import { commandHelp, overview } from "./help.ts";

const commands = groups.flatMap(([, list]) => list);

Deno.test("help names every command with a sentence of what it does", () => {
  const text = overview(groups, PLAIN, 80);
  for (const { name, summary } of commands) {
    assert.match(text, new RegExp(`^  ${name} +${summary.slice(0, 12)}`, "m"));
    assert.match(summary, /^[A-Z].{9,}[^.]$/, `${name} has a summary`);
  }
  for (const code of [0, 1, 2, 3, 4, 130]) assert.match(text, new RegExp(`^  ${code} +\\w`, "m"));
});

Deno.test("the help of a command shows its usage, describes every option once, and keeps to the columns", () => {
  for (const command of commands) {
    for (const columns of [60, 100]) {
      const text = commandHelp(command, PLAIN, columns);
      assert.match(text, new RegExp(`^Usage  backstep ${command.name}\\b`, "m"));
      const [prose = ""] = text.split("\nExamples\n");
      const lines = prose.split("\n").filter((line) => !line.startsWith("Usage"));
      // What cannot be broken, a long option beside its text, gets 20 columns for the text.
      for (const line of lines) assert.ok(width(line) <= Math.max(columns, 50), `${command.name}: ${line}`);
    }
    const options = optionsOf(command);
    assert.equal(
      new Set(options.map((o) => o.name)).size,
      options.length,
      `${command.name} has an option twice`,
    );
    for (const o of [...options, ...command.positionals]) assert.match(o.description, /^\S.{5,}/, o.name);
  }
});

Deno.test("the examples of every command are command lines that it takes", () => {
  for (const command of commands) {
    assert.ok(command.examples && command.examples.length > 0, `${command.name} has an example`);
    for (const example of command.examples) {
      const [name, ...rest] = wordsOf(example);
      const meant = commands.find((c) => c.name === name);
      assert.ok(meant, example);
      readArguments(meant, rest);
    }
  }
});

/** The words that a shell hands to `backstep`. */
function wordsOf(example: string): string[] {
  const line = example.replace(/ [|>] .*$/, "");
  const shell = spawnSync("bash", ["-c", `backstep() { printf '%s\\0' "$@"; }; ${line}`], {
    encoding: "utf8",
  });
  assert.equal(shell.status, 0, shell.stderr);
  return shell.stdout.split("\0").slice(0, -1);
}

Deno.test("every command line that a hint or a document of ours names can be read", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const texts = ["src", "docs"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|md)$/.test(name) && !name.endsWith("_test.ts"))
      .map((name) => ({ name, text: readFileSync(join(root, folder, name), "utf8") }))
  );
  let seen = 0;
  for (const { name, text } of texts) {
    for (const [whole, command = "", rest = ""] of text.matchAll(/`backstep ([a-z][a-z-]*)([^`\n$]*)`/g)) {
      const found = commands.find((one) => one.name === command);
      assert.ok(found, `${name}: ${whole}`);
      const existing = optionsOf(found);
      for (const [, option = ""] of rest.matchAll(/ --(?:no-)?([a-z-]+)/g)) {
        assert.ok(existing.some((one) => one.name === option), `${name}: ${whole}`);
        seen++;
      }
      seen++;
    }
  }
  assert.ok(seen > 20, `only ${seen} were found`);
});
