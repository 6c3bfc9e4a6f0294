import { Role, roleOf } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { rowHas } from "../state-words.ts";
import { canonicalType, typeMeans } from "../vocabulary.ts";

/** An element and how well its words fit, from 0 to 1. */
export interface Scored {
  readonly row: number;
  readonly score: number;
}

/** Below this nothing counts as found. */
export const SEMANTIC_THRESHOLD = 0.6;

const STOP = new Set([
  "a",
  "an",
  "the",
  "of",
  "to",
  "for",
  "in",
  "on",
  "at",
  "and",
  "or",
  "this",
  "that",
  "with",
  "my",
]);
const WEIGHT = { name: 1, label: 0.9, description: 0.8, id: 0.7, role: 0.6 };

/** The words of a text, lower case, without those that say nothing. */
export function wordsOf(text: string): string[] {
  const split = text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return split.filter((word) => word !== "" && !STOP.has(word));
}

/** The same word, or one that begins like it: "settings" and "setting". */
function alike(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 4 && long.length - short.length <= 3 && long.startsWith(short);
}

/**
 * How well each visible element fits a description such as "the save button": each word of the query counts for the
 * best place it is found in (name 1, label beside it 0.9, description 0.8, id 0.7, role 0.6), and the sum is divided by
 * the number of words; words of the name that were not asked for cost 0.02 each, 0.1 at most. An element of which only
 * the role fits does not count. Deterministic; best first, then in document order.
 */
export function semanticScores(query: string, snapshot: Snapshot, scope = -1): Scored[] {
  const wanted = wordsOf(query).slice(0, 20);
  if (wanted.length === 0) return [];
  const types = wanted.map((word) => canonicalType(word));
  const scored: Scored[] = [];
  const end = scope < 0 ? snapshot.size : snapshot.end(scope);
  for (let row = scope < 0 ? 0 : scope + 1; row < end; row++) {
    const name = wordsOf(snapshot.name(row));
    const places: [readonly string[], number][] = [
      [name, WEIGHT.name],
      [wordsOf(labelBeside(snapshot, row)), WEIGHT.label],
      [wordsOf(snapshot.description(row)), WEIGHT.description],
      [wordsOf(snapshot.id(row)), WEIGHT.id],
    ];
    if (places.every(([words]) => words.length === 0) || !rowHas(snapshot, row, "visible")) continue;
    const role = roleOf(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row));
    let sum = 0;
    let more = false;
    wanted.forEach((word, k) => {
      const type = types[k];
      let best = type !== undefined && typeMeans(type, role) ? WEIGHT.role : 0;
      for (const [words, weight] of places) {
        if (weight > best && words.some((other) => alike(word, other))) {
          best = weight;
          more = true;
        }
      }
      sum += best;
    });
    if (!more) continue;
    const surplus = name.filter((word) => !wanted.some((other) => alike(word, other))).length;
    scored.push({ row, score: Math.max(0, sum / wanted.length - Math.min(0.1, 0.02 * surplus)) });
  }
  return scored.sort((a, b) => b.score - a.score || a.row - b.row);
}

/** The name of the label just before a nameless control: what a person reads as its caption. */
function labelBeside(snapshot: Snapshot, row: number): string {
  if (snapshot.name(row) !== "") return "";
  const parent = snapshot.parent(row);
  if (parent < 0) return "";
  // The row before belongs to the sibling before, unless it is the parent.
  let before = row - 1;
  while (before > parent && snapshot.parent(before) !== parent) before = snapshot.parent(before);
  return before > parent && snapshot.role(before) === Role.label ? snapshot.name(before) : "";
}
