import { BackstepError } from "../../base/error.ts";
import { MADE_UP } from "../item.ts";
import { quote } from "../quote.ts";
import { find, readSelector } from "../selector/mod.ts";
import type { Snapshot } from "../snapshot.ts";
import { wordOf } from "../vocabulary.ts";

/** What locators were made of before they were ranked, to compare with: id, role and name, one named ancestor, else a number. */
export function plainLocator(snapshot: Snapshot, row: number): string | undefined {
  const name = snapshot.name(row), id = snapshot.id(row), word = wordOf(snapshot, row);
  const typed = isShort(name) ? `${word}[name=${quote(name)}]` : word;
  const above: string[] = [];
  for (let up = snapshot.parent(row); up > 0 && above.length < 4; up = snapshot.parent(up)) {
    const other = snapshot.name(up);
    if (other !== "" && other.length <= 80) above.push(`${wordOf(snapshot, up)}[name=${quote(other)}]`);
  }
  const tried = [
    ...(isShort(name) ? [name.trim()] : []),
    ...(id === "" ? [] : [`[id=${quote(id)}]`]),
    typed,
    `${typed}:visible`,
    ...above.map((one) => `${one} ${typed}:visible`),
  ];
  const found = tried.find((query) => {
    const rows = rowsOf(snapshot, query);
    return rows.length === 1 && rows[0] === row;
  });
  if (found !== undefined) return found;
  const at = rowsOf(snapshot, `${typed}:visible`).indexOf(row);
  return at < 0 ? undefined : `${typed}:visible:nth(${at + 1})`;
}

function isShort(name: string): boolean {
  return name.trim() !== "" && name.length <= 80 && !name.includes("\n") && !MADE_UP.test(name);
}

function rowsOf(snapshot: Snapshot, query: string): readonly number[] {
  try {
    return find(readSelector(query), snapshot).rows;
  } catch (thrown) {
    if (thrown instanceof BackstepError) return [];
    throw thrown;
  }
}
