import { dirname, join, normalize } from "node:path";

/** One import of a file of the repository, of a type too. */
export interface Import {
  /** From the root. */
  readonly to: string;
  /** As it is written. */
  readonly written: string;
  readonly line: number;
}

/** What a file imports by a relative path; examples in comments are none. Files are named from the root. */
export function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  for (const match of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
    const [, written = ""] = match;
    const before = text.slice(0, match.index).split("\n");
    if (/^\s*(\/?\*|\/\/)/.test(before.at(-1) ?? "")) continue;
    found.push({ to: normalize(join(dirname(file), written)), written, line: before.length });
  }
  return found;
}
