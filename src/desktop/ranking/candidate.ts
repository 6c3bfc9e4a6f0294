import type { Condition } from "../selector/ast.ts";

/** What a locator tells its element by. "place": by its number among those that are alike, which any change may shift. */
export type LocatorTrait =
  | "id"
  | "name"
  | "label"
  | "placeholder"
  | "description"
  | "digits"
  | "content"
  | "row"
  | "column"
  | "ancestor"
  | "state"
  | "role"
  | "place";

/** A way to find one element again. */
export interface RankedLocator {
  /** It matches this element, and nothing else, in the snapshot that it was made from. */
  readonly selector: string;
  /** The lower, the longer it will last: 1 for an id, 100 for role and name, 10,000 and more for a number among others. */
  readonly score: number;
  readonly by: readonly LocatorTrait[];
}

/** Conditions on one element, with what they cost. */
export interface Part {
  readonly conditions: readonly Condition[];
  readonly score: number;
  readonly by: readonly LocatorTrait[];
}

/** After Playwright's scale for its own selectors: the lower, the better. */
export const SCORE = {
  id: 1,
  name: 100,
  placeholder: 120,
  label: 140,
  content: 180,
  description: 200,
  digits: 250,
  /** A name that changes with use: a combo box that is called after what it shows. */
  choice: 400,
  /** A caption in its row or column. */
  row: 300,
  /** An id that a program seems to have made up. */
  madeUpId: 500,
  role: 510,
  /** A role, and that it has no name, or which one its toolkit made up. */
  unnamed: 512,
  /** A box by something in it. */
  boxContent: 600,
  place: 10_000,
} as const;

/** What a further condition adds: `:visible` leaves out hidden twins, `:enabled` is a state that may change. */
export const ADDS = { visible: 5, enabled: 60, row: 40, column: 30 } as const;
