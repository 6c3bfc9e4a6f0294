import type { Snapshot } from "../snapshot.ts";
import { axOf } from "../vocabulary.ts";
import { MAX_SELECTOR } from "./parse.ts";
import { quote } from "../quote.ts";
import { UI_SCHEME } from "./xpath.ts";

const MAX_TITLE = 100;

/** What the children of one row say of themselves, and how many say the same. */
interface Family {
  readonly role: Map<string, number[]>;
  readonly title: Map<string, number[]>;
  readonly id: Map<string, number[]>;
}

/** The children of a row that have a role and say a title or an identifier. */
type Alike = (up: number, word: keyof Family, role: string, text: string) => readonly number[];

/**
 * The `macos://ui/` paths of the rows of a whole application's snapshot: a step a level, with the title (or else the
 * identifier) where there is one, and a place from 1 where that leaves several under one parent. `parseUiPath` finds the
 * row again. A path that would be too long for a query names no titles.
 */
export class UiPaths {
  readonly #snapshot: Snapshot;
  readonly #first: string;
  readonly #families = new Map<number, Family>();
  readonly #last = new Map<number, string>();

  /** `identifier` is what the application is called in paths; default: its id, else its name. */
  constructor(snapshot: Snapshot, identifier?: string) {
    this.#snapshot = snapshot;
    this.#first = firstOf(snapshot, identifier);
  }

  /** The path of a row. */
  of(row: number): string {
    const path = UI_SCHEME + this.#steps(row);
    return path.length <= MAX_SELECTOR ? path : nameless(this.#snapshot, row, this.#first, this.#alike);
  }

  #steps(row: number): string {
    const existing = this.#last.get(row);
    if (existing !== undefined) return existing;
    const up = this.#snapshot.parent(row);
    const step = stepOf(this.#snapshot, row, this.#first, true, this.#alike);
    const path = up < 0 ? step : `${this.#steps(up)}/${step}`;
    this.#last.set(row, path);
    return path;
  }

  readonly #alike: Alike = (up, word, role, text) => this.#family(up)[word].get(`${role} ${text}`) ?? [];

  #family(up: number): Family {
    const existing = this.#families.get(up);
    if (existing !== undefined) return existing;
    const snapshot = this.#snapshot;
    const family: Family = { role: new Map(), title: new Map(), id: new Map() };
    const add = (map: Map<string, number[]>, key: string, row: number) => {
      const rows = map.get(key);
      if (rows === undefined) map.set(key, [row]);
      else rows.push(row);
    };
    for (const row of snapshot.children(up)) {
      const { role } = axOf(snapshot, row);
      add(family.role, `${role} `, row);
      add(family.title, `${role} ${snapshot.name(row)}`, row);
      add(family.id, `${role} ${snapshot.id(row)}`, row);
    }
    this.#families.set(up, family);
    return family;
  }
}

/** One step of a path: what it is called, and its place among those of one parent that are called the same. */
function stepOf(snapshot: Snapshot, row: number, first: string, named: boolean, alike: Alike): string {
  const { role } = axOf(snapshot, row);
  const up = snapshot.parent(row);
  if (up < 0) return role + first;
  const name = snapshot.name(row), id = snapshot.id(row);
  const [predicate, same] = named && name !== "" && name.length <= MAX_TITLE
    ? [`[@AXTitle=${literal(name)}]`, alike(up, "title", role, name)]
    : named && id !== "" && id.length <= MAX_TITLE
    ? [`[@AXIdentifier=${literal(id)}]`, alike(up, "id", role, id)]
    : ["", alike(up, "role", role, "")];
  const place = same.length > 1 ? `[${same.indexOf(row) + 1}]` : "";
  return role + predicate + place;
}

/** A path that names no titles. */
function nameless(snapshot: Snapshot, row: number, first: string, alike: Alike): string {
  const steps: string[] = [];
  for (let at = row; at >= 0; at = snapshot.parent(at)) {
    steps.unshift(stepOf(snapshot, at, first, false, alike));
  }
  return UI_SCHEME + steps.join("/");
}

/** The path of one row: see `UiPaths`. */
export function writeUiPath(snapshot: Snapshot, row: number): string {
  const first = firstOf(snapshot);
  // One path asks little of each family: to sort all of them, as for many, would take longer.
  const alike: Alike = (up, word, role, text) =>
    snapshot.children(up).filter((one) =>
      (word === "role" || (word === "title" ? snapshot.name(one) : snapshot.id(one)) === text) &&
      axOf(snapshot, one).role === role
    );
  const steps: string[] = [];
  for (let at = row; at >= 0; at = snapshot.parent(at)) {
    steps.unshift(stepOf(snapshot, at, first, true, alike));
  }
  const path = UI_SCHEME + steps.join("/");
  return path.length <= MAX_SELECTOR ? path : nameless(snapshot, row, first, alike);
}

function firstOf(snapshot: Snapshot, identifier?: string): string {
  const { id, name } = snapshot.origin.application;
  return `[@bundleIdentifier=${literal(identifier ?? id ?? name)}]`;
}

/**
 * A quoted text that stays what it is however an address is passed on: what looks percent-encoded is not, and no part
 * between slashes means the folder above.
 */
function literal(text: string): string {
  return quote(text).replace(/%/g, "\\u{25}").replace(/(?<=\/\.{1,2})\//g, "\\/");
}
