import { MADE_UP } from "../item.ts";
import { Role } from "../roles.ts";
import { compare, type Condition, simple } from "../selector/ast.ts";
import type { Snapshot } from "../snapshot.ts";
import { isGtk, namesByChoice } from "../toolkits.ts";
import { isInteractive, wordOf } from "../vocabulary.ts";
import { type Part, SCORE } from "./candidate.ts";

/** Characters that a name may have to be told by. */
const MOST_NAME = 80;
/** AtspiRelationType. */
const LABELLED_BY = 2;
/** Attributes in which toolkits tell what a field says while it is empty. */
const PLACEHOLDERS = ["placeholder-text", "placeholder"] as const;
/** Rows inside of an element that are looked at for what names it. */
const MOST_INSIDE = 40;
/** Ids that a program makes up anew each time: long hexadecimal or decimal numbers, and those of React and Radix. */
const MADE_UP_ID = /[0-9a-f]{8,}|\d{4,}|^:r|radix-/i;

/** What shows a value: what is inside of it changes with that. */
const VALUES: ReadonlySet<number> = new Set([
  Role.slider,
  Role.spinButton,
  Role.progressBar,
  Role.levelBar,
  Role.comboBox,
]);

/** A condition on a string attribute. */
export function equals(name: "name" | "description" | "id" | `@${string}`, value: string): Condition {
  return { kind: "attribute", name, test: compare("=", value) };
}

/** The condition on the role of a row, as a selector's type. */
export function typeOf(snapshot: Snapshot, row: number): Condition {
  return { kind: "type", type: wordOf(snapshot, row) };
}

/** Can something be told by this text: short, of one line, and not made up by a toolkit? */
export function tells(text: string): boolean {
  return text.trim() !== "" && text.length <= MOST_NAME && !text.includes("\n") && !MADE_UP.test(text);
}

/** What tells a row by itself, the best first; geometry is left out. */
export function ownParts(snapshot: Snapshot, row: number): Part[] {
  const type = typeOf(snapshot, row);
  const id = snapshot.id(row), name = snapshot.name(row), description = snapshot.description(row);
  const parts: Part[] = [];
  const add = (score: number, by: Part["by"][number], ...conditions: Condition[]) =>
    parts.push({ conditions, score, by: [by] });
  if (id !== "") add(MADE_UP_ID.test(id) ? SCORE.madeUpId : SCORE.id, "id", equals("id", id));
  if (tells(name)) {
    const chosen = isCalledByChoice(snapshot, row);
    add(chosen ? SCORE.choice : SCORE.name, "name", type, equals("name", name));
    const test = withoutDigits(name);
    if (test !== undefined && !chosen) {
      add(SCORE.digits, "digits", type, { kind: "attribute", name: "name", test });
    }
  }
  for (const { key, text } of placeholdersOf(snapshot, row)) {
    add(SCORE.placeholder, "placeholder", type, equals(`@${key}`, text));
  }
  for (const label of labelsOf(snapshot, row)) {
    add(SCORE.label, "label", type, { kind: "beside", how: "labelled-by", name: label });
  }
  if (tells(description)) add(SCORE.description, "description", type, equals("description", description));
  parts.push(...contentParts(snapshot, row, type));
  // That it has no name, or only what its toolkit makes up, tells it from others of its role that have one.
  if (/^[ \u00a0]{0,9}$/.test(name) || MADE_UP.test(name)) {
    add(SCORE.unnamed, "role", type, equals("name", name));
  }
  add(SCORE.role, "role", type);
  return parts;
}

/** Names of what labels a row, as the application tells it. */
export function labelsOf(snapshot: Snapshot, row: number): string[] {
  const { relations } = snapshot.columns;
  if (relations === undefined || relations[row] === 0) return [];
  const paths = snapshot.relation(row, LABELLED_BY) ?? [];
  const bus = snapshot.element(row).bus;
  return paths.map((path) => snapshot.rowOf({ bus, path })).filter((at) => at >= 0)
    .map((at) => snapshot.name(at)).filter(tells);
}

/** A row by a named element inside of it: what GTK 4 shows in a tab or button that has no name of its own. */
function contentParts(snapshot: Snapshot, row: number, type: Condition): Part[] {
  const parts: Part[] = [];
  if (VALUES.has(snapshot.role(row))) return parts;
  // What can be acted on is what it shows; a box is not what happens to be in it.
  const score = isInteractive(wordOf(snapshot, row)) ? SCORE.content : SCORE.boxContent;
  const end = Math.min(snapshot.end(row), row + MOST_INSIDE);
  const own = snapshot.name(row);
  for (let at = row + 1; at < end && parts.length < 3; at++) {
    const text = snapshot.description(at);
    const named = tells(snapshot.name(at)) && snapshot.name(at) !== own;
    if (!named && !tells(text)) continue;
    const inside = simple(
      typeOf(snapshot, at),
      named ? equals("name", snapshot.name(at)) : equals("description", text),
    );
    parts.push({
      conditions: [type, { kind: "has", selector: inside }],
      score: score + parts.length + (/\d/.test(named ? snapshot.name(at) : text) ? SCORE.row : 0),
      by: ["content"],
    });
  }
  return parts;
}

/** What a field says while it is empty, and the attributes that tell it. */
export function placeholdersOf(
  snapshot: Snapshot,
  row: number,
): { readonly key: string; readonly text: string }[] {
  if ((snapshot.columns.attributes[row] ?? 0) === 0) return [];
  const attributes = snapshot.attributes(row);
  return PLACEHOLDERS.flatMap((key) => {
    const text = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
    return text !== undefined && tells(text) ? [{ key, text }] : [];
  });
}

/** Is it called after what was chosen in it? */
function isCalledByChoice(snapshot: Snapshot, row: number): boolean {
  const { application } = snapshot.origin;
  return snapshot.role(row) === Role.comboBox && (isGtk(application) || namesByChoice(application));
}

/** A name with numbers in it as a test that passes whatever they are; undefined: it has none, or nothing else. */
function withoutDigits(name: string): { kind: "regex"; source: string; flags: string } | undefined {
  if (!/\d/.test(name) || !/\p{L}{2}/u.test(name)) return undefined;
  const source = name.split(/\d+/).map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\d+");
  return { kind: "regex", source: `^${source}$`, flags: "" };
}
