import { type Call, Deadline } from "../../../base/call.ts";
import type { Application, Desktop, DesktopEvent } from "../../../desktop/desktop.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";
import { State, type StateName } from "../../../desktop/states.ts";
import { shownRows } from "../../../desktop/shown-rows.ts";
import { Hash } from "../axterminator/hash.ts";
import { windowRow } from "../axterminator/tree.ts";
import { windowsOf } from "../axterminator/view.ts";
import type { Heard } from "./desktop-events.ts";
import { isName, type LastTree, stateOf } from "./last-tree.ts";
import { lookAt } from "./read-at.ts";
import type { Looks } from "./shared-reads.ts";
import type { Part } from "./topic.ts";

/** Milliseconds that changes of a tree are gathered. */
const DEBOUNCE = 500;
/** Elements whose value is read again after an event; more, and the tree counts as changed. */
const MOST = 64;

/** States that a tree tells of. */
const REPORTED: readonly StateName[] = [
  "active",
  "busy",
  "checked",
  "collapsed",
  "enabled",
  "expandable",
  "expanded",
  "focused",
  "indeterminate",
  "invalidEntry",
  "modal",
  "pressed",
  "required",
  "selected",
  "sensitive",
  "showing",
  "visible",
];
const reported: ReadonlySet<StateName> = new Set(REPORTED);
const mask = (from: number) =>
  REPORTED.map((name) => State[name] - from).filter((bit) => bit >= 0 && bit < 32).reduce(
    (bits, bit) => (bits | (1 << bit)) >>> 0,
    0,
  );
const LOW = mask(0), HIGH = mask(32);

const VALUE_FIELDS = ["text", "value", "selection"] as const;
const VALUES = /^object:(text-changed:|property-change:accessible-value|value-changed|selection-changed)/;
const STRUCTURE =
  /^(object:children-changed:|object:property-change:accessible-(role|description)|window:|document:)/;

/** What is watched, and of it the window of this number, or all. */
export interface TreeOf {
  readonly desktop: Desktop;
  readonly application: Application;
  readonly window: number | undefined;
  readonly lastTree: LastTree;
  readonly looks: Looks;
}

/** What a tree consists of and what its elements hold, looked at together. */
export function treePart(of: TreeOf): Part {
  const values = new Values(of);
  return {
    debounce: DEBOUNCE,
    hear: (heard) => values.hear(heard),
    concerns: (events) =>
      events.some((event) =>
        VALUES.test(event.kind) || (tellsOfStructure(event) && !of.lastTree.says(event))
      ),
    async digest(call, polled) {
      const { lastTree, looks } = of;
      const how = polled
        ? { fields: ["id", ...VALUE_FIELDS], source: "mirror" } as const
        : { fields: ["id"], source: "held" } as const;
      const snapshot = await looks.tree({ ...how, polled }, call);
      lastTree.learn(snapshot);
      const root = await rootOf(of, snapshot, call);
      if (root < 0) return "";
      const changes = await values.look(root, snapshot.end(root), call, polled ? snapshot : undefined);
      return `${structureDigest(snapshot, root)} ${changes}`;
    },
  };
}

/** May an event mean that elements, their names or their states are others now? */
export function tellsOfStructure({ kind, detail1 }: DesktopEvent): boolean {
  if (STRUCTURE.test(kind) || isName(kind)) return true;
  const state = stateOf(kind);
  return state === "defunct" ? detail1 !== 0 : state !== undefined && reported.has(state);
}

async function rootOf(
  { desktop, application, window }: TreeOf,
  snapshot: Snapshot,
  call: Call,
): Promise<number> {
  return window === undefined ? 0 : windowRow(snapshot, await windowsOf(desktop, application, call), window);
}

/** Roles, names, descriptions, ids, states and order of the visible elements below a row, in short. */
export function structureDigest(snapshot: Snapshot, root = 0): string {
  const { columns } = snapshot;
  const { strings } = columns;
  const shown = shownRows(snapshot);
  const hash = new Hash();
  const end = snapshot.end(root);
  // A row is where it is by the rows that are shown before it and its parent among them.
  const order = new Int32Array(end - root);
  for (let row = root, count = 0; row < end; row++) {
    if (shown[row] !== 1 && row !== root) continue;
    order[row - root] = count++;
    const up = snapshot.parent(row);
    hash.number(up < root ? -1 : order[up - root] ?? 0)
      .number(snapshot.role(row))
      .number(snapshot.statesLow(row) & LOW)
      .number(snapshot.statesHigh(row) & HIGH)
      .string(strings, columns.name[row])
      .string(strings, columns.description[row])
      .string(strings, columns.id[row]);
  }
  return hash.digest;
}

/** Texts, numbers and choices: nobody keeps them, so that those of which an event told are read again. */
class Values {
  readonly #of: TreeOf;
  readonly #seen = new Map<string, string>();
  #touched = new Set<string>();
  #all = true;
  #changes = 0;

  constructor(of: TreeOf) {
    this.#of = of;
  }

  hear(heard: Heard): void {
    if (heard === "lost") this.#all = true;
    else for (const { kind, path } of heard) if (VALUES.test(kind)) this.#touch(path);
  }

  /** How often a value of these rows of the known tree was found to be another; `read`: a tree that has them all. */
  async look(from: number, to: number, call: Call, read: Snapshot | undefined): Promise<number> {
    const [touched, all] = [this.#touched, this.#all];
    this.#touched = new Set();
    this.#all = false;
    const mine = (path: string) => {
      const row = this.#of.lastTree.row(path);
      return row >= from && row < to && (this.#of.lastTree.snapshot?.has(row, "visible") ?? false);
    };
    try {
      if (read !== undefined) this.#compare(read, mine);
      else if (all) this.#compare(await this.#readAll(call), mine);
      else if (touched.size > MOST) this.#changes++;
      else await this.#read([...touched].filter(mine), call);
    } catch (error) {
      this.#all = true;
      throw error;
    }
    return this.#changes;
  }

  #touch(path: string): void {
    if (this.#touched.size <= MOST) this.#touched.add(path);
  }

  #readAll(call: Call): Promise<Snapshot> {
    const { looks } = this.#of;
    return looks.tree({ fields: ["id", ...VALUE_FIELDS], source: "mirror", polled: false }, call);
  }

  #compare(snapshot: Snapshot, mine: (path: string) => boolean): void {
    const before = new Map(this.#seen);
    this.#seen.clear();
    let differs = false;
    for (let row = 0; row < snapshot.size; row++) {
      const path = snapshot.path(row);
      if (!mine(path)) continue;
      const value = valueText(snapshot, row);
      // An element that came or went is the structure's affair.
      if (before.has(path) && before.get(path) !== value) differs = true;
      this.#seen.set(path, value);
    }
    if (differs) this.#changes++;
  }

  async #read(paths: readonly string[], call: Call): Promise<void> {
    const { desktop, application } = this.#of;
    const deadline = Deadline.of(call, 10_000);
    for (const path of paths) {
      const one = await lookAt(desktop, application, path, VALUE_FIELDS, deadline.call());
      if (one === undefined) continue;
      const value = valueText(one, 0);
      if (value !== this.#seen.get(path)) this.#changes++;
      this.#seen.set(path, value);
    }
  }
}

function valueText(snapshot: Snapshot, row: number): string {
  const { current } = snapshot.value(row) ?? {};
  return JSON.stringify([
    snapshot.text(row)?.slice(0, 200) ?? null,
    current ?? null,
    snapshot.selected(row) ?? null,
  ]);
}
