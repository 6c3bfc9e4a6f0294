import { isItemView } from "../item.ts";
import { Role } from "../roles.ts";
import { simple } from "../selector/ast.ts";
import { besideWhat, standsBeside } from "../selector/beside.ts";
import type { Snapshot } from "../snapshot.ts";
import { rowHas } from "../state-words.ts";
import { isInteractive, wordOf } from "../vocabulary.ts";
import { ADDS, type Part, SCORE } from "./candidate.ts";
import { equals, ownParts, tells, typeOf } from "./parts.ts";

/** Ancestors that are tried. */
const MOST_ANCESTORS = 6;
/** Rows, or children, of what is told by what is in it. */
const SMALL = 40;
/** Rows that are looked at for anchors: of a larger table an anchor would cost more than it is worth. */
const MOST_ROWS = 4_000;
/** Anchors of each kind that are tried. */
const MOST_ANCHORS = 2;
/** Pixels between something and its caption. */
const NEAR_ROW = 200;
const NEAR_COLUMN = 60;
/** What stands beside something to say what that is. */
const CAPTIONS: ReadonlySet<number> = new Set([
  Role.label,
  Role.static,
  Role.heading,
  Role.columnHeader,
  Role.tableColumnHeader,
  Role.rowHeader,
  Role.tableRowHeader,
  Role.tableCell,
]);

/** What a row lies in. */
export interface Above {
  readonly part: Part;
  /** The row lies right below it. */
  readonly child: boolean;
}

/** What a row lies in, each told by itself, the nearest first; then its parent told by what else is right below it. */
export function ancestorParts(snapshot: Snapshot, row: number): Above[] {
  const parts: Above[] = [];
  let levels = 0;
  for (let up = snapshot.parent(row); up > 0 && levels < MOST_ANCESTORS; up = snapshot.parent(up)) {
    const own = ownParts(snapshot, up).filter(({ by: [by] }) => by !== "digits" && by !== "label");
    const named = own.filter(({ by: [by] }) => by !== "content" && by !== "role");
    // What is in a page says little of one element in it; of a row or a small box it is what a person would say.
    const content = snapshot.end(up) - up <= SMALL ? own.filter(({ by: [by] }) => by === "content") : [];
    const role = own.filter(({ by: [by] }) => by === "role").slice(-1);
    const states = isInteractive(wordOf(snapshot, up)) ? role.map((part) => withUse(snapshot, up, part)) : [];
    const parent = levels < 2 && named.length === 0 ? shapeParts(snapshot, up, row) : [];
    for (const part of [...named.slice(0, 2), ...content, ...role, ...states, ...parent]) {
      parts.push({ part, child: false });
    }
    levels++;
  }
  return [...parts, ...siblingParts(snapshot, row)];
}

/** The same of what can be used, or cannot. */
function withUse(snapshot: Snapshot, row: number, part: Part): Part {
  const word = rowHas(snapshot, row, "enabled") ? "enabled" : "disabled";
  return {
    conditions: [...part.conditions, { kind: "state", word }],
    score: part.score + ADDS.enabled,
    by: [...part.by, "state"],
  };
}

/** A row by what roles are right below it: a combo box with a field in it, a box with a slider. */
export function shapeParts(snapshot: Snapshot, row: number, without = -1): Part[] {
  if (snapshot.end(row) - row > SMALL) return [];
  const type = typeOf(snapshot, row);
  const inside = new Set<string>();
  for (let at = row + 1; at < snapshot.end(row) && inside.size < 3; at++) {
    const word = wordOf(snapshot, at);
    if (isInteractive(word) && at !== without) inside.add(word);
  }
  return [...inside].map((word): Part => ({
    conditions: [type, { kind: "has", selector: simple({ kind: "type", type: word }) }],
    score: SCORE.boxContent + 20,
    by: ["role"],
  }));
}

/** The parent by a sibling that has a name: a box without one is told by what is in it. */
function siblingParts(snapshot: Snapshot, row: number): Above[] {
  const parent = snapshot.parent(row);
  if (parent <= 0) return [];
  const parts: Above[] = [];
  let looked = 0;
  for (let at = parent + 1; at < snapshot.end(parent) && parts.length < 2; at = snapshot.end(at)) {
    if (++looked > SMALL) break;
    const name = snapshot.name(at);
    if (at === row || !tells(name) || name === snapshot.name(row) || /\d/.test(name)) continue;
    const conditions = [typeOf(snapshot, at), equals("name", name)];
    const selector = { paths: [{ steps: [{ combinator: "child" as const, conditions }] }] };
    parts.push({
      part: {
        conditions: [typeOf(snapshot, parent), { kind: "has", selector }],
        score: SCORE.row + parts.length,
        by: ["content"],
      },
      child: true,
    });
  }
  return parts;
}

/** A row by the captions that stand in its row and its column, alone and with what tells it almost: "Edit" in the row of "Alice". */
export function besideParts(snapshot: Snapshot, row: number, own: readonly Part[]): Part[] {
  if (snapshot.columns.rect.length === 0) return [];
  const beside = (how: "in-row" | "in-column"): Part[] =>
    anchorsOf(snapshot, row, how).map((name, k) => ({
      conditions: [{ kind: "beside", how, name }],
      score: SCORE.row + k,
      by: [how === "in-row" ? "row" : "column"],
    }));
  const rows = beside("in-row"), columns = beside("in-column");
  const both = rows.flatMap((one) =>
    columns.map((other): Part => ({
      conditions: [...one.conditions, ...other.conditions],
      score: one.score + ADDS.column,
      by: ["row", "column"],
    }))
  );
  const almost = own.filter(({ by: [by] }) => by === "name" || by === "content" || by === "role").slice(0, 2);
  const type = typeOf(snapshot, row);
  return [...rows, ...columns, ...both].flatMap((part): Part[] => [
    { ...part, conditions: [type, ...part.conditions] },
    ...almost.map((one): Part => ({
      conditions: [...one.conditions, ...part.conditions],
      score: Math.min(one.score, SCORE.row) + (part.score - SCORE.row) + ADDS.row,
      by: one.by[0] === "role" ? part.by : [...one.by, ...part.by],
    })),
  ]);
}

/** What could say what a row is: the nearest captions in its row and its column. */
export function captionsOf(snapshot: Snapshot, row: number): string[] {
  if (snapshot.columns.rect.length === 0) return [];
  return [...anchorsOf(snapshot, row, "in-row"), ...anchorsOf(snapshot, row, "in-column")];
}

/** Names of what stands in its row or column and could say what it is, what comes before it first, then the nearest. */
function anchorsOf(snapshot: Snapshot, row: number, how: "in-row" | "in-column"): string[] {
  const around = besideWhat(snapshot, row);
  const end = snapshot.end(around);
  const place = snapshot.rect(row);
  if (end - around > MOST_ROWS || place === undefined) return [];
  const table = isItemView(snapshot, around);
  const found: { name: string; far: number }[] = [];
  for (let at = around + 1; at < end; at++) {
    if (!CAPTIONS.has(snapshot.role(at)) || !tells(snapshot.name(at))) continue;
    if (!standsBeside(snapshot, row, at, how) || !rowHas(snapshot, at, "visible")) continue;
    const rect = snapshot.rect(at);
    if (rect === undefined) continue;
    const before = how === "in-row" ? place.x - rect.x : place.y - rect.y;
    const gap = how === "in-row"
      ? Math.max(place.x - rect.x - rect.width, rect.x - place.x - place.width)
      : Math.max(place.y - rect.y - rect.height, rect.y - place.y - place.height);
    // A table has rows and columns; elsewhere only what is near belongs together, and no caption of something else does.
    if (!table && (gap > (how === "in-row" ? NEAR_ROW : NEAR_COLUMN) || isOfAnother(snapshot, row, at))) {
      continue;
    }
    found.push({ name: snapshot.name(at), far: Math.abs(gap) + (before < 0 ? 2_000 : 0) });
  }
  const names = found.sort((a, b) => a.far - b.far).map(({ name }) => name);
  return [...new Set(names)].slice(0, MOST_ANCHORS);
}

/** Is a caption inside of something else that can be acted on, other than what stands in one strip with the row? */
function isOfAnother(snapshot: Snapshot, row: number, caption: number): boolean {
  for (let up = snapshot.parent(caption); up > 0 && !isAround(snapshot, up, row); up = snapshot.parent(up)) {
    if (isInteractive(wordOf(snapshot, up)) && snapshot.role(up) !== snapshot.role(row)) return true;
    if (snapshot.role(up) === snapshot.role(row) && snapshot.role(row) !== Role.pageTab) return true;
  }
  return false;
}

function isAround(snapshot: Snapshot, around: number, row: number): boolean {
  return row >= around && row < snapshot.end(around);
}
