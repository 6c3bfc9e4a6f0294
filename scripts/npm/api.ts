/**
 * The reference of the library's interface, made from the `.d.ts` files of the npm package: what it exports, in the order and
 * under the headings of `mod.ts`.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Lines of a declaration that are shown; those of the catalogue's types are a page of their own. */
const MOST_LINES = 80;

const HEAD = `<!-- Made by \`deno task npm\` from the declarations of the npm package; do not edit. -->

# The library

\`import { … } from "backstep"\`, and from \`backstep/testing\` and \`backstep/schema\` (the JSON Schema of workflow files).
[A program that uses it](../how-to/library.md) is ten lines long.
`;

/** The page, from an emitted tree; `module` is the text of `mod.ts`, whose headings no declaration keeps. */
export function apiReference(tree: string, module: string): string {
  const parts = [HEAD];
  for (const { title, exports } of sections(module)) {
    parts.push(`## ${title}\n`);
    for (const { name, module } of exports) parts.push(entry(tree, name, module));
  }
  parts.push("## backstep/testing\n");
  const testing = "src/testing/mod.d.ts";
  for (
    const [, name = ""] of read(tree, testing).matchAll(/^export (?:declare )?(?:function|interface) (\w+)/gm)
  ) {
    parts.push(entry(tree, name, testing));
  }
  return `${parts.join("\n").trimEnd()}\n`;
}

interface Section {
  readonly title: string;
  readonly exports: { name: string; module: string }[];
}

/** The re-exports of a module below its line comments. */
function sections(module: string): Section[] {
  const found: Section[] = [];
  for (
    const [, title, names = "", from = ""] of module.matchAll(
      /^\/\/ (.+)\.$|^export (?:type )?\{([^}]*)\} from "(.+)\.[jt]s"/gm,
    )
  ) {
    if (title !== undefined) {
      found.push({ title, exports: [] });
      continue;
    }
    for (const name of names.split(",").map((word) => word.trim()).filter((word) => word !== "")) {
      found.at(-1)?.exports.push({ name, module: `${from}.d.ts` });
    }
  }
  return found;
}

function read(tree: string, module: string): string {
  return readFileSync(join(tree, module), "utf8");
}

/** What is exported under a name: its documentation, and its declarations (several of a function with overloads). */
function entry(tree: string, name: string, module: string): string {
  const [exported = name, own = exported] = name.split(" as ").reverse();
  const text = read(tree, module);
  const statements = topLevel(text).filter(({ code }) => declares(code, own));
  if (statements.length === 0) {
    const other = elsewhere(text, own);
    if (other === undefined) throw new Error(`${module} declares no ${own}`);
    const there = relative(tree, join(tree, dirname(module), other.path));
    return entry(tree, other.name === exported ? exported : `${other.name} as ${exported}`, there);
  }
  const docs = statements.map(({ doc }) => doc).find((doc) => doc !== "") ?? "";
  const code = statements.map(({ code }) => short(code)).join("\n");
  const { words, example } = split(docs);
  return [
    `### ${exported}\n`,
    ...(words === "" ? [] : [`${words}\n`]),
    "```ts",
    code.replace(/^export (?:declare )?/gm, ""),
    "```\n",
    ...(example === "" ? [] : [`${example}\n`]),
  ].join("\n");
}

function declares(code: string, name: string): boolean {
  return new RegExp(`^export (?:declare )?(?:abstract )?(?:function|interface|type|class|const) ${name}\\b`)
    .test(code);
}

/** Where a module has a name from that it does not declare itself. */
function elsewhere(text: string, name: string): { path: string; name: string } | undefined {
  for (
    const [, names = "", path = ""] of text.matchAll(/^export (?:type )?\{([^}]*)\} from "(.+)\.[jt]s"/gm)
  ) {
    for (const one of names.split(",").map((word) => word.trim())) {
      const [exported, own = exported] = one.split(" as ").reverse();
      if (exported === name && own !== undefined) return { path: `${path}.d.ts`, name: own };
    }
  }
  return undefined;
}

interface Statement {
  readonly doc: string;
  readonly code: string;
}

/** The statements of a declaration file, each with the comment right before it. */
function topLevel(text: string): Statement[] {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, at) => /^(?:export|import|declare) /.test(line) ? [at] : []);
  const docOf = (at: number) => {
    if (!lines[at - 1]?.endsWith("*/")) return at;
    for (let begin = at - 1; begin >= 0; begin--) if (lines[begin]?.startsWith("/**")) return begin;
    return at;
  };
  return starts.map((at, index) => {
    const next = starts[index + 1], doc = docOf(at);
    const end = next === undefined ? lines.length : docOf(next);
    return { doc: lines.slice(doc, at).join("\n"), code: lines.slice(at, end).join("\n").trimEnd() };
  });
}

function short(code: string): string {
  const lines = code.split("\n");
  return lines.length <= MOST_LINES ? code : `${lines[0]?.slice(0, 100)} … // ${lines.length} lines`;
}

/** The words of a comment, and its examples. */
function split(doc: string): { words: string; example: string } {
  const lines = doc.replace(/^\/\*\*|\*\/$/g, "").split("\n").map((line) =>
    line.replace(/^\s*\* ?/, "").trimEnd()
  );
  const at = lines.findIndex((line) => line.startsWith("@example"));
  const words = (at < 0 ? lines : lines.slice(0, at)).join("\n").trim()
    .replace(/^@param (\S+) /gm, "\n- `$1`: ").replace(/^@throws \{(\w+)\} /gm, "\nThrows `$1`: ")
    .replace(/^@returns /gm, "\nReturns ").replace(/\n{3,}/g, "\n\n");
  const example = at < 0 ? "" : lines.slice(at).join("\n").replaceAll(/^@example ?/gm, "").trim();
  return { words, example: example.replaceAll(/from "\.[^"]*\.ts"/g, 'from "backstep"') };
}
