import type { Rect } from "../desktop/desktop.ts";
import type { Seen } from "./vision-backend.ts";

/** A word that was read in a picture. */
export interface ReadWord {
  readonly text: string;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly rect: Rect;
}

/** Words of descriptions that name kinds and places of elements, not what is written on them. */
const ABOUT = new Set(
  ("a an the this that of in on at to for with and or is it its called named labelled labeled saying says text " +
    "button link field box input menu item tab label icon checkbox check radio option list dropdown combo row cell " +
    "column heading title window dialog left right top bottom upper lower first second third last big small near below " +
    "above under red green blue grey gray white black").split(" "),
);
/** What a text must be like to count as the one that is described. */
const ENOUGH = 0.7;

/**
 * Where a line of words shows what is described: the quoted part of the description, or else its words without those that
 * say what kind of element it is. The best run of neighbouring words counts, by how alike the letters are.
 */
export function findWords(lines: readonly (readonly ReadWord[])[], description: string): Seen {
  const wanted = wantedOf(description);
  let best: { score: number; words: readonly ReadWord[] } | undefined;
  for (const line of lines) {
    for (let from = 0; from < line.length; from++) {
      for (let length = 1; length <= wanted.length + 1 && from + length <= line.length; length++) {
        const words = line.slice(from, from + length);
        const score = alike(wanted.join(""), plain(words.map(({ text }) => text).join("")));
        if (score > (best?.score ?? 0)) best = { score, words };
      }
    }
  }
  if (!best || best.score < ENOUGH) return { rect: undefined, confidence: 1 - (best?.score ?? 0) };
  const sure = Math.min(...best.words.map(({ confidence }) => confidence));
  return { rect: around(best.words.map(({ rect }) => rect)), confidence: best.score * sure };
}

/** The texts that are looked for, in plain letters. */
function wantedOf(description: string): string[] {
  const quoted = /["'“‘«]([^"'”’»]+)["'”’»]/.exec(description)?.[1];
  const words = (quoted ?? description).split(/\s+/).map(plain).filter((word) => word !== "");
  const own = quoted === undefined ? words.filter((word) => !ABOUT.has(word)) : words;
  return own.length > 0 ? own : words;
}

function plain(text: string): string {
  return text.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** From 0 to 1: one minus the share of letters that must change (Levenshtein). */
function alike(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (longest === 0) return 0;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return 1 - (row[b.length] ?? longest) / longest;
}

function around(rects: readonly Rect[]): Rect {
  const x = Math.min(...rects.map((r) => r.x));
  const y = Math.min(...rects.map((r) => r.y));
  return {
    x,
    y,
    width: Math.max(...rects.map((r) => r.x + r.width)) - x,
    height: Math.max(...rects.map((r) => r.y + r.height)) - y,
  };
}
