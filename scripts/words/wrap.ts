/** How wide a line of Markdown may be. */
export const WIDTH = 120;

const FENCE = /^ *(?:```|~~~)/;
/** Lines that stay as they are: tables, headings, HTML, link references, pictures, rules. */
const FIXED = /^ *[|#<]|^ *\[[^\]]+\]: |^!\[|^---$/;
const ITEM = /^ *(?:[-*+]|\d+[.)]) +/;
/** A word that would mean something at the beginning of a line. */
const MARK = /^(?:[-+*>=]+|#{1,6}|\d+[.)]|\|.*)$/;

/** May this line be wider than the others? */
export function isFixed(line: string): boolean {
  return FIXED.test(line);
}

/** The page with each paragraph and item that has a line that is too wide wrapped anew; nothing else changes. */
export function wrapped(page: string): string {
  const lines = page.split("\n");
  const out: string[] = [];
  let code = false;
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    if (FENCE.test(line)) code = !code;
    const indented = line.startsWith("    ") && (out.at(-1) ?? "").trim() === "";
    if (code || FENCE.test(line) || line.trim() === "" || isFixed(line) || indented) {
      out.push(line);
      at++;
      continue;
    }
    const block = [line, ...rest(lines, at + 1)];
    out.push(...(block.some((one) => one.length > WIDTH) ? refilled(block) : block));
    at += block.length;
  }
  return out.join("\n");
}

/** The lines that go on with a paragraph or an item. */
function rest(lines: readonly string[], from: number): readonly string[] {
  const end = lines.slice(from).findIndex((line) =>
    line.trim() === "" || ITEM.test(line) || FENCE.test(line) || isFixed(line)
  );
  return lines.slice(from, end < 0 ? undefined : from + end);
}

function refilled(block: readonly string[]): string[] {
  const [line = "", ...more] = block;
  const item = ITEM.exec(line)?.[0];
  const first = item ?? /^ *(?:> )?/.exec(line)?.[0] ?? "";
  const margin = item === undefined ? first : " ".repeat(first.length);
  const text = [
    line.slice(first.length),
    ...more.map((one) => one.startsWith(margin) ? one.slice(margin.length) : one),
  ].map((one) => one.trim()).join(" ");
  return filled(wordsOf(text), first, margin);
}

/** Code with spaces in it is one word. */
function wordsOf(text: string): string[] {
  return text.match(/(?:`[^`]+`|[^\s`]|`)+/g) ?? [];
}

function filled(words: readonly string[], first: string, margin: string): string[] {
  const lines: string[][] = [];
  let line: string[] = [];
  let length = 0;
  for (const word of words) {
    const begin = lines.length === 0 ? first.length : margin.length;
    if (line.length > 0 && begin + length + 1 + word.length > WIDTH) {
      lines.push(line);
      // What would mean something at the beginning of a line takes the word before it along.
      const before = MARK.test(word) && line.length > 1 ? line.pop() : undefined;
      line = before === undefined ? [] : [before];
      length = before?.length ?? 0;
    }
    length += (line.length > 0 ? 1 : 0) + word.length;
    line.push(word);
  }
  return [...lines, line].map((one, k) => (k === 0 ? first : margin) + one.join(" "));
}
