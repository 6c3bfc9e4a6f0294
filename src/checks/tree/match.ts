import { BackstepError } from "../../base/error.ts";
import type { StateWord } from "../../desktop/state-words.ts";
import { typeMeans } from "../../desktop/vocabulary.ts";
import type { Tree, TreeNode } from "./node.ts";
import { passes, type Pattern, type TreePattern } from "./pattern.ts";
import { describeNode } from "./print.ts";

/** Comparisons of a line with an element that are kept: one byte each. */
const MOST_PAIRS = 64_000_000;

/** How strictly a tree is compared. */
export interface MatchOptions {
  /** Nothing may be there beside what is listed, and no name, text or lasting state beside what is said; default false. */
  readonly exact?: boolean;
}

/**
 * Does a tree match a pattern? Lines that stand side by side match elements that do, in this order, with others between
 * them unless `exact`; the pattern as a whole matches the tree's root, or what is in any one element of it (exact: in the
 * root). Each line is compared with each element at most once, so that it takes time in proportion to lines × elements.
 *
 * @throws {BackstepError} `limit` for 64 million pairs and more.
 *
 * @example
 * ```ts
 * import { buildSnapshot } from "../../desktop/build.ts";
 * import { matchesTree } from "./match.ts";
 * import { treeOf } from "./node.ts";
 * import { parseTree } from "./parse.ts";
 *
 * const snapshot = buildSnapshot(
 *   { role: "dialog", name: "Save", children: [{ role: "pushButton", name: "Help" }, { role: "pushButton", name: "Save" }] },
 *   { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" },
 * );
 * if (!matchesTree(parseTree("- dialog:\n  - button /^S/ [enabled]"), treeOf(snapshot))) throw new Error();
 * ```
 */
export function matchesTree(pattern: TreePattern, tree: Tree, options: MatchOptions = {}): boolean {
  const matcher = new Matcher(pattern, tree, options.exact === true);
  return matcher.list(pattern.top, tree.top) ||
    (options.exact === true
      ? tree.root !== undefined && matcher.list(pattern.top, tree.root.children)
      : tree.all.some((node) => matcher.list(pattern.top, node.children)));
}

class Matcher {
  readonly #exact: boolean;
  readonly #last: Uint8Array;
  readonly #width: number;
  readonly #position: ReadonlyMap<Pattern, number>;

  constructor(pattern: TreePattern, tree: Tree, exact: boolean) {
    const pairs = pattern.all.length * tree.all.length;
    if (pairs > MOST_PAIRS) {
      throw new BackstepError(
        "limit",
        `Cannot compare ${pattern.all.length} lines with ${tree.all.length} elements: that is too much`,
        { hint: "Give a smaller `target:`." },
      );
    }
    this.#exact = exact;
    this.#last = new Uint8Array(pairs);
    this.#width = tree.all.length;
    this.#position = new Map(pattern.all.map((line, index) => [line, index]));
  }

  /** Taking the first element that matches each line is as good as any choice: what follows has the more room. */
  list(lines: readonly Pattern[], nodes: readonly TreeNode[]): boolean {
    if (this.#exact) {
      return lines.length === nodes.length &&
        lines.every((line, k) => {
          const node = nodes[k];
          return node !== undefined && this.#one(line, node);
        });
    }
    let next = 0;
    for (const node of nodes) {
      const line = lines[next];
      if (line === undefined) break;
      if (this.#one(line, node)) next++;
    }
    return next === lines.length;
  }

  #one(line: Pattern, node: TreeNode): boolean {
    const at = (this.#position.get(line) ?? 0) * this.#width + node.index;
    const existing = this.#last[at];
    if (existing !== 0) return existing === 2;
    const matches = unlike(line, node, this.#exact).length === 0 && this.list(line.children, node.children);
    this.#last[at] = matches ? 2 : 1;
    return matches;
  }
}

/** What of one line an element is not, its children left aside. */
export type Unlike = "role" | "name" | "states" | "level" | "text";

/** Compares one line with one element; empty: it is all that the line says. */
export function unlike(line: Pattern, node: TreeNode, exact: boolean): Unlike[] {
  const found: Unlike[] = [];
  if (!typeMeans(line.role, node.info)) found.push("role");
  if (line.name === undefined ? exact && node.name !== "" : !passes(line.name, node.name)) found.push("name");
  if (line.states.some(([word, wanted]) => node.has(word) !== wanted)) found.push("states");
  else if (exact && node.states.some((word) => !says(line, word))) found.push("states");
  if (line.level === undefined ? exact && node.level !== undefined : line.level !== node.level) {
    found.push("level");
  }
  // What holds lines says nothing of its text.
  const silent = line.text === undefined;
  if (silent ? exact && node.text !== undefined && node.children.length === 0 : !holds(line, node)) {
    found.push("text");
  }
  return found;
}

function holds({ text }: Pattern, node: TreeNode): boolean {
  return text === undefined || (!node.secure && passes(text, node.text ?? node.name));
}

/** Does a line name this state, or its opposite? */
function says({ states }: Pattern, word: string): boolean {
  return states.some(([named]) => named === word);
}

/** Does a pattern name scroll bars, which are left out of trees otherwise? */
export function namesScrollBars({ all }: TreePattern): boolean {
  return all.some(({ role }) => role === "scrollbar" || role === "AXScrollBar");
}

/** Does a pattern ask for levels, which cost a call an element? */
export function asksLevels({ all }: TreePattern): boolean {
  return all.some(({ level }) => level !== undefined);
}

const OPPOSITES: Readonly<Partial<Record<StateWord, StateWord>>> = {
  enabled: "disabled",
  disabled: "enabled",
  checked: "unchecked",
  unchecked: "checked",
  expanded: "collapsed",
  collapsed: "expanded",
};

/** An element with the states that a line asks and that it has not: `checkbox "Sound" [checked=false]`. */
export function describeAgainst(node: TreeNode, line: Pattern): string {
  const wrong = line.states
    .filter(([word, wanted]) => node.has(word) !== wanted)
    .filter(([word, wanted]) => {
      const instead = wanted ? OPPOSITES[word] : word;
      return instead === undefined || !node.states.includes(instead);
    })
    .map(([word, wanted]) => `${word}=${!wanted}`);
  const text = line.text === undefined || node.text === undefined
    ? ""
    : `: ${JSON.stringify(node.text.slice(0, 100))}`;
  const secure = node.secure && line.text !== undefined ? " (what it holds is never read)" : "";
  return `${describeNode(node)}${wrong.length === 0 ? "" : ` [${wrong.join(" ")}]`}${text}${secure}`;
}
