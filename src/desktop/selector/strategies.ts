import type { SnapshotField } from "../desktop.ts";
import type { Snapshot } from "../snapshot.ts";
import { rowHas } from "../state-words.ts";
import { showsByPlace } from "../toolkits.ts";
import { isInteractive, wordOf } from "../vocabulary.ts";
import type { Selector } from "./ast.ts";
import { asksWhatShows, fieldsOf, isOfDescription, match, type MatchOptions } from "./match.ts";
import { countsFromTheFirst, withoutCounting } from "./counted.ts";
import { countedOnTheWay, withoutPlaces } from "./unplaced.ts";
import { SEMANTIC_THRESHOLD, semanticScores } from "./semantic.ts";

/** How a text is to be understood, as `ax_find` names it. */
export const strategies = ["auto", "exact", "contains", "regex", "role", "identifier", "xpath"] as const;

/** A strategy by name. */
export type Strategy = (typeof strategies)[number];

/** What a query was understood as; the names of the tool design, and "selector" for our own form. */
export type StageName =
  | "selector"
  | "title_exact"
  | "title_contains"
  | "role_title"
  | "identifier"
  | "xpath"
  | "semantic"
  | "regex";

/** One way of understanding a query. */
export type Stage =
  | { readonly name: Exclude<StageName, "semantic">; readonly selector: Selector; readonly narrow: boolean }
  | { readonly name: "semantic"; readonly words: string }
  /** Considered, and not applicable to this text: why. */
  | { readonly name: "role_title" | "xpath" | "regex"; readonly skip: string };

/** A query, understood: the first stage that finds anything answers. */
export interface ReadSelector {
  /** As it was written. */
  readonly text: string;
  readonly strategy: Strategy;
  readonly stages: readonly Stage[];
}

/** What was found, and how. */
export interface Found {
  readonly rows: readonly number[];
  /** The stage that found it, the last one tried when nothing was found. */
  readonly strategy: StageName;
  readonly tried: readonly StageName[];
  /** What was preferred among several matches of a bare text: "visible", "interactive". */
  readonly narrowed: readonly ("visible" | "interactive")[];
}

/**
 * Runs the stages in order until one finds something. A bare text is no exact description, so that its matches are
 * narrowed twice: visible ones before hidden ones, then what can be acted on before its caption. Other forms are taken
 * at their word. "semantic" answers with the elements of the best score, if that is at least 0.6.
 */
export function find(read: ReadSelector, snapshot: Snapshot, options: MatchOptions = {}): Found {
  const tried: StageName[] = [];
  const limit = options.limit ?? Infinity;
  for (const stage of read.stages) {
    tried.push(stage.name);
    if ("skip" in stage) continue;
    if (stage.name === "semantic") {
      const scored = semanticScores(stage.words, snapshot, options.scope);
      const best = scored[0]?.score ?? 0;
      if (best < SEMANTIC_THRESHOLD) continue;
      const rows = scored.filter(({ score }) => score === best).map(({ row }) => row).slice(0, limit);
      return { rows, strategy: stage.name, tried, narrowed: [] };
    }
    const matches = match(stage.selector, snapshot, stage.narrow ? { ...options, limit: Infinity } : options);
    if (matches.length === 0) continue;
    const { rows, narrowed } = stage.narrow ? narrow(matches, snapshot) : { rows: matches, narrowed: [] };
    return { rows: rows.length > limit ? rows.slice(0, limit) : rows, strategy: stage.name, tried, narrowed };
  }
  return { rows: [], strategy: tried.at(-1) ?? "selector", tried, narrowed: [] };
}

/** What could be meant. */
export interface Candidates extends Pick<Found, "rows" | "strategy"> {
  /** They, and what has to be asked beside them to tell which is meant. */
  readonly asked: readonly number[];
}

/**
 * Everything that the first stage with a match finds, whether preferred or not: of these one is meant. "semantic" has none:
 * what is closest depends on all that is there. Where only places tell what shows, what does not is among them. Undefined: they
 * cannot be told without places.
 */
export function candidates(
  read: ReadSelector,
  snapshot: Snapshot,
  options: MatchOptions = {},
): Candidates | undefined {
  const byPlace = showsByPlace(snapshot.origin.application);
  for (const stage of read.stages) {
    if ("skip" in stage || stage.name === "semantic") continue;
    const selector = byPlace ? withoutPlaces(stage.selector) : stage.selector;
    if (selector === undefined) return undefined;
    const rows = match(selector, snapshot, options);
    if (rows.length === 0) continue;
    const ways = byPlace ? countedOnTheWay(stage.selector) : [];
    const counted = ways.flatMap((way) => match(way, snapshot, options));
    return { rows, strategy: stage.name, asked: [...new Set([...rows, ...counted])] };
  }
  return { rows: [], strategy: read.stages.at(-1)?.name ?? "selector", asked: [] };
}

/**
 * The rows by which it is decided that this one is meant, itself the last: those that match but for being counted, up to it, or all
 * where it is counted from the end or in another way. That others do not show was seen; what they are called does not matter then.
 */
export function decisive(
  read: ReadSelector,
  snapshot: Snapshot,
  row: number,
  options: MatchOptions = {},
): number[] {
  const selectors = read.stages.flatMap((stage) => "selector" in stage ? [stage.selector] : []);
  const [selector] = selectors;
  if (selector === undefined || read.stages.length !== selectors.length) return [row];
  const counted = match(withoutCounting(selector), snapshot, options);
  const first = countsFromTheFirst(selector);
  return [...new Set([...counted.filter((one) => !first || one < row), row])];
}

function narrow(rows: readonly number[], snapshot: Snapshot): Pick<Found, "rows" | "narrowed"> {
  const narrowed: ("visible" | "interactive")[] = [];
  for (
    const [name, test] of [
      ["visible", (row: number) => rowHas(snapshot, row, "visible")],
      ["interactive", (row: number) => isInteractive(wordOf(snapshot, row))],
    ] as const
  ) {
    const fewer = rows.filter(test);
    if (fewer.length > 0 && fewer.length < rows.length) {
      rows = fewer;
      narrowed.push(name);
    }
  }
  return { rows, narrowed };
}

/** Does the query ask whether something shows? */
export function asksVisible(read: ReadSelector): boolean {
  return read.stages.some((stage) => "selector" in stage && asksWhatShows(stage.selector));
}

/** Does it depend on what an element is described as whether the query finds it? */
export function asksDescription(read: ReadSelector): boolean {
  return read.stages.some((stage) =>
    stage.name === "semantic" || ("selector" in stage && isOfDescription(stage.selector))
  );
}

/** The stage that answers before all others. */
export function firstStage(read: ReadSelector): StageName | undefined {
  return read.stages.find((stage) => !("skip" in stage))?.name;
}

/** The optional columns a snapshot needs to answer this query. */
export function fieldsOfRead(read: ReadSelector): SnapshotField[] {
  return [
    ...new Set(
      read.stages.flatMap((stage) => {
        if (stage.name === "semantic") return ["id" as const];
        return "skip" in stage ? [] : fieldsOf(stage.selector);
      }),
    ),
  ];
}
