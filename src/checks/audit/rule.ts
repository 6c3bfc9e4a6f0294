import type { Scene } from "./scene.ts";

/** How badly a person is kept from something, worst first. */
export const impacts = ["critical", "serious", "moderate", "minor"] as const;
/** How badly a person is kept from something. */
export type Impact = (typeof impacts)[number];

/** A success criterion of the Web Content Accessibility Guidelines, which WCAG2ICT applies to software. */
export interface Criterion {
  /** Its number: "4.1.2". */
  readonly number: string;
  /** Its title: "Name, Role, Value". */
  readonly title: string;
  /** The level that asks for it. */
  readonly level: "A" | "AA" | "AAA";
  /** The version that brought it. */
  readonly version: "2.0" | "2.1" | "2.2";
}

/** Where a rule tells what it found. Every row that it judged is told once. */
export interface Tell {
  /** It is as it should be. */
  pass(row: number): void;
  /** It is not: what is wrong, in a sentence about this element. */
  fail(row: number, description: string): void;
  /** It cannot be known: why. Listed apart, never a failure. */
  unsure(row: number, why: string): void;
}

/** What a rule needs beside the tree. Without it the rule is not run. */
export type Need = "pictures" | "keyboard";

/** One rule: what it is about, and how an element is judged. */
export interface Rule {
  /** Kebab-case; axe-core's name where it has the rule. */
  readonly id: string;
  /** Undefined: best practice, which no standard asks for. */
  readonly criterion: Criterion | undefined;
  /** Clauses of the revised Section 508 (36 CFR 1194): of 502.3, and E207.2, which takes over WCAG 2.0 A and AA. */
  readonly section508: readonly string[];
  /** How badly it keeps people from something. */
  readonly impact: Impact;
  /** What must hold, as a sentence. */
  readonly help: string;
  /** What to do where it does not. */
  readonly suggestion: string;
  /** Default: the tree alone. */
  readonly needs?: Need;
  /** Judges what it is about in a scene. */
  check(scene: Scene, tell: Tell): void;
}

/** 4.1.2 Name, Role, Value. */
export const NAME_ROLE_VALUE: Criterion = {
  number: "4.1.2",
  title: "Name, Role, Value",
  level: "A",
  version: "2.0",
};
/** 1.1.1 Non-text Content. */
export const NON_TEXT: Criterion = { number: "1.1.1", title: "Non-text Content", level: "A", version: "2.0" };
/** 1.3.1 Info and Relationships. */
export const RELATIONSHIPS: Criterion = {
  number: "1.3.1",
  title: "Info and Relationships",
  level: "A",
  version: "2.0",
};
/** 2.1.1 Keyboard. */
export const KEYBOARD: Criterion = { number: "2.1.1", title: "Keyboard", level: "A", version: "2.0" };
