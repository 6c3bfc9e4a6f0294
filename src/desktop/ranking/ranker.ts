import type { Condition, Selector, Step } from "../selector/ast.ts";
import { compileCondition, type RowTest } from "../selector/conditions.ts";
import { match } from "../selector/match.ts";
import { parseSelector } from "../selector/parse.ts";
import { printSelector } from "../selector/print.ts";
import type { Snapshot } from "../snapshot.ts";
import { rowHas } from "../state-words.ts";
import { type Above, ancestorParts, besideParts, shapeParts } from "./around.ts";
import { ADDS, type Part, type RankedLocator, SCORE } from "./candidate.ts";
import { ownParts } from "./parts.ts";

/** The highest number among others that is given, from either end: who counts further counts wrong after the next change. */
export const MOST_NTH = 5;
/** Locators that are given of one element. */
const MOST = 6;

/** An element's own part, and what it is in. */
interface Draft {
  readonly own: Part;
  readonly above: Above | undefined;
  readonly score: number;
}

/**
 * Finds locators for elements of one snapshot, ranked by how long they will last. What is asked of the elements of one role is
 * kept, so that all elements of a window cost little more than one.
 *
 * @example
 * ```ts
 * import { buildSnapshot } from "../build.ts";
 * import { Ranker } from "./ranker.ts";
 * const snapshot = buildSnapshot(
 *   { role: "frame", name: "Main", children: [{ role: "pushButton", name: "Save" }, { role: "pushButton", name: "Quit" }] },
 *   { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" },
 * );
 * if (new Ranker(snapshot).best(2)?.selector !== 'button[name="Quit"]') throw new Error();
 * ```
 */
export class Ranker {
  readonly #snapshot: Snapshot;
  /** Rows that meet conditions, by how these are written. */
  readonly #rows = new Map<string, readonly number[]>();
  readonly #tests = new Map<string, RowTest>();
  /** Rows with a part, as a 1 in their place. */
  readonly #members = new Map<string, Uint8Array>();

  /** The more fields the snapshot has ("id", "extents", "relations", "attributes"), the better. */
  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** The best locator of a row; undefined: nothing short tells it from others. */
  best(row: number): RankedLocator | undefined {
    return this.candidates(row, 1)[0];
  }

  /** Locators of a row, the best first, each of which finds it and nothing else; default: at most 6. */
  candidates(row: number, most = MOST): RankedLocator[] {
    const own = [...ownParts(this.#snapshot, row), ...shapeParts(this.#snapshot, row)];
    const above = ancestorParts(this.#snapshot, row);
    const found: RankedLocator[] = [];
    this.#take(row, own, above, most, found);
    const weak = found.length < most || (found[0]?.score ?? Infinity) > SCORE.row;
    const beside = weak ? besideParts(this.#snapshot, row, own) : [];
    if (beside.length > 0) this.#take(row, beside, above, most, found);
    if (found.length < most) {
      const place = this.#byPlace(row, [...own, ...beside], above);
      if (place !== undefined) found.push(place);
    }
    return found.sort((a, b) => a.score - b.score).slice(0, most);
  }

  #take(
    row: number,
    own: readonly Part[],
    above: readonly Above[],
    most: number,
    found: RankedLocator[],
  ): void {
    const parts = own.flatMap((part) => this.#withStates(row, part));
    const drafts = parts.flatMap((part): Draft[] => [
      { own: part, above: undefined, score: part.score },
      ...above.map((one, k) => ({ own: part, above: one, score: part.score + one.part.score + k })),
    ]).sort((a, b) => a.score - b.score);
    // What only adds a condition to one that tells it already says nothing new.
    const bases = new Set<string>();
    let taken = 0;
    for (const draft of drafts) {
      if (taken >= most) return;
      const base = draft.own.by.filter((by) => by !== "state").join();
      if (bases.has(base) || !this.#tellsAlone(row, draft)) continue;
      const locator = this.#verified(row, selectorOf(draft), draft);
      if (locator === undefined) continue;
      bases.add(base);
      found.push(locator);
      taken++;
    }
  }

  /** A part, and the same among what shows, and what can be used. */
  #withStates(row: number, part: Part): Part[] {
    if (part.by[0] === "id") return [part];
    const shows = rowHas(this.#snapshot, row, "visible");
    const word = rowHas(this.#snapshot, row, "enabled") ? "enabled" : "disabled";
    const state = (name: "visible" | "enabled" | "disabled"): Condition => ({ kind: "state", word: name });
    const also = (score: number, ...more: Condition[]): Part => ({
      conditions: [...part.conditions, ...more],
      score: part.score + score,
      by: [...part.by, "state"],
    });
    return [
      part,
      ...(shows ? [also(ADDS.visible, state("visible"))] : []),
      also(ADDS.enabled, state(word)),
      ...(shows ? [also(ADDS.enabled + ADDS.visible, state("visible"), state(word))] : []),
    ];
  }

  #tellsAlone(row: number, { own, above }: Draft): boolean {
    const rows = this.#rowsWith(own.conditions);
    if (above === undefined) return rows.length === 1 && rows[0] === row;
    const [only, ...more] = this.#below(rows, above, 2);
    return only === row && more.length === 0;
  }

  /** Those of the rows that lie in something with this part. */
  #below(rows: readonly number[], { part, child }: Above, limit: number): number[] {
    const members = this.#membersWith(part.conditions);
    const found: number[] = [];
    for (const row of rows) {
      let up = this.#snapshot.parent(row);
      while (!child && up >= 0 && members[up] !== 1) up = this.#snapshot.parent(up);
      if (up >= 0 && members[up] === 1) found.push(row);
      if (found.length >= limit) break;
    }
    return found;
  }

  /** By its number among those that are alike, which is small enough. */
  #byPlace(
    row: number,
    own: readonly Part[],
    above: readonly Above[],
  ): RankedLocator | undefined {
    const shows = rowHas(this.#snapshot, row, "visible");
    const named = this.#snapshot.name(row).trim() !== "";
    // Only what shows is counted, so that hidden twins that come and go shift nothing.
    const parts = own.filter(({ by: [by], score }) => by !== "digits" && score !== SCORE.unnamed || named)
      .flatMap((
        part,
      ) => this.#withStates(row, part).slice(shows ? 1 : 0, shows ? 2 : 1));
    let best: RankedLocator | undefined;
    for (const part of parts) {
      const rows = this.#rowsWith(part.conditions);
      for (const one of [undefined, ...above]) {
        const score = SCORE.place + part.score + (one?.part.score ?? 0);
        if (best !== undefined && best.score <= score) continue;
        // What is counted is counted below each of several boxes anew by a child's combinator: not here.
        if (one?.child === true) continue;
        const n = place(row, one === undefined ? rows : this.#below(rows, one, Infinity));
        if (n === undefined) continue;
        const nth: Condition = { kind: "nth", n, among: "matches" };
        const placed: Part = { ...part, conditions: [...part.conditions, nth], by: [...part.by, "place"] };
        const draft: Draft = { own: placed, above: one, score };
        best = this.#verified(row, selectorOf(draft), draft) ?? best;
      }
    }
    return best;
  }

  /** As it is written, it is read and matched again: what is given finds this row and nothing else. */
  #verified(row: number, selector: Selector, { own, above, score }: Draft): RankedLocator | undefined {
    const text = printSelector(selector);
    const [only, ...more] = match(parseSelector(text), this.#snapshot, { limit: 2 });
    if (only !== row || more.length > 0) return undefined;
    return { selector: text, score, by: above === undefined ? own.by : [...own.by, "ancestor"] };
  }

  #rowsWith(conditions: readonly Condition[]): readonly number[] {
    const key = written(conditions);
    const kept = this.#rows.get(key);
    if (kept !== undefined) return kept;
    const [first, ...rest] = conditions;
    const among = rest.length === 0 || first === undefined
      ? match({ paths: [{ steps: [{ combinator: "descendant", conditions }] }] }, this.#snapshot)
      : this.#rowsWith([first]);
    const tests = rest.map((condition) => this.#test(condition));
    const rows = tests.length === 0 ? among : among.filter((row) => tests.every((test) => test(row)));
    this.#rows.set(key, rows);
    return rows;
  }

  #membersWith(conditions: readonly Condition[]): Uint8Array {
    const key = written(conditions);
    const kept = this.#members.get(key);
    if (kept !== undefined) return kept;
    const members = new Uint8Array(this.#snapshot.size);
    for (const row of this.#rowsWith(conditions)) members[row] = 1;
    this.#members.set(key, members);
    return members;
  }

  #test(condition: Condition): RowTest {
    const key = written([condition]);
    const kept = this.#tests.get(key);
    if (kept !== undefined) return kept;
    const snapshot = this.#snapshot;
    const test = compileCondition(
      condition,
      snapshot,
      (selector, scope, limit) => match(selector, snapshot, { scope, limit }),
    );
    this.#tests.set(key, test);
    return test;
  }
}

/** Its number among others, from the end where that is less; undefined: both are too high. */
function place(row: number, rows: readonly number[]): number | undefined {
  const at = rows.indexOf(row);
  if (at < 0) return undefined;
  if (at < MOST_NTH) return at + 1;
  return rows.length - at <= MOST_NTH ? at - rows.length : undefined;
}

function written(conditions: readonly Condition[]): string {
  return printSelector({ paths: [{ steps: [{ combinator: "descendant", conditions }] }] });
}

function selectorOf({ own, above }: Draft): Selector {
  const steps: Step[] = [{
    combinator: above?.child === true ? "child" : "descendant",
    conditions: own.conditions,
  }];
  if (above !== undefined) steps.unshift({ combinator: "descendant", conditions: above.part.conditions });
  return { paths: [{ steps }] };
}
