import { closest } from "../../base/closest.ts";
import { cut, describeRow, isClassOfQt } from "../describe.ts";
import { quote } from "../quote.ts";
import { type RoleInfo, roleOf } from "../roles.ts";
import type { Path, Step } from "../selector/ast.ts";
import type { ReadSelector } from "../selector/strategies.ts";
import type { Snapshot } from "../snapshot.ts";
import { rowHas } from "../state-words.ts";
import { isInteractive, typeMeans, wordOf } from "../vocabulary.ts";
import { besideHint, type Range } from "./beside-hint.ts";
import { failingPart } from "./part-hint.ts";

/** Where was looked, and for what. */
export interface Where {
  readonly read: ReadSelector;
  readonly snapshot: Snapshot;
  /** Row of the root, -1 for everything. */
  readonly scope: number;
}

/** What is there instead of something that nothing matches. */
export interface Instead {
  /** Rows of what is most like it, the nearest first. */
  readonly near: readonly number[];
  /** The same for a person, and what part of the query does not match. */
  readonly hint: string;
}

/** How many elements are named. */
const LISTED = 5;

/** What is there instead of something that nothing matches, and which part of the query does not match. */
export function instead(where: Where): Instead {
  const { read, snapshot, scope } = where;
  const path = pathOf(read);
  const last = path?.steps.at(-1)?.conditions ?? [];
  const beside = besideHint(snapshot, last, rangeOf(where));
  const failing = beside === "" && path !== undefined ? failingPart(path, snapshot, scope) : undefined;
  const inside = failing?.inside === undefined
    ? []
    : nearest({ ...where, scope: failing.inside }, failing.missing);
  const near = inside.length > 0 ? inside : nearest(where, failing?.missing);
  // What has the name is told of already: what resembles it says no more.
  const counted = failing !== undefined && failing.missing === undefined && wanted(read).name !== undefined;
  const seen = counted ? SEE_ALL : nearHint(snapshot, near);
  const hint = [failing?.hint ?? captionHint(where), beside, seen].filter((text) => text !== "");
  return { near: near.slice(0, LISTED), hint: hint.join(" ") };
}

const SEE_ALL = "Run `backstep tree` to see all.";

function nearHint(snapshot: Snapshot, near: readonly number[]): string {
  if (near.length === 0) return "Run `backstep tree` to see what is there.";
  const times = new Map<string, number>();
  for (const row of near) {
    const text = describeRow(snapshot, row);
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  const there = [...times].slice(0, LISTED).map(([text, many]) =>
    many === 1 ? text : `${text} (${many} times)`
  );
  return `There is ${there.join(", ")}. ${SEE_ALL}`;
}

/** No caption says what these are. */
const UNLABELLED: ReadonlySet<string> = new Set(["label", "window", "dialog"]);

/** A field that is looked for by its caption: how that is said. "" where no caption has the name. */
function captionHint(where: Where): string {
  const { read, snapshot } = where;
  const { type, name } = wanted(read);
  if (type === undefined || name === undefined || name === "" || UNLABELLED.has(type.toLowerCase())) {
    return "";
  }
  const plain = (text: string) => (text.endsWith(":") ? text.slice(0, -1) : text).trim().toLowerCase();
  const { from, to } = rangeOf(where);
  for (let row = from; row < to; row++) {
    if (wordOf(snapshot, row) !== "label" || plain(snapshot.name(row)) !== plain(name)) {
      continue;
    }
    const caption = quote(cut(snapshot.name(row), 80));
    return `A label is called ${caption}: what it labels is ${type}:labelled-by(${caption}), what stands in its row ` +
      `${type}:in-row(${caption}).`;
  }
  return "";
}

interface Wanted {
  readonly type: string | undefined;
  readonly name: string | undefined;
}

/** What the query wanted, as far as it says: the type and name of its last step. */
function wanted(read: ReadSelector): Wanted {
  for (const stage of read.stages) {
    if ("skip" in stage || stage.name === "semantic") continue;
    const found = wantedOf(stage.selector.paths[0]?.steps.at(-1));
    if (found.type !== undefined || found.name !== undefined) return found;
  }
  return { type: undefined, name: undefined };
}

/** The first path of the query, as far as it is a selector. */
function pathOf(read: ReadSelector): Path | undefined {
  for (const stage of read.stages) {
    if (!("skip" in stage) && stage.name !== "semantic") return stage.selector.paths[0];
  }
  return undefined;
}

function rangeOf({ snapshot, scope }: Where): Range {
  return scope < 0 ? { from: 0, to: snapshot.size } : { from: scope + 1, to: snapshot.end(scope) };
}

function wantedOf(step: Step | undefined): Wanted {
  let type: string | undefined, name: string | undefined;
  for (const condition of step?.conditions ?? []) {
    if (condition.kind === "type") type = condition.type;
    if (condition.kind === "hasText") name ??= condition.value;
    if (condition.kind === "attribute" && condition.test.kind === "string") name ??= condition.test.value;
  }
  return { type, name };
}

const WINDOWS: ReadonlySet<string> = new Set(["window", "dialog"]);

/**
 * The nearest elements by name and role: the same name in another role, a like name in the same role, a like name. Like `step`, or
 * like what the query wants.
 */
function nearest(where: Where, step: Step | undefined): number[] {
  const { read, snapshot } = where;
  const { type, name } = step === undefined ? wanted(read) : wantedOf(step);
  const { from, to } = rangeOf(where);
  // Who looks for a window may mean one that is a dialog.
  const isMeant = (info: RoleInfo) =>
    type !== undefined &&
    (typeMeans(type, info) || (WINDOWS.has(info.word) && WINDOWS.has(type.toLowerCase())));
  const sameRole: number[] = [];
  const others: number[] = [];
  for (let row = from; row < to; row++) {
    if (nameIn(snapshot, row) === "") continue;
    const info = roleOf(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row));
    if (isMeant(info)) sameRole.push(row);
    else if (type === undefined || isInteractive(info.word)) others.push(row);
  }
  const found: number[] = [];
  if (name !== undefined && name !== "") {
    const lower = name.toLowerCase();
    for (const rows of [sameRole, others]) {
      found.push(...rows.filter((row) => nameIn(snapshot, row).toLowerCase() === lower));
      const names = new Set(
        rows.map((row) => nameIn(snapshot, row)).filter((n) => n.length <= 3 * name.length + 10),
      );
      const near = new Set(closest(name, names, LISTED));
      found.push(...rows.filter((row) => near.has(nameIn(snapshot, row))));
      found.push(...rows.filter((row) => hasWord(nameIn(snapshot, row).toLowerCase(), lower)));
    }
  }
  // With nothing alike, what there is of that role says more than nothing.
  if (found.length === 0) {
    const shows = (row: number) => rowHas(snapshot, row, "visible");
    found.push(...sameRole.filter(shows), ...sameRole);
  }
  return [...new Set(found)];
}

/** Its name; what has none may be known by its description, which is its tooltip. */
function nameIn(snapshot: Snapshot, row: number): string {
  const description = snapshot.description(row);
  return snapshot.name(row) || (isClassOfQt(description) ? "" : description);
}

/** Does a word of the name begin so? */
function hasWord(name: string, start: string): boolean {
  for (let at = name.indexOf(start); at >= 0; at = name.indexOf(start, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(name.charAt(at - 1))) return true;
  }
  return false;
}
