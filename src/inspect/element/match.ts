import { BackstepError } from "../../base/error.ts";
import { describeRow } from "../../desktop/describe.ts";
import type { SnapshotField } from "../../desktop/desktop.ts";
import { notFound } from "../../desktop/locator/diagnose.ts";
import { meant } from "../../desktop/locator/mod.ts";
import { fieldsOfRead, find, type ReadSelector, readSelector } from "../../desktop/selector/mod.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";

/** Rows that a page is told of one selector. */
const MOST_ROWS = 2_000;
/** Elements that are named in words. */
const NAMED = 5;

/** What a selector finds, or why it finds nothing. */
export interface Matches {
  readonly count: number;
  /** Of these, what a step would mean: hidden twins of what shows are left out. */
  readonly meant: number;
  readonly rows: readonly number[];
  /** How the text was understood. */
  readonly strategy: string;
  /** The first of them in words. */
  readonly named: readonly string[];
  /** Why nothing matches, or the text is no selector. */
  readonly why?: string;
  readonly hint?: string;
  /** Where the selector cannot be read, counted from 0. */
  readonly at?: number;
  /** Milliseconds of reading it and matching. */
  readonly ms: number;
}

/** A selector as it is typed: what it needs of a tree, or why it is none. */
export type Typed =
  | { readonly read: ReadSelector; readonly fields: readonly SnapshotField[] }
  | { readonly fault: Matches };

/** Reads a selector that is being typed: that it is not complete yet is no error. */
export function typedSelector(text: string): Typed {
  const began = performance.now();
  try {
    const read = readSelector(text);
    return { read, fields: fieldsOfRead(read) };
  } catch (thrown) {
    if (!(thrown instanceof BackstepError)) throw thrown;
    const { message, hint, details } = thrown;
    const at = typeof details?.["position"] === "number" ? details["position"] : undefined;
    return {
      fault: {
        count: 0,
        meant: 0,
        rows: [],
        strategy: "selector",
        named: [],
        why: message,
        ...(hint === undefined ? {} : { hint }),
        ...(at === undefined ? {} : { at }),
        ms: performance.now() - began,
      },
    };
  }
}

/** What a selector finds in a tree. Why it finds nothing takes longer: see `whyNone`. */
export function matchesIn(snapshot: Snapshot, read: ReadSelector): Matches {
  const began = performance.now();
  const found = find(read, snapshot);
  const used = meant(snapshot, found.rows);
  return {
    count: found.rows.length,
    meant: used.length,
    rows: found.rows.slice(0, MOST_ROWS),
    strategy: found.strategy,
    named: used.slice(0, NAMED).map((row) => describeRow(snapshot, row)),
    ms: performance.now() - began,
  };
}

/** Why a selector finds nothing, and what there is instead; nothing where it finds something. */
export function whyNone(snapshot: Snapshot, read: ReadSelector): Pick<Matches, "why" | "hint"> {
  const { rows, tried } = find(read, snapshot, { limit: 1 });
  if (rows.length > 0) return {};
  const { message, hint } = notFound({ read, snapshot, scope: -1, tried, waited: 0 });
  return { why: message, ...(hint === undefined ? {} : { hint }) };
}
