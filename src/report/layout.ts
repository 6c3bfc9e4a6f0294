/** Letters that take two columns of a terminal: East Asian wide ones and pictures. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;
/** Letters that take none: accents that join the letter before, and what joins letters. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\u200b-\u200f\ufe0f]$/u;
// deno-lint-ignore no-control-regex -- the escape sequences of `Style`
const PAINT = /\x1b\[[0-9;]*m/g;

/** How many columns of a terminal a text takes; paint takes none. */
export function width(text: string): number {
  let columns = 0;
  for (const letter of text.replace(PAINT, "")) columns += widthOf(letter);
  return columns;
}

function widthOf(letter: string): number {
  return NO_WIDTH.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
}

/** A text without paint, cut to so many columns, with "…" where something is missing. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = "";
  let used = 0;
  for (const letter of text) {
    used += widthOf(letter);
    if (used > columns - 1) break;
    kept += letter;
  }
  return `${kept}…`;
}

/** A text filled up with spaces to so many columns. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

/** A text as lines of at most so many columns, broken between words; a word that is longer is broken too. */
export function wrap(text: string, columns: number): string[] {
  const most = Math.max(20, columns);
  return text.split("\n").flatMap((paragraph) => {
    if (width(paragraph) <= most) return [paragraph];
    const lines: string[] = [];
    let line = "";
    for (const word of pieces(paragraph, most)) {
      if (line === "") line = word;
      else if (width(line) + 1 + width(word) <= most) line += ` ${word}`;
      else {
        lines.push(line);
        line = word;
      }
    }
    return [...lines, line];
  });
}

function* pieces(text: string, most: number): Generator<string> {
  for (const word of text.split(" ")) {
    let piece = "";
    for (const letter of word) {
      if (width(piece) + widthOf(letter) > most) {
        yield piece;
        piece = "";
      }
      piece += letter;
    }
    yield piece;
  }
}

/** Rows as lines, their columns aligned. */
export function table(rows: readonly (readonly string[])[], gap = 2): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, width(cell));
  }
  return rows.map((row) => row.map((cell, i) => pad(cell, (widths[i] ?? 0) + gap)).join("").trimEnd());
}
