import { Ranker } from "../desktop/ranking/mod.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { rowHas } from "../desktop/state-words.ts";
import { destructiveWord } from "../policy/judgement/destructive-words.ts";
import { type ElementEvidence, keyOf, rowsAlike, traitsOf } from "./evidence.ts";
import { likeness } from "./likeness.ts";
import { similar } from "./similar.ts";

/** The least score of a candidate, and what it must be better by than the next. */
export const LEAST = 0.62;
export const MARGIN = 0.15;
/** How alike something that tells an element by itself must be: its place alone tells nothing. */
const IDENTITY = 0.6;
/** How alike the surroundings must be of what has a twin: they alone tell the two from each other. */
const SURROUNDINGS = 0.6;

/** How much closer to its place another one may stand. */
const CLOSER = 0.2;

/** Why nothing is proposed. */
export type Refusal =
  /** It is asserted that nothing matches: what is gone is what was asked for. */
  | "negative"
  /** It, or what it would become, says that something is lost. */
  | "destructive"
  /** Nothing is known of it by which it could be told from others. */
  | "unknown"
  /** Nothing of its role is there that was not there before. */
  | "absent"
  /** What is there is too different. */
  | "unlike"
  /** Two are alike. */
  | "tie"
  /** It cannot be told from others by a selector that lasts. */
  | "no-locator";

/** What a locator that finds nothing may have meant. */
export type Proposal =
  | {
    readonly found: true;
    /** Row of the snapshot. */
    readonly row: number;
    readonly selector: string;
    /** From 0 to 1. */
    readonly score: number;
    /** What it is better by than the next; 1 where there is no other. */
    readonly margin: number;
    /** For people: what agrees. */
    readonly reasons: readonly string[];
  }
  | { readonly found: false; readonly refused: Refusal; readonly reason: string };

/** What the locator is for. */
export interface ProposeOptions {
  /** It is asserted, or waited for, that nothing matches. */
  readonly negative?: boolean;
}

/**
 * What an element that a locator found once has become in another tree. Only what has its role, shows, and was not there as
 * something else before is considered; it must be like it by itself, not only by its place; and where two are alike, neither is
 * proposed.
 */
export function propose(
  evidence: ElementEvidence,
  snapshot: Snapshot,
  { negative = false }: ProposeOptions = {},
): Proposal {
  if (negative) return refused("negative", "the step asserts that nothing matches");
  const lost = destructiveWord(wordsOf(evidence));
  if (lost !== undefined) return refused("destructive", `it says "${lost}"`);
  if (!isCalled(evidence)) {
    return refused("unknown", "it has no name, id, description, label or content to tell it by");
  }
  const alike = rowsAlike(snapshot, evidence.role).filter((row) => rowHas(snapshot, row, "visible"));
  const fresh = withoutOthers(evidence, snapshot, alike);
  if (fresh.length === 0) {
    return refused("absent", `no ${evidence.role} is there that was not there as another one before`);
  }
  const ranked = fresh.map((row) => ({ row, ...likeness(evidence, traitsOf(snapshot, row)) }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = ranked;
  if (best === undefined) return refused("absent", `no ${evidence.role} is there`);
  const margin = best.score - (second?.score ?? best.score - 1);
  const twin = evidence.others.some((key) => key.split("\n")[0] === evidence.name && evidence.name !== "");
  const strange = best.identity < IDENTITY || (twin && best.surroundings < SURROUNDINGS) || !best.sameItem;
  if (best.score < LEAST || strange) {
    return refused("unlike", `what is closest is too different (${best.score.toFixed(2)})`);
  }
  // Where something else that is new stands in its place, its name or its place is wrong: nobody can tell which.
  const rivals = ranked.filter((other) => other !== best);
  if (
    rivals.some((other) =>
      (other.inPlace && !best.inPlace) || other.surroundings > best.surroundings + CLOSER
    )
  ) {
    return refused("tie", "something else that is new stands where it stood");
  }
  if (rivals.some(({ identity }) => identity >= IDENTITY && identity > best.identity - MARGIN)) {
    return refused("tie", "something else that is new is called as much like it");
  }
  const gone = likestGone(evidence, snapshot, alike, best.row);
  if (gone > best.identity - MARGIN) return refused("tie", "it is as much like another one that is gone");
  if (margin < MARGIN) {
    return refused("tie", `two are alike (${best.score.toFixed(2)}, ${margin.toFixed(2)} apart)`);
  }
  const word = destructiveWord(wordsOf(traitsOf(snapshot, best.row)));
  if (word !== undefined) return refused("destructive", `what is there says "${word}"`);
  const locator = new Ranker(snapshot).best(best.row);
  if (locator === undefined || locator.by.includes("place")) {
    return refused("no-locator", "only its number tells it from others");
  }
  const { row, score, reasons } = best;
  return { found: true, row, selector: locator.selector, score, margin: Math.min(1, margin), reasons };
}

function refused(refusal: Refusal, reason: string): Proposal {
  return { found: false, refused: refusal, reason };
}

function wordsOf(
  { name, description, content }: Pick<ElementEvidence, "name" | "description" | "content">,
): string {
  return [name, description, ...content].join(". ");
}

function isCalled({ name, id, description, labels, placeholders, content }: ElementEvidence): boolean {
  return [name, id, description, ...labels, ...placeholders, ...content].some((text) => text !== "");
}

/** How much a row is called like the likest of the others that are there no more: it may be that one, renamed. */
function likestGone(
  evidence: ElementEvidence,
  snapshot: Snapshot,
  rows: readonly number[],
  row: number,
): number {
  const ownOf = (key: string) => key.split("\n")[0] ?? "";
  const are = new Set(rows.map((one) => ownOf(keyOf(snapshot, one))));
  const gone = new Set(evidence.others.map(ownOf).filter((own) => own !== "" && !are.has(own)));
  gone.delete(evidence.name);
  const own = ownOf(keyOf(snapshot, row));
  return Math.max(0, ...[...gone].map((other) => similar(other, own)));
}

/** Rows that are none of those that were there as others: of each kind no more are left out than there were. */
function withoutOthers(evidence: ElementEvidence, snapshot: Snapshot, rows: readonly number[]): number[] {
  const were = new Map<string, number>();
  for (const key of evidence.others) were.set(key, (were.get(key) ?? 0) + 1);
  const are = new Map<string, number>();
  const keys = rows.map((row) => keyOf(snapshot, row));
  for (const key of keys) are.set(key, (are.get(key) ?? 0) + 1);
  // Of more than there were, which is the new one is for the likeness to say.
  return rows.filter((_, k) => {
    const key = keys[k] ?? "";
    return (are.get(key) ?? 0) > (were.get(key) ?? 0);
  });
}
