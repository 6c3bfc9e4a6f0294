import type { Snapshot } from "../snapshot.ts";
import { axOf } from "../vocabulary.ts";
import { MAX_SELECTOR } from "./parse.ts";
import { quote } from "./print.ts";
import { UI_SCHEME } from "./xpath.ts";

const MAX_TITLE = 100;

/** What the children of one row say of themselves, and how many say the same. */
interface Family {
  readonly roles: Map<string, number[]>;
  readonly titles: Map<string, number[]>;
  readonly ids: Map<string, number[]>;
}

/**
 * The `macos://ui/` paths of the rows of a whole application's snapshot: a step a level, with the title (or else the
 * identifier) where there is one, and a place from 1 where that leaves several under one parent. `parseUiPath` finds the
 * row again. A path that would be too long for a query names no titles.
 */
export class UiPaths {
  readonly #snapshot: Snapshot;
  readonly #first: string;
  readonly #families = new Map<number, Family>();
  readonly #known = new Map<number, string>();

  /** `identifier` is what the application is called in paths; default: its id, else its name. */
  constructor(snapshot: Snapshot, identifier?: string) {
    const { id, name } = snapshot.origin.application;
    this.#snapshot = snapshot;
    this.#first = `[@bundleIdentifier=${literal(identifier ?? id ?? name)}]`;
  }

  /** The path of a row. */
  of(row: number): string {
    const path = UI_SCHEME + this.#steps(row);
    if (path.length <= MAX_SELECTOR) return path;
    const steps: string[] = [];
    for (let at = row; at >= 0; at = this.#snapshot.parent(at)) steps.unshift(this.#step(at, false));
    return UI_SCHEME + steps.join("/");
  }

  #steps(row: number): string {
    const known = this.#known.get(row);
    if (known !== undefined) return known;
    const up = this.#snapshot.parent(row);
    const step = this.#step(row, true);
    const path = up < 0 ? step : `${this.#steps(up)}/${step}`;
    this.#known.set(row, path);
    return path;
  }

  #step(row: number, named: boolean): string {
    const snapshot = this.#snapshot;
    const { role } = axOf(snapshot, row);
    const up = snapshot.parent(row);
    if (up < 0) return role + this.#first;
    const family = this.#family(up);
    const name = snapshot.name(row), id = snapshot.id(row);
    const [predicate, same] = named && name !== "" && name.length <= MAX_TITLE
      ? [`[@AXTitle=${literal(name)}]`, family.titles.get(`${role} ${name}`)]
      : named && id !== "" && id.length <= MAX_TITLE
      ? [`[@AXIdentifier=${literal(id)}]`, family.ids.get(`${role} ${id}`)]
      : ["", family.roles.get(role)];
    const place = same !== undefined && same.length > 1 ? `[${same.indexOf(row) + 1}]` : "";
    return role + predicate + place;
  }

  #family(up: number): Family {
    const known = this.#families.get(up);
    if (known !== undefined) return known;
    const snapshot = this.#snapshot;
    const family: Family = { roles: new Map(), titles: new Map(), ids: new Map() };
    const add = (map: Map<string, number[]>, key: string, row: number) => {
      const rows = map.get(key);
      if (rows === undefined) map.set(key, [row]);
      else rows.push(row);
    };
    for (const row of snapshot.children(up)) {
      const { role } = axOf(snapshot, row);
      add(family.roles, role, row);
      add(family.titles, `${role} ${snapshot.name(row)}`, row);
      add(family.ids, `${role} ${snapshot.id(row)}`, row);
    }
    this.#families.set(up, family);
    return family;
  }
}

/** The path of one row: see `UiPaths`. */
export function writeUiPath(snapshot: Snapshot, row: number): string {
  return new UiPaths(snapshot).of(row);
}

/**
 * A quoted text that stays what it is however an address is passed on: what looks percent-encoded is not, and no part
 * between slashes means the folder above.
 */
function literal(text: string): string {
  return quote(text).replace(/%/g, "\\u{25}").replace(/(?<=\/\.{1,2})\//g, "\\/");
}
