import { buildSnapshot } from "../desktop/build.ts";
import { actionableRows } from "../desktop/ranking/_share.ts";
import { Ranker } from "../desktop/ranking/mod.ts";
import { match } from "../desktop/selector/match.ts";
import { parseSelector } from "../desktop/selector/parse.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { destructiveWord } from "../policy/judgement/destructive-words.ts";
import { readTree, treeNames } from "../intelligence/_trees.ts";
import { calledOf, Choices, moveLast, type Mutable, mutable, remove, rename, twin, wrap } from "./_mutate.ts";
import { evidenceOf } from "./evidence.ts";
import { type Proposal, propose } from "./propose.ts";

/** What is done to a tree, and whether the element is there afterwards as one that a person would find again. */
const MUTATIONS: Readonly<Record<string, { readonly heals: boolean; apply(m: Mutation): boolean }>> = {
  "a word more": heals(({ node, name, choose }) => {
    rename(node, name, choose.below(2) === 0 ? `${name} ${choose.of(WORDS)}` : `${choose.of(WORDS)} ${name}`);
    return true;
  }),
  "another number": heals(({ node, name, choose }) => {
    if (!/\p{L}{2}/u.test(name)) return false;
    rename(node, name, /\d/.test(name) ? name.replace(/\d+/g, "74") : `${name} (${choose.below(90) + 2})`);
    return true;
  }),
  "other case and dots": heals(({ node, name }) => {
    rename(node, name, `${name.toUpperCase()}…`);
    return true;
  }),
  "a word more in a new box": heals(({ node, name, choose }) => {
    rename(node, name, `${name} ${choose.of(WORDS)}`);
    wrap(node);
    return true;
  }),
  "a letter less, moved to the end": heals(({ node, name }) => {
    if (name.length < 7) return false;
    rename(node, name, name.slice(0, 3) + name.slice(4));
    moveLast(node);
    return true;
  }),
  "its surroundings renamed": heals(({ node, name, choose }) => {
    for (let up = node.up; up !== undefined; up = up.up) {
      if (up.name) up.name = `${choose.of(WORDS)} ${up.name}`;
    }
    rename(node, name, `${name} ${choose.of(WORDS)}`);
    return true;
  }),
  "a word for another": heals(({ node, name, choose }) => {
    rename(node, name, choose.of(["Sichern", "Weiter", "Tallenna", "Übernehmen", "Käytä"]));
    return true;
  }),
  "removed": refuses(({ node }) => {
    remove(node);
    return true;
  }),
  "removed, and another one comes": refuses(({ node, choose }) => {
    const copy = twin(node, "/new");
    rename(copy, calledOf(copy), choose.of(["Unrelated", "Inspector", "Vote", "Zebra crossing"]));
    remove(node);
    moveLast(copy);
    return true;
  }),
  "removed, and its neighbours are renamed": refuses(({ node, others, choose }) => {
    remove(node);
    for (const other of others) {
      const name = calledOf(other);
      if (name !== "") rename(other, name, `${name} ${choose.of(WORDS)}`);
    }
    return others.length > 0;
  }),
  "renamed, with a twin": refuses(({ node, name, choose }) => {
    rename(node, name, `${name} ${choose.of(WORDS)}`);
    twin(node, "/twin");
    return true;
  }),
  "names swapped": refuses(({ node, name, others, choose }) => {
    const other = others.find((one) => !["", name].includes(calledOf(one)));
    if (other === undefined) return false;
    const word = choose.of(WORDS), theirs = calledOf(other);
    rename(node, name, `${theirs} ${word}`);
    rename(other, theirs, `${name} ${word}`);
    return true;
  }),
  "names swapped as they were": refuses(({ node, name, others }) => {
    const other = others.find((one) => !["", name].includes(calledOf(one)));
    if (other === undefined) return false;
    const theirs = calledOf(other);
    rename(node, name, theirs);
    rename(other, theirs, name);
    return true;
  }),
  "it becomes one that destroys": refuses(({ node, name }) => {
    rename(node, name, `Delete ${name}`);
    return true;
  }),
};
const WORDS = ["now", "here", "this", "again", "selected", "file"];

interface Mutation {
  readonly node: Mutable;
  /** What it is called. */
  readonly name: string;
  /** Others of its role and parent. */
  readonly others: readonly Mutable[];
  readonly choose: Choices;
}
type Apply = (mutation: Mutation) => boolean;
function heals(apply: Apply) {
  return { heals: true, apply };
}
function refuses(apply: Apply) {
  return { heals: false, apply };
}

/** One mutation of one recorded tree, and what came of it. */
export interface Judged {
  readonly tree: string;
  readonly mutation: string;
  readonly locator: string;
  readonly heals: boolean;
  /** Undefined: the locator finds something, so that nothing is to be healed. */
  readonly proposal: Proposal | undefined;
  readonly verdict: "right" | "wrong" | "missed";
  readonly mutated: Snapshot;
}

/** So many mutations, each on a tree and an element of it that are drawn by the seed. */
export function judge(seed: number, count: number): Judged[] {
  const choose = new Choices(seed);
  const names = treeNames();
  const judged: Judged[] = [];
  const kinds = Object.keys(MUTATIONS);
  for (let k = 0; judged.length < count; k++) {
    if (k > 40 * count) throw new Error("too few elements can be changed");
    const tree = choose.of(names);
    const one = judgeOne(tree, kinds[judged.length % kinds.length] ?? "removed", choose);
    if (one !== undefined) judged.push(one);
  }
  return judged;
}

function judgeOne(tree: string, kind: string, choose: Choices): Judged | undefined {
  const mutation = MUTATIONS[kind];
  const before = readTree(tree);
  const rows = actionableRows(before);
  if (mutation === undefined || rows.length === 0) return undefined;
  const row = choose.of(rows);
  const best = new Ranker(before).best(row);
  const nodes = mutable(before);
  const node = nodes[row], root = nodes[0];
  if (best === undefined || best.by.includes("place") || node === undefined || root === undefined) {
    return undefined;
  }
  const name = calledOf(node);
  if (name === "") return undefined;
  const others = (node.up?.children ?? []).filter((other) => other !== node && other.role === node.role);
  // As a run keeps it: what labels tell is read of what has no name alone.
  const evidence = evidenceOf(before, row, before.name(row) === "");
  // Nothing is healed that says that something is lost: to refuse is right.
  const { name: own, description, content } = evidence;
  const lost = destructiveWord([own, description, ...content].join(". ")) !== undefined;
  const heals = mutation.heals && !lost;
  node.path = "/target";
  if (!mutation.apply({ node, name, others, choose })) return undefined;
  const mutated = buildSnapshot(root, before.origin.application);
  const finds = match(parseSelector(best.selector), mutated).length > 0;
  // Where the locator still finds its element there is nothing to heal.
  if (finds && heals) return undefined;
  const proposal = finds ? undefined : propose(evidence, mutated);
  const about = { tree, mutation: kind, locator: best.selector, heals, proposal, mutated };
  if (proposal?.found !== true) return { ...about, verdict: heals ? "missed" : "right" };
  const right = heals && mutated.path(proposal.row) === "/target" &&
    match(parseSelector(proposal.selector), mutated).join() === String(proposal.row);
  return { ...about, verdict: right ? "right" : "wrong" };
}
