import type { Json } from "../../base/error.ts";
import type { Application, ElementRef, Reading } from "../element.ts";
import type { StageName } from "../selector/strategies.ts";
import type { Way } from "../scroll-area.ts";
import type { Snapshot } from "../snapshot.ts";

/**
 * How ready an element must be: "attached" it is in the tree, "visible" it also shows, "enabled" it also takes orders,
 * "reachable" a pointer would also reach it, "actionable" it also stands still. Actions that use no place ask for "reachable";
 * those that do make sure themselves, right before the press, that it stands still.
 */
export type ResolveState = "attached" | "visible" | "enabled" | "reachable" | "actionable";

/** What can be asked of an element, in the order in which it is asked. */
export type ConditionName =
  | "root"
  | "exists"
  | "unique"
  | "visible"
  | "enabled"
  | "same"
  | "stable"
  | "in_view"
  | "uncovered";

/** A condition that does not hold, in a sentence without a subject's full stop: `button "Save" is disabled`. */
export interface Unmet {
  readonly condition: ConditionName;
  readonly sentence: string;
  /** What to try, where the condition alone does not tell. */
  readonly hint?: string;
  readonly details?: { readonly [key: string]: Json };
  /** How it may be scrolled out from under what covers it. */
  readonly wayOut?: Way;
}

/** The one element that a locator found. */
export interface Match {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly row: number;
  readonly element: ElementRef;
  /** What the query was understood as. */
  readonly strategy: StageName;
  readonly tried: readonly StageName[];
  /** What was preferred among several matches of a bare text. */
  readonly narrowed: readonly ("visible" | "interactive")[];
  /** The element read afresh, where that was needed to see that it stands still. */
  readonly reading?: Reading;
  /** Whether it shows is not told, unless the application says that the pointer reaches it. */
  readonly unsure?: true;
  /** It is covered, and may be scrolled out from under that before it is used: what was in the way when it was found. */
  readonly beneath?: Unmet;
  /** There when it was found in what is kept of the application: so ready it was seen to be. */
  readonly ready?: ResolveState;
}
