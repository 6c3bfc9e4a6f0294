import { typeMeans } from "../../desktop/vocabulary.ts";
import { inCommon } from "../alike.ts";
import { unlike } from "./match.ts";
import type { Tree, TreeNode } from "./node.ts";
import { passes, type Pattern, type TreePattern } from "./pattern.ts";

/** Pairs up to which what is inside counts for how alike two elements are. */
const MOST_DEEP = 2_000_000;
/** Pairs of two lists that are compared in every way; longer ones are paired from the front. */
const MOST_LIST = 250_000;
/** Below this, two are not the same thing changed but two things. */
const ALIKE = 0.35;

/** Which element stands for each line, as far as one is like it. */
export interface Alignment {
  /** What the top lines were compared with: all that stand beside each other there. */
  readonly among: readonly TreeNode[];
  readonly nodeOf: ReadonlyMap<Pattern, TreeNode>;
}

/** Pairs the lines of a pattern that does not match with the elements that are most like them, in order. */
export function align(pattern: TreePattern, tree: Tree, exact: boolean): Alignment {
  const aligner = new Aligner(pattern, tree, exact);
  let among = tree.top;
  let best = aligner.weigh(pattern.top, tree.top);
  const places = exact ? [tree.root] : tree.all;
  for (const node of places) {
    if (node === undefined || node.children.length === 0) continue;
    const gain = aligner.weigh(pattern.top, node.children);
    if (gain > best) [among, best] = [node.children, gain];
  }
  const nodeOf = new Map<Pattern, TreeNode>();
  aligner.pair(pattern.top, among, nodeOf);
  return { among, nodeOf };
}

class Aligner {
  readonly #exact: boolean;
  readonly #deep: boolean;
  readonly #last: Float32Array;
  readonly #width: number;
  readonly #position: ReadonlyMap<Pattern, number>;

  constructor(pattern: TreePattern, tree: Tree, exact: boolean) {
    const pairs = pattern.all.length * tree.all.length;
    this.#exact = exact;
    this.#deep = pairs <= MOST_DEEP;
    this.#last = new Float32Array(this.#deep ? pairs : 0).fill(-1);
    this.#width = tree.all.length;
    this.#position = new Map(pattern.all.map((line, index) => [line, index]));
  }

  /** How much of a list of lines is in a list of elements. */
  weigh(lines: readonly Pattern[], nodes: readonly TreeNode[]): number {
    if (lines.length === 0 || nodes.length === 0) return 0;
    if (!this.#deep || lines.length * nodes.length > MOST_LIST) return this.#firstFit(lines, nodes).gain;
    let last = new Float32Array(nodes.length + 1);
    for (const line of lines) {
      const row = new Float32Array(nodes.length + 1);
      for (const [k, node] of nodes.entries()) {
        row[k + 1] = Math.max(row[k] ?? 0, last[k + 1] ?? 0, (last[k] ?? 0) + this.#gain(line, node));
      }
      last = row;
    }
    return last[nodes.length] ?? 0;
  }

  /** Pairs two lists, and what is in each pair. */
  pair(lines: readonly Pattern[], nodes: readonly TreeNode[], into: Map<Pattern, TreeNode>): void {
    for (const [line, node] of this.#pairs(lines, nodes)) {
      into.set(line, node);
      this.pair(line.children, node.children, into);
    }
  }

  #pairs(lines: readonly Pattern[], nodes: readonly TreeNode[]): (readonly [Pattern, TreeNode])[] {
    if (!this.#deep || lines.length * nodes.length > MOST_LIST) return this.#firstFit(lines, nodes).pairs;
    const width = nodes.length + 1;
    const table = new Float32Array((lines.length + 1) * width);
    for (const [i, line] of lines.entries()) {
      for (const [k, node] of nodes.entries()) {
        table[(i + 1) * width + k + 1] = Math.max(
          table[(i + 1) * width + k] ?? 0,
          table[i * width + k + 1] ?? 0,
          (table[i * width + k] ?? 0) + this.#gain(line, node),
        );
      }
    }
    const pairs: (readonly [Pattern, TreeNode])[] = [];
    let i = lines.length, k = nodes.length;
    while (i > 0 && k > 0) {
      const here = table[i * width + k];
      if (here === table[i * width + k - 1]) k--;
      else if (here === table[(i - 1) * width + k]) i--;
      else {
        const line = lines[--i], node = nodes[--k];
        if (line && node) pairs.push([line, node]);
      }
    }
    return pairs.reverse();
  }

  /** The first element that is a line's own, else the next that is like it. */
  #firstFit(lines: readonly Pattern[], nodes: readonly TreeNode[]) {
    const pairs: (readonly [Pattern, TreeNode])[] = [];
    let from = 0;
    let gain = 0;
    for (const line of lines) {
      const whole = nodes.findIndex((node, k) => k >= from && unlike(line, node, this.#exact).length === 0);
      const at = whole >= 0 ? whole : nodes.findIndex((node, k) => k >= from && likeness(line, node) > ALIKE);
      const node = nodes[at];
      if (node === undefined) continue;
      pairs.push([line, node]);
      gain += likeness(line, node);
      from = at + 1;
      if (from >= nodes.length) break;
    }
    return { pairs, gain };
  }

  #gain(line: Pattern, node: TreeNode): number {
    const at = (this.#position.get(line) ?? 0) * this.#width + node.index;
    const existing = this.#last[at] ?? -1;
    if (existing >= 0) return existing;
    const own = likeness(line, node);
    const whole = own >= 0.99 && unlike(line, node, this.#exact).length === 0;
    // One that is all that a line says is worth two that are like it.
    const gain = own <= ALIKE ? 0 : (whole ? 2.5 : own) + this.weigh(line.children, node.children);
    this.#last[at] = gain;
    return gain;
  }
}

/** How alike a line and an element are by themselves, from 0 to 1. */
function likeness(line: Pattern, node: TreeNode): number {
  const role = typeMeans(line.role, node.info) ? 0.4 : 0;
  const name = line.name === undefined ? (role > 0 ? 0.4 : 0) : 0.4 * alike(line.name, node.name);
  if (role + name < 0.2) return 0;
  const wrong = line.states.filter(([word, wanted]) => node.has(word) !== wanted).length;
  const states = line.states.length === 0 ? 0.1 : 0.1 * (1 - wrong / line.states.length);
  const text = line.text === undefined || passes(line.text, node.text ?? node.name) ? 0.1 : 0;
  return role + name + states + text;
}

/** How alike two names are: the same, but for letters' case, one in the other, or pairs of letters in common. */
function alike(test: NonNullable<Pattern["name"]>, name: string): number {
  if (passes(test, name)) return 1;
  if (!("text" in test) || name === "" || test.text === "") return 0;
  const a = test.text.toLowerCase(), b = name.toLowerCase();
  if (a === b) return 0.9;
  if (a.includes(b) || b.includes(a)) return 0.6;
  return 0.8 * inCommon(a.slice(0, 60), b.slice(0, 60));
}
