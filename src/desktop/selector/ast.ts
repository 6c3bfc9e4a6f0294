import type { StateWord } from "../state-words.ts";

/** How an attribute is compared with a string. `~=` asks for a whole word among words. */
export type StringOperator = "=" | "^=" | "$=" | "*=" | "~=";

/** A question about a string. */
export type StringTest =
  | {
    readonly kind: "string";
    readonly op: StringOperator;
    readonly value: string;
    readonly ignoreCase: boolean;
  }
  | { readonly kind: "regex"; readonly source: string; readonly flags: string };

/**
 * What can be asked for in brackets.
 * - `name`, `description`, `id`: as the application says
 * - `text`: the text content
 * - `value`: the number of what has one (a slider), else the text content
 * - `role`: any of its words, its AX role or its AX subrole
 * - `class`: the toolkit's attribute of that name
 * - `application`: id or name of the application it belongs to
 * - `@key`: any attribute the toolkit gives
 */
export type AttributeName =
  | "name"
  | "description"
  | "id"
  | "text"
  | "value"
  | "role"
  | "class"
  | "application"
  | `@${string}`;

/** The attribute names without `@`. */
export const attributeNames = [
  "name",
  "description",
  "id",
  "text",
  "value",
  "role",
  "class",
  "application",
] as const satisfies readonly AttributeName[];

/** How an element stands by another, as it is written after the colon. */
export const besides = ["labelled-by", "in-row", "in-column"] as const;
/** How an element stands by another. */
export type Beside = (typeof besides)[number];

/** Where an element lies from another, as it is written after the colon; as in Playwright's layout selectors. */
export const directions = ["right-of", "left-of", "above", "below", "near"] as const;
/** Where an element lies from another. */
export type Direction = (typeof directions)[number];

/** One condition on an element. */
export type Condition =
  /** A role: a canonical word, or an AX role or subrole. */
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "attribute"; readonly name: AttributeName; readonly test: StringTest }
  /** The attribute is there and not empty. */
  | { readonly kind: "present"; readonly name: AttributeName }
  | { readonly kind: "state"; readonly word: StateWord }
  /** Name or text of the element or of something in it contains this, whatever the case. */
  | { readonly kind: "hasText"; readonly value: string }
  /**
   * The n-th (from 1; from the end when negative) of those that meet everything before it: among all matches in
   * document order, or among those with the same parent.
   */
  | { readonly kind: "nth"; readonly n: number; readonly among: "matches" | "siblings" }
  /**
   * What stands by an element of exactly this name: labelled by it (a relation that the application tells), or with it in
   * one row or column of the screen, below the same list or table, else below its parent's parent.
   */
  | { readonly kind: "beside"; readonly how: Beside; readonly name: string }
  /** It lies so from something that matches, at most `distance` pixels away; `:near` without one: 50. */
  | {
    readonly kind: "layout";
    readonly direction: Direction;
    readonly selector: Selector;
    readonly distance?: number;
  }
  /** Something below it matches. */
  | { readonly kind: "has"; readonly selector: Selector }
  | { readonly kind: "is"; readonly selector: Selector }
  | { readonly kind: "not"; readonly selector: Selector }
  /** The root of the snapshot. */
  | { readonly kind: "root" };

/** What lies to the left of a compound: an ancestor, or the parent. */
export type Combinator = "descendant" | "child";

/** Conditions on one element, in order (the order matters to `nth`); none means any element. */
export interface Step {
  /** Of the first step: "child" only in `:has(> x)`, where it means a child of the element asked about. */
  readonly combinator: Combinator;
  readonly conditions: readonly Condition[];
}

/** Steps from the outermost element to the one that is meant. */
export interface Path {
  readonly steps: readonly Step[];
}

/** A selector: an element matches when it matches one of the paths. Every form of query is parsed into this. */
export interface Selector {
  readonly paths: readonly Path[];
}

/** A selector of one path with one step. */
export function simple(...conditions: Condition[]): Selector {
  return { paths: [{ steps: [{ combinator: "descendant", conditions }] }] };
}

/** A comparison with a string. */
export function compare(op: StringOperator, value: string, ignoreCase = false): StringTest {
  return { kind: "string", op, value, ignoreCase };
}
