import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { catalogue, operationNamed } from "../src/catalogue.ts";

const root = resolve(import.meta.dirname ?? ".", "../src");
/** Neutral names, and those verbs of files that are no plain words: find_visual. */
const NAMES: ReadonlySet<string> = new Set(
  catalogue.flatMap(({ name, views: { yaml } }) => yaml?.verb.includes("_") ? [name, yaml.verb] : [name]),
);

/** Properties that hold a word of a closed union of their own, some of which are spelt like an operation: `act.do === "select"`. */
const UNIONS: ReadonlySet<string> = new Set(["do", "by", "kind", "what", "to", "mode", "policy"]);

/** Files with words that are spelt like an operation and are none, and what they are. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  "checks/audit/rules/required-attr.ts": "an element of HTML",
  "cli/dev/orders.ts": "what a person types: quit",
  "cli/record/orders.ts": "what a person types: pause",
  "mcp/resources/axterminator/address.ts": "parts of addresses: axterminator://clipboard",
  "record/actionable.ts": "roles of elements: a tree",
  "record/difference.ts": "roles of elements: a window",
  "workflow/schema-parts.ts": "properties of a variable in a JSON Schema: required: [type]",
};

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    const isCode = entry.name.endsWith(".ts") && !entry.name.endsWith("_test.ts") &&
      !entry.name.startsWith("_");
    return isCode ? [path] : [];
  });
}

/** A text without its comments, at the same places. */
function uncommented(text: string): string {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*")|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (all, string?: string) => string ?? all.replace(/[^\n]/g, " "),
  );
}

/** The last word of an expression: `step.operation` is "operation". */
function lastWord(expression: string): string {
  return /(\w+)\W*$/.exec(expression)?.[1] ?? "";
}

/** Names of operations that the text compares with or lists, each with its line. */
function namesIn(source: string): string[] {
  const text = uncommented(source);
  const found: string[] = [];
  const add = (index: number, name: string) => {
    found.push(`${text.slice(0, index).split("\n").length}: ${name}`);
  };
  const compares = (index: number, expression: string, name: string) => {
    if (NAMES.has(name) && !UNIONS.has(lastWord(expression))) add(index, name);
  };
  for (
    const { index, 1: left = "", 2: name = "" } of text.matchAll(/([\w.?!)\]]+)\s*[!=]==?\s*"([\w-]+)"/g)
  ) {
    compares(index, left, name);
  }
  for (const { index, 1: name = "", 2: right = "" } of text.matchAll(/"([\w-]+)"\s*[!=]==?\s*([\w.?!]+)/g)) {
    compares(index, right, name);
  }
  for (const { index, 1: name = "" } of text.matchAll(/\bcase "([\w-]+)":/g)) {
    const [, of = ""] = [...text.slice(0, index).matchAll(/switch \((.*)\) \{/g)].at(-1) ?? [];
    compares(index, of, name);
  }
  for (
    const { index, 0: list } of text.matchAll(/(?<![\w)\].])\[\s*"[\w-]+"(?:\s*,\s*"[\w-]+")*\s*,?\s*\]/g)
  ) {
    const words = [...list.matchAll(/"([\w-]+)"/g)].map(([, word = ""]) => word);
    if (words.every((word) => NAMES.has(word))) add(index, words.join(", "));
  }
  for (const { index, 1: name = "" } of text.matchAll(/(?:"([\w-]+)":|\[\s*"([\w-]+)",\s*(?=[^"\s]))/g)) {
    if (name.includes("-") && NAMES.has(name)) add(index, name);
  }
  return found;
}

Deno.test("nothing is decided by the name of an operation", () => {
  // What lies below the operations knows none: its words are those of the desktop.
  const own = /^(base|ffi|wm|desktop|session|participants|operations)\/|^catalogue\.ts$/;
  const found = sources(root).flatMap((path) => {
    const file = relative(root, path);
    if (own.test(file) || file in OTHER_WORDS) return [];
    return namesIn(readFileSync(path, "utf8")).map((at) => `src/${file}:${at}: declare a trait instead`);
  });
  assert.deepEqual(found, []);
  const needless = Object.keys(OTHER_WORDS).filter((file) =>
    namesIn(readFileSync(join(root, file), "utf8")).length === 0
  );
  assert.deepEqual(needless, []);
});

Deno.test("names are found however they decide", () => {
  const deciding = [
    'if (effect === "read" && operation === "launch") return;',
    'if ("launch" === entry.operation) return;',
    'const limit = entry.operation !== "launch" ? 0 : 3_000;',
    'switch (step.operation) { case "launch": return; }',
    'const WAITS: ReadonlySet<string> = new Set(["launch"]);',
    'if (["launch", "quit"].includes(name)) return;',
    'const LIMITS = { "find-visual": 3 };',
  ];
  for (const text of deciding) assert.equal(namesIn(text).length, 1, text);
  const others = [
    'await gate.dispatch({ operation: "launch", input });',
    'if (act.do === "select") return;',
    'const { value } = map["value"];',
    '// if (operation === "launch")',
  ];
  for (const text of others) assert.deepEqual(namesIn(text), [], text);
});

Deno.test("an operation is its file and a line of the catalogue: no other file imports it", () => {
  const imports = (path: string) =>
    [...readFileSync(path, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)]
      .map(([, target = ""]) => relative(root, resolve(path, "..", target)));
  const own = new Set(
    imports(join(root, "catalogue.ts")).filter((file) => file.startsWith("operations/")),
  );
  assert.equal(own.size, catalogue.length);
  const importing = sources(root).flatMap((path) => {
    const file = relative(root, path);
    return file === "catalogue.ts"
      ? []
      : imports(path).filter((one) => own.has(one)).map((one) => `${file}: ${one}`);
  });
  assert.deepEqual(importing, []);
});

Deno.test("an operation is asked for by its name, with its types", () => {
  const { name, inputSchema } = operationNamed("quit");
  assert.equal(name, "quit");
  assert.equal(inputSchema.parse({ app: "gedit" }).app, "gedit");
});
