import type { CST } from "yaml";

/**
 * Where lists and maps of a YAML text first nest deeper than so many levels: an offset into it; undefined where they do
 * not. Needs no stack of its own, so that no text is too deep to be judged.
 */
export function deeperThan(tokens: readonly CST.Token[], most: number): number | undefined {
  const left: { readonly token: CST.Token; readonly depth: number }[] = [];
  for (const token of tokens) {
    if (token.type === "document" && token.value) left.push({ token: token.value, depth: 1 });
  }
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { token, depth } = next;
    if (!("items" in token)) continue;
    if (depth > most) return token.offset;
    for (const { key, value } of token.items) {
      if (value) left.push({ token: value, depth: depth + 1 });
      if (key) left.push({ token: key, depth: depth + 1 });
    }
  }
  return undefined;
}
