import { BackstepError } from "../../base/error.ts";

/** Lines around a change. */
const CONTEXT = 3;
const NO_END = "\\ No newline at end of file";

/** A change of one place of one file. */
export interface Patch {
  /** As it is named in the patch. */
  readonly file: string;
  /** Line of the first one in the file, from 1. */
  readonly start: number;
  /** What is there, and what is to be there: lines with their ends. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** What differs between two texts as a unified diff of one hunk, as `patch -p1` and `git apply` read it; "" when nothing does. */
export function unifiedDiff(
  file: string,
  before: string,
  after: string,
  notes: readonly string[] = [],
): string {
  if (before === after) return "";
  const old = linesOf(before), now = linesOf(after);
  let from = 0;
  while (from < old.length && from < now.length && old[from] === now[from]) from++;
  let same = 0;
  while (same < old.length - from && same < now.length - from && old.at(-1 - same) === now.at(-1 - same)) {
    same++;
  }
  const start = Math.max(0, from - CONTEXT);
  const tail = Math.min(CONTEXT, same);
  const head = old.slice(start, from), foot = old.slice(old.length - same, old.length - same + tail);
  const gone = old.slice(from, old.length - same), come = now.slice(from, now.length - same);
  const count = (lines: readonly string[]) => head.length + lines.length + foot.length;
  const marked = (mark: string, lines: readonly string[]) =>
    lines.map((line) => marking(mark, line)).join("");
  return [
    ...notes.map((note) => `# ${note}\n`),
    `--- a/${file}\n+++ b/${file}\n`,
    `@@ -${start + 1},${count(gone)} +${start + 1},${count(come)} @@\n`,
    marked(" ", head) + marked("-", gone) + marked("+", come) + marked(" ", foot),
  ].join("");
}

/** Reads such a patch. Throws `invalid` when it is none, or changes more than one place. */
export function readPatch(text: string): Patch {
  const lines = linesOf(text).filter((line) => !line.startsWith("# "));
  const file = /^\+\+\+ b\/(.+?)\r?\n$/.exec(lines[1] ?? "")?.[1];
  const head = /^@@ -(\d+),(\d+) \+\d+,(\d+) @@/.exec(lines[2] ?? "");
  if (!lines[0]?.startsWith("--- a/") || file === undefined || head === null) {
    throw none("it is no unified diff");
  }
  const before: string[] = [], after: string[] = [];
  for (const [k, line] of lines.slice(3).entries()) {
    const mark = line[0];
    if (mark === "\\") continue;
    const ends = lines[k + 4]?.startsWith(NO_END) === true;
    const content = ends ? line.slice(1).replace(/\n$/, "") : line.slice(1);
    if (mark === " " || mark === "-") before.push(content);
    if (mark === " " || mark === "+") after.push(content);
    if (mark !== " " && mark !== "-" && mark !== "+") throw none("it changes more than one place");
  }
  if (before.length !== Number(head[2]) || after.length !== Number(head[3])) {
    throw none("its lines are not as many as it says");
  }
  return { file, start: Number(head[1]), before, after };
}

/** A text with a patch. Throws `invalid` where the file is not what the patch was made of: nothing is guessed. */
export function applyPatch(text: string, { file, start, before, after }: Patch): string {
  const lines = linesOf(text);
  const there = lines.slice(start - 1, start - 1 + before.length);
  if (there.length !== before.length || there.some((line, k) => line !== before[k])) {
    throw new BackstepError("invalid", `Cannot patch ${file}: line ${start} and what follows changed since`, {
      hint: "Make the patch anew, or change the selector by hand.",
    });
  }
  return [...lines.slice(0, start - 1), ...after, ...lines.slice(start - 1 + before.length)].join("");
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marking(mark: string, line: string): string {
  return line.endsWith("\n") ? mark + line : `${mark}${line}\n${NO_END}\n`;
}

function none(reason: string): BackstepError {
  return new BackstepError("invalid", `Cannot read the patch: ${reason}`, {
    hint: "A patch of healing has one file and one place.",
  });
}
