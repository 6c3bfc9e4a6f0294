import { deepStrictEqual, equal } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { TOOLS } from "./all.ts";

const SRC = join(import.meta.dirname ?? ".", "..");
const HERE = join(SRC, "tools");

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

/** Code without comments: names stand there for people. */
function codeOf(file: string): string {
  return readFileSync(file, "utf8").replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, "");
}

Deno.test("a tool is one file in the folder of its toolset, and one line of the list", () => {
  const folders = readdirSync(HERE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = folders.flatMap(({ name }) => filesIn(join(HERE, name)));
  const defined = files.map((file) => {
    const [, name = "", more] = /defineTool\(\{\n {2}name: "(\w+)"([^]*defineTool\()?/.exec(codeOf(file)) ??
      [];
    equal(more, undefined, `${file} defines more than one tool`);
    const tool = TOOLS.find((one) => one.name === name);
    equal(tool?.toolset, relative(HERE, file).split("/")[0], file);
    return name;
  });
  deepStrictEqual(defined.sort(), TOOLS.map(({ name }) => name).sort());
  const list = codeOf(join(HERE, "all.ts"));
  for (const file of files) equal(list.split(basename(file)).length - 1 > 0, true, `${file} is in the list`);
});

/** What advises a client which tools to call. */
const ADVICE = ["mcp/prompts/", "intelligence/patterns/"];

Deno.test("no other code knows a tool by its name: what differs among them is a trait or a view", () => {
  const names = new RegExp(`(["'])(${TOOLS.map(({ name }) => name).join("|")})\\1`, "g");
  const found = filesIn(SRC).flatMap((file) => {
    const path = relative(SRC, file);
    const test = path.endsWith("_test.ts") || basename(path).startsWith("_");
    if (test || path.startsWith("tools/") || ADVICE.some((folder) => path.startsWith(folder))) return [];
    return [...codeOf(file).matchAll(names)].map(([, , name]) => `${path}: ${name}`);
  });
  deepStrictEqual(found, []);
});
