/** How alike two texts are, from 0 to 1: 1 equal, 0.95 in all but numbers, case and marks, else by words and letters. */
export function similar(a: string, b: string): number {
  if (a === b) return 1;
  const one = plain(a), other = plain(b);
  if (one === "" || other === "") return 0;
  if (one === other) return 0.95;
  const letters = ofLetters(one, other);
  // Short words have letters in common by chance.
  const chance = letters < 0.7 && Math.min(one.length, other.length) < 8;
  return Math.max(ofWords(one.split(" "), other.split(" ")), chance ? letters / 2 : letters);
}

/** How many of two lists are in both, from 0 to 1; order counts where things are named in order. */
export function shared(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 && b.length === 0) return 1;
  const left = [...b];
  let common = 0;
  for (const text of a) {
    const at = left.indexOf(text);
    if (at < 0) continue;
    left.splice(at, 1);
    common++;
  }
  return 2 * common / (a.length + b.length);
}

/** Letters alone, in lower case, with "#" for numbers. */
function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\d+(?:[.,:]\d+)*/g, "#")
    .replace(/[^\p{L}\p{N}#]+/gu, " ").trim();
}

/** By Dice: twice what both have, of what they have together. */
function ofWords(a: readonly string[], b: readonly string[]): number {
  return shared(a.filter((word) => word !== "#"), b.filter((word) => word !== "#"));
}

/** By the edits of Levenshtein that lead from one to the other. */
function ofLetters(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const line = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      line.push(Math.min((before[j] ?? 0) + 1, (line[j - 1] ?? 0) + 1, (before[j - 1] ?? 0) + same));
    }
    before = line;
  }
  return 1 - (before[b.length] ?? 0) / Math.max(a.length, b.length);
}
