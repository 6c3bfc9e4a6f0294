import { itemMarkOf } from "../desktop/item.ts";
import { captionsOf, labelsOf, placeholdersOf, tells } from "../desktop/ranking/mod.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { wordOf } from "../desktop/vocabulary.ts";

/** Characters that are kept of one text. */
const MOST_TEXT = 80;
/** Levels up that are kept. */
const MOST_ANCESTORS = 6;
/** Other elements of the same role that are kept. */
const MOST_OTHERS = 300;
/** Rows inside of an element that are looked at for names. */
const MOST_INSIDE = 40;

/** What is known of an element that a locator found once: enough to tell whether another one is the same. */
export interface ElementEvidence {
  /** Its role as selectors write it. */
  readonly role: string;
  readonly name: string;
  readonly id: string;
  readonly description: string;
  /** Labels and placeholders were read: of what has a name they are not, since each costs a call an element. */
  readonly labelled: boolean;
  /** What labels it: related by the application, or a caption in its row or column. */
  readonly labels: readonly string[];
  readonly placeholders: readonly string[];
  /** Names of what is inside of it. */
  readonly content: readonly string[];
  /** The item of a list, table or tree that it lies in, by what that shows. */
  readonly item?: string | undefined;
  /** What it lies in, the nearest first: role, and the name where it has one. */
  readonly ancestors: readonly string[];
  /** Names of what stands before and after it in its parent; "" where there is none. */
  readonly neighbours: readonly [before: string, after: string];
  /** Its number among the children of its parent that have its role, from 0. */
  readonly index: number;
  /** The other elements of its role, as `keyOf` tells them: what was there then is not what it has become. */
  readonly others: readonly string[];
}

/** What of a row can be compared with the evidence of another. */
export type ElementTraits = Omit<ElementEvidence, "others" | "labelled">;

/** What is to be kept of a row, small enough to lie beside a step. `labelled`: the snapshot has what labels are told by. */
export function evidenceOf(snapshot: Snapshot, row: number, labelled = true): ElementEvidence {
  const others = rowsAlike(snapshot, wordOf(snapshot, row)).filter((other) => other !== row);
  return {
    ...traitsOf(snapshot, row),
    labelled,
    others: others.slice(0, MOST_OTHERS).map((other) => keyOf(snapshot, other)),
  };
}

/** The same without the others. */
export function traitsOf(snapshot: Snapshot, row: number): ElementTraits {
  const item = itemMarkOf(snapshot, row);
  const ancestors: string[] = [];
  for (let up = snapshot.parent(row); up > 0 && ancestors.length < MOST_ANCESTORS; up = snapshot.parent(up)) {
    ancestors.push(called(snapshot, up));
  }
  const labels = labelsOf(snapshot, row);
  return {
    role: wordOf(snapshot, row),
    name: named(snapshot, row),
    id: short(snapshot.id(row)),
    description: short(snapshot.description(row)),
    labels: (labels.length > 0 ? labels : captionsOf(snapshot, row)).map(short),
    placeholders: placeholdersOf(snapshot, row).map(({ text }) => short(text)),
    content: contentOf(snapshot, row),
    ...(item === undefined ? {} : { item: short(item.content) }),
    ancestors,
    neighbours: neighboursOf(snapshot, row),
    index: indexOf(snapshot, row),
  };
}

/** Rows of one role. */
export function rowsAlike(snapshot: Snapshot, role: string): number[] {
  const rows: number[] = [];
  for (let row = 1; row < snapshot.size; row++) if (wordOf(snapshot, row) === role) rows.push(row);
  return rows;
}

/** What a row is called, however it is told, and where: equal for what is the same in two trees. */
export function keyOf(snapshot: Snapshot, row: number): string {
  const own = named(snapshot, row) || short(snapshot.description(row)) ||
    contentOf(snapshot, row).join(" · ");
  let around = "";
  for (let up = snapshot.parent(row); up > 0 && around === ""; up = snapshot.parent(up)) {
    around = named(snapshot, up);
  }
  return `${own}\n${around}`;
}

function named(snapshot: Snapshot, row: number): string {
  const name = snapshot.name(row);
  return tells(name) ? short(name.trim()) : "";
}

function called(snapshot: Snapshot, row: number): string {
  const name = named(snapshot, row);
  return name === "" ? wordOf(snapshot, row) : `${wordOf(snapshot, row)} ${name}`;
}

function contentOf(snapshot: Snapshot, row: number): string[] {
  const names: string[] = [];
  const end = Math.min(snapshot.end(row), row + MOST_INSIDE);
  for (let at = row + 1; at < end && names.length < 4; at++) {
    const name = named(snapshot, at) ||
      (tells(snapshot.description(at)) ? short(snapshot.description(at)) : "");
    if (name !== "" && !names.includes(name)) names.push(name);
  }
  return names;
}

function neighboursOf(snapshot: Snapshot, row: number): [before: string, after: string] {
  const parent = snapshot.parent(row);
  const beside = parent < 0 ? [] : snapshot.children(parent);
  const at = beside.indexOf(row);
  const of = (other: number | undefined) =>
    other === undefined ? "" : [called(snapshot, other), ...contentOf(snapshot, other).slice(0, 1)].join(" ");
  return [of(at > 0 ? beside[at - 1] : undefined), of(beside[at + 1])];
}

function indexOf(snapshot: Snapshot, row: number): number {
  const parent = snapshot.parent(row);
  const role = snapshot.role(row);
  return (parent < 0 ? [] : snapshot.children(parent)).filter((other) => snapshot.role(other) === role)
    .indexOf(row);
}

function short(text: string): string {
  return text.length > MOST_TEXT ? text.slice(0, MOST_TEXT) : text;
}
