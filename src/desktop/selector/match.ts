import type { SnapshotField } from "../desktop.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Condition, Path, Selector } from "./ast.ts";
import { compileLayout, type Distance } from "./layout.ts";
import { compileCondition, fieldsOfAttribute, rolesOfType, type RowTest } from "./conditions.ts";

/** Where to look, and how much of what is found. */
export interface MatchOptions {
  /** Only below this row (itself excluded); default: everywhere. */
  readonly scope?: number;
  /** Rows; default: all. */
  readonly limit?: number;
}

/**
 * The rows that match, in document order. Conditions are made ready once a snapshot, each string is asked once, and
 * nothing is allocated a node.
 *
 * @example
 * ```ts
 * import { buildSnapshot } from "../build.ts";
 * import { match } from "./match.ts";
 * import { parseSelector } from "./parse.ts";
 * const snapshot = buildSnapshot(
 *   { role: "frame", children: [{ role: "pushButton", name: "Save" }, { role: "pushButton", name: "Quit" }] },
 *   { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" },
 * );
 * if (match(parseSelector('button[name="Quit"]'), snapshot)[0] !== 2) throw new Error();
 * ```
 */
export function match(selector: Selector, snapshot: Snapshot, options: MatchOptions = {}): number[] {
  return compile(selector, snapshot)(options.scope ?? -1, options.limit ?? Infinity);
}

type Compiled = (scope: number, limit: number) => number[];

/** Selectors inside `:has` are compiled once, not once a row. */
function compile(selector: Selector, snapshot: Snapshot): Compiled {
  const inner = new Map<Selector, Compiled>();
  const nested = (other: Selector, scope: number, limit: number): number[] => {
    let compiled = inner.get(other);
    if (compiled === undefined) inner.set(other, compiled = compile(other, snapshot));
    return compiled(scope, limit);
  };
  const paths = selector.paths.map((path) => compilePath(path, snapshot, nested));
  const [only] = paths;
  if (only !== undefined && paths.length === 1) return only;
  return (scope, limit) => {
    const found = new Set(paths.flatMap((path) => path(scope, limit)));
    const rows = [...found].sort((a, b) => a - b);
    return rows.length > limit ? rows.slice(0, limit) : rows;
  };
}

/** Conditions made ready: which roles can pass at all, asked of the column without a call a row, and the others. */
interface Tests {
  readonly roles: Uint16Array;
  readonly may: Uint8Array | undefined;
  readonly rest: readonly RowTest[];
}

/** Conditions between two `nth`, and the `nth` that follows them. */
interface Stage {
  readonly tests: Tests;
  readonly nth: Extract<Condition, { kind: "nth" }> | undefined;
  /** What `nth` counts by, nearest first; undefined: by the order of the tree. */
  readonly distance?: Distance | undefined;
}

function compilePath(
  path: Path,
  snapshot: Snapshot,
  nested: (selector: Selector, scope: number, limit: number) => number[],
): Compiled {
  const steps = path.steps.map((step) => ({
    child: step.combinator === "child",
    stages: stagesOf(step.conditions),
  }));

  function stagesOf(conditions: readonly Condition[]): Stage[] {
    const stages: Stage[] = [];
    let before: Condition[] = [];
    for (const condition of conditions) {
      if (condition.kind === "nth") {
        const layout = before.findLast((one) => one.kind === "layout");
        const distance = layout &&
          compileLayout(layout, snapshot, () => nested(layout.selector, -1, Infinity));
        stages.push({ tests: ready(before), nth: condition, distance });
        before = [];
      } else before.push(condition);
    }
    if (before.length > 0 || stages.length === 0) stages.push({ tests: ready(before), nth: undefined });
    return stages;
  }

  function ready(conditions: readonly Condition[]): Tests {
    const { role: roles } = snapshot.columns;
    const typed = conditions.find((condition) => condition.kind === "type");
    const type = typed && rolesOfType(typed.type);
    const rest = conditions.filter((condition) => condition !== typed || type?.enough === false);
    return {
      roles,
      may: type?.may,
      rest: rest.map((condition) => compileCondition(condition, snapshot, nested)),
    };
  }

  return (scope, limit) => {
    let found: number[] | undefined;
    for (const [k, { child, stages }] of steps.entries()) {
      const last = k === steps.length - 1;
      for (const [s, { tests, nth, distance }] of stages.entries()) {
        const final = s === stages.length - 1;
        const enough = nth !== undefined
          ? (nth.among === "matches" && nth.n > 0 && distance === undefined ? nth.n : Infinity)
          : last && final
          ? limit
          : Infinity;
        let rows: number[] = [];
        if (s > 0 && found !== undefined) filterRows(found, tests, enough, rows);
        else if (found !== undefined) scanBelow(snapshot, found, child, tests, enough, rows);
        else if (scope >= 0) scanBelow(snapshot, [scope], child, tests, enough, rows);
        else scan(0, snapshot.size, tests, enough, rows);
        if (distance !== undefined) {
          rows.sort((a, b) => (distance(a) ?? Infinity) - (distance(b) ?? Infinity) || a - b);
        }
        if (nth !== undefined) rows = pick(rows, nth, snapshot);
        found = rows;
      }
      if (found === undefined || found.length === 0) return [];
    }
    const rows = found ?? [];
    return rows.length > limit ? rows.slice(0, limit) : rows;
  };
}

function passes({ roles, may, rest }: Tests, row: number): boolean {
  if (may !== undefined && may[roles[row] ?? 0] === 0) return false;
  for (let t = 0; t < rest.length; t++) if (rest[t]?.(row) === false) return false;
  return true;
}

function scan(from: number, to: number, tests: Tests, enough: number, into: number[]): void {
  const { roles, may, rest } = tests;
  const [only] = rest;
  if (may === undefined || rest.length > 1) {
    for (let row = from; row < to && into.length < enough; row++) if (passes(tests, row)) into.push(row);
    return;
  }
  // A role and at most one other question: most selectors.
  for (let row = from; row < to && into.length < enough; row++) {
    if (may[roles[row] ?? 0] !== 0 && (only === undefined || only(row))) into.push(row);
  }
}

function filterRows(
  rows: readonly number[],
  tests: Tests,
  enough: number,
  into: number[],
): void {
  for (const row of rows) {
    if (into.length >= enough) return;
    if (passes(tests, row)) into.push(row);
  }
}

/** Rows below (or directly below) any of `above`, which is in document order: each run of rows is scanned once. */
function scanBelow(
  snapshot: Snapshot,
  above: readonly number[],
  child: boolean,
  tests: Tests,
  enough: number,
  into: number[],
): void {
  if (child && above.length === 1) {
    const parent = above[0] ?? 0;
    const end = snapshot.end(parent);
    for (let row = parent + 1; row < end && into.length < enough; row = snapshot.end(row)) {
      if (passes(tests, row)) into.push(row);
    }
    return;
  }
  const parents = child ? new Uint8Array(snapshot.size) : undefined;
  if (parents) { for (const row of above) parents[row] = 1; }
  const { parent } = snapshot.columns;
  let done = 0;
  for (const row of above) {
    const from = Math.max(done, row + 1);
    const to = snapshot.end(row);
    if (parents === undefined) scan(from, to, tests, enough, into);
    else {
      for (let r = from; r < to && into.length < enough; r++) {
        if (parents[parent[r] ?? -1] === 1 && passes(tests, r)) into.push(r);
      }
    }
    done = Math.max(done, to);
  }
}

function pick(rows: number[], nth: Extract<Condition, { kind: "nth" }>, snapshot: Snapshot): number[] {
  if (nth.among === "matches") {
    const row = rows.at(nth.n > 0 ? nth.n - 1 : nth.n);
    return row === undefined ? [] : [row];
  }
  const families = new Map<number, number[]>();
  for (const row of rows) {
    const parent = snapshot.parent(row);
    const family = families.get(parent);
    if (family) family.push(row);
    else families.set(parent, [row]);
  }
  const picked: number[] = [];
  for (const family of families.values()) {
    const row = family.at(nth.n > 0 ? nth.n - 1 : nth.n);
    if (row !== undefined) picked.push(row);
  }
  return picked.sort((a, b) => a - b);
}

/** The optional columns a snapshot needs to be matched against this selector. */
export function fieldsOf(selector: Selector): SnapshotField[] {
  const fields = new Set<SnapshotField>();
  for (const condition of conditionsOf(selector)) {
    if (condition.kind === "attribute" || condition.kind === "present") {
      for (const field of fieldsOfAttribute(condition.name)) fields.add(field);
    } else if (condition.kind === "hasText") fields.add("text");
    else if (condition.kind === "beside") {
      fields.add(condition.how === "labelled-by" ? "relations" : "extents");
    } else if (condition.kind === "layout") fields.add("extents");
  }
  return [...fields];
}

/** Does it ask whether something shows? Some toolkits tell that by its place only. */
export function asksWhatShows(selector: Selector): boolean {
  return [...conditionsOf(selector)].some((c) =>
    c.kind === "state" && (c.word === "visible" || c.word === "hidden")
  );
}

/** Does it ask what something is described as? */
export function isOfDescription(selector: Selector): boolean {
  return [...conditionsOf(selector)].some((c) =>
    (c.kind === "attribute" || c.kind === "present") && c.name === "description"
  );
}

/** Every condition of a selector, those inside of others too. */
export function* conditionsOf(selector: Selector): Generator<Condition> {
  for (const condition of selector.paths.flatMap((path) => path.steps).flatMap((step) => step.conditions)) {
    yield condition;
    if ("selector" in condition) yield* conditionsOf(condition.selector);
  }
}
