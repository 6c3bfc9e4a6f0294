import { passes, type Pattern, type TextTest } from "./pattern.ts";
import type { Tree, TreeNode } from "./node.ts";

/** Characters of a name or text before the rest is left to an expression. */
const MOST = 160;

/** How a tree is printed. */
export interface PrintOptions {
  /** The line that a node stood for before: expressions in it that still match are kept. */
  readonly before?: (node: TreeNode) => Pattern | undefined;
}

/**
 * A tree in the notation, a line an element; reading it again gives a pattern that matches the tree, `exact` too. It is YAML as
 * well, and says nothing of places, of the focus, or of what a password field holds.
 */
export function printTree(tree: Tree, options: PrintOptions = {}): string {
  const lines: string[] = [];
  const write = (node: TreeNode, depth: number) => {
    lines.push("  ".repeat(depth) + printLine(node, options.before?.(node)));
    for (const child of node.children) write(child, depth + 1);
  };
  for (const node of tree.top) write(node, 0);
  return `${lines.join("\n")}\n`;
}

/** One line, without what is in it: `- button "Save" [disabled]`, with a colon where something is. */
export function printLine(node: TreeNode, before?: Pattern): string {
  const text = node.text === undefined || node.children.length > 0
    ? ""
    : ` ${printTest(kept(before?.text, node.text) ?? testOf(node.text))}`;
  const key = yamlKey(describeNode(node, before));
  return `- ${key}${text !== "" || node.children.length > 0 ? ":" : ""}${text}`;
}

/** Role, name and states: `button "Save" [disabled]`. */
export function describeNode(node: TreeNode, before?: Pattern): string {
  const name = node.name === "" ? "" : ` ${printTest(kept(before?.name, node.name) ?? testOf(node.name))}`;
  const marks = [...node.states, ...(node.level === undefined ? [] : [`level=${node.level}`])];
  return `${node.info.word}${name}${marks.length > 0 ? ` [${marks.join(" ")}]` : ""}`;
}

function kept(test: TextTest | undefined, text: string): TextTest | undefined {
  return test !== undefined && "regex" in test && passes(test, text) ? test : undefined;
}

/** A long text is known by how it begins. */
function testOf(text: string): TextTest | string {
  return text.length <= MOST ? { text } : `/^${escaped(Array.from(text).slice(0, 100).join(""))}/`;
}

function printTest(test: TextTest | string): string {
  if (typeof test === "string") return test;
  if ("text" in test) return JSON.stringify(test.text);
  return `/${test.regex.source.replaceAll("/", "\\/")}/${test.regex.flags}`;
}

function escaped(text: string): string {
  // A colon or a number sign would mean something else to YAML.
  return text.replace(/[\\^$.*+?()[\]{}|\/]/g, "\\$&").replaceAll(":", "\\x3a").replaceAll("#", "\\x23");
}

/** YAML takes a plain key unless a colon or a number sign in it says something else. */
function yamlKey(key: string): string {
  return /:\s|:$|\s#/.test(key) ? `'${key.replaceAll("'", "''")}'` : key;
}
