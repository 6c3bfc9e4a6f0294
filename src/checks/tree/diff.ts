import { closest } from "../../base/closest.ts";
import { align, type Alignment } from "./align.ts";
import { describeAgainst, unlike } from "./match.ts";
import type { Tree, TreeNode } from "./node.ts";
import type { Pattern, TreePattern } from "./pattern.ts";
import { describeNode, printLine } from "./print.ts";

/** How a tree that does not match differs. */
export interface TreeDiff {
  /** What is wrong first, as a sentence: `line 2 expects button "Save", and there is no such element`. */
  readonly first: string;
  /** Of that line: what was written, and what stands there instead; null: nothing does. */
  readonly line: number;
  readonly expected: string;
  readonly actual: string | null;
  /** Lines that are not met. */
  readonly wrong: number;
  /** The whole, as lines: `- ` expected and not there, `+ ` there and not expected, two spaces: as expected. */
  readonly text: string;
}

/** Lines of a diff. */
const MOST = 60;
/** Lines that are as expected, before and after one that is not. */
const AROUND = 2;
/** Missing lines that are looked for elsewhere. */
const SEARCHES = 8;
/** Characters of a line. */
const WIDTH = 160;

/** Says how a tree differs from a pattern that it does not match. */
export function diffTree(pattern: TreePattern, tree: Tree, exact: boolean): TreeDiff {
  const alignment = align(pattern, tree, exact);
  const lines: Line[] = [];
  const taken = new Set(alignment.nodeOf.values());
  write(
    pattern.top,
    alignment.among,
    0,
    { alignment, tree, exact, taken, searches: { left: SEARCHES } },
    lines,
  );
  const wrong = lines.filter((line) => line.fault);
  const first = wrong[0]?.fault;
  return {
    first: first?.sentence ?? "it does not match in this order",
    line: first?.line ?? 1,
    expected: first?.expected ?? "",
    actual: first?.actual ?? null,
    wrong: wrong.length,
    text: folded(lines),
  };
}

interface Fault {
  readonly sentence: string;
  readonly line: number;
  readonly expected: string;
  readonly actual: string | null;
}

interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
  readonly fault?: Fault;
}

interface Around {
  readonly alignment: Alignment;
  readonly tree: Tree;
  readonly exact: boolean;
  /** Elements that stand for a line. */
  readonly taken: ReadonlySet<TreeNode>;
  /** How many missing lines are still looked for elsewhere: each costs a look at every name. */
  readonly searches: { left: number };
}

/** Writes lines with the elements that stand for them; in an exact comparison also those that nothing stands for. */
function write(
  lines: readonly Pattern[],
  nodes: readonly TreeNode[],
  depth: number,
  around: Around,
  into: Line[],
): void {
  const { alignment, exact } = around;
  let next = 0;
  const strangers = (until: number) => {
    for (; exact && next < until; next++) {
      const node = nodes[next];
      if (node) writeStranger(node, depth, into);
    }
    next = Math.max(next, until);
  };
  for (const line of lines) {
    const node = alignment.nodeOf.get(line);
    if (node === undefined) {
      writeMissing(line, depth, around, into);
      continue;
    }
    strangers(nodes.indexOf(node, next));
    next++;
    writePair(line, node, depth, around, into);
  }
  strangers(nodes.length);
}

function writePair(line: Pattern, node: TreeNode, depth: number, around: Around, into: Line[]): void {
  const wrong = unlike(line, node, around.exact);
  if (wrong.length === 0) into.push({ mark: " ", text: indented(expectedText(line), depth) });
  else {
    const actual = describeAgainst(node, line);
    const sentence = `line ${line.line} expects ${expectedText(line)}, but there stands ${actual}`;
    into.push({
      mark: "-",
      text: indented(expectedText(line), depth),
      fault: { sentence, line: line.line, expected: expectedText(line), actual },
    });
    into.push({ mark: "+", text: indented(actual, depth) });
  }
  write(line.children, node.children, depth + 1, around, into);
}

function writeMissing(line: Pattern, depth: number, around: Around, into: Line[]): void {
  const elsewhere = whereElse(line, around);
  const sentence = `line ${line.line} expects ${expectedText(line)}, which is not there${
    elsewhere === undefined ? "" : `; ${elsewhere}`
  }`;
  const note = elsewhere === undefined ? "" : `   # ${elsewhere}`;
  into.push({
    mark: "-",
    text: indented(expectedText(line), depth) + note,
    fault: { sentence, line: line.line, expected: expectedText(line), actual: null },
  });
  const below = (inner: Pattern, deeper: number) => {
    into.push({ mark: "-", text: indented(expectedText(inner), deeper) });
    for (const child of inner.children) below(child, deeper + 1);
  };
  for (const child of line.children) below(child, depth + 1);
}

function writeStranger(node: TreeNode, depth: number, into: Line[]): void {
  const actual = describeNode(node);
  const sentence = `${actual} is there, and no line expects it`;
  const text = `${"  ".repeat(depth)}${printLine(node)}`.slice(0, WIDTH);
  into.push({ mark: "+", text, fault: { sentence, line: 0, expected: "", actual } });
  const inside = count(node) - 1;
  if (inside > 0) into.push({ mark: "+", text: `${"  ".repeat(depth + 1)}… ${inside} more in it` });
}

/** Where the very element is, or the nearest to it; undefined: nothing is like it. */
function whereElse(line: Pattern, { tree, exact, taken, searches }: Around): string | undefined {
  if (searches.left-- <= 0) return undefined;
  const same = tree.all.find((node) => !taken.has(node) && unlike(line, node, exact).length === 0);
  if (same) return `one stands elsewhere, ${place(same)}`;
  const { name } = line;
  if (name === undefined || !("text" in name)) return undefined;
  const byName = new Map<string, TreeNode>();
  for (const node of tree.all) {
    if (node.name !== "" && node.name.length <= 3 * name.text.length + 10 && !byName.has(node.name)) {
      byName.set(node.name, node);
    }
  }
  const [near] = closest(name.text, byName.keys(), 1);
  const node = near === undefined ? undefined : byName.get(near);
  return node && `the nearest is ${describeNode(node)}, ${place(node)}`;
}

/** The three elements around it that are nearest. */
function place(node: TreeNode): string {
  const names: string[] = [];
  for (let up = node.parent; up && names.length < 3; up = up.parent) names.unshift(describeNode(up));
  return names.length === 0 ? "at the top" : `in ${names.join(" > ")}`;
}

function expectedText(line: Pattern): string {
  const { text } = line;
  if (text === undefined) return line.written;
  return `${line.written}: ${
    "regex" in text ? `/${text.regex.source}/${text.regex.flags}` : JSON.stringify(text.text)
  }`;
}

function indented(text: string, depth: number): string {
  const whole = `${"  ".repeat(depth)}- ${text}`;
  return whole.length > WIDTH ? `${whole.slice(0, WIDTH - 1)}…` : whole;
}

function count(node: TreeNode): number {
  let sum = 1;
  for (const child of node.children) sum += count(child);
  return sum;
}

/** Only what differs with what is around it: the rest is counted. */
function folded(lines: readonly Line[]): string {
  const wanted = new Set<number>();
  for (const [k, line] of lines.entries()) {
    if (line.mark === " ") continue;
    for (let at = Math.max(0, k - AROUND); at <= k + AROUND; at++) wanted.add(at);
    // What it stands in says where it is.
    let depth = depthOf(line.text);
    for (let up = k - 1; up >= 0 && depth > 0; up--) {
      const above = lines[up];
      if (above && depthOf(above.text) < depth) [depth] = [depthOf(above.text), wanted.add(up)];
    }
  }
  const shown: string[] = [];
  let left = 0;
  const skip = () => {
    if (left > 0) shown.push(`    … ${left} ${left === 1 ? "line" : "lines"} as expected`);
    left = 0;
  };
  for (const [k, line] of lines.entries()) {
    if (!wanted.has(k)) left++;
    else {
      skip();
      shown.push(`${line.mark} ${line.text}`);
    }
  }
  skip();
  if (shown.length <= MOST) return shown.join("\n");
  return [...shown.slice(0, MOST), `… ${shown.length - MOST} more lines`].join("\n");
}

function depthOf(text: string): number {
  return (/^ */.exec(text)?.[0].length ?? 0) / 2;
}
