import type { Regex } from "../../base/regex.ts";
import type { StateWord } from "../../desktop/state-words.ts";

/** What a name or a text is to be: these words, spaces counting as one, or an expression that matches anywhere. */
export type TextTest = { readonly text: string } | { readonly regex: Regex };

/** One line of the notation: what an element is to be, and what is to be in it. */
export interface Pattern {
  /** Counts from 1. */
  readonly line: number;
  /** As it was written, without dash and colon: `button "Save" [enabled]`. */
  readonly written: string;
  /** A role word or AX name, canonical. */
  readonly role: string;
  /** Undefined: it may have any. */
  readonly name: TextTest | undefined;
  /** Undefined: it may hold anything. */
  readonly text: TextTest | undefined;
  /** What is asked of its states; those not named may be anything. */
  readonly states: readonly (readonly [StateWord, boolean])[];
  /** Of headings and rows of trees. */
  readonly level: number | undefined;
  readonly children: readonly Pattern[];
}

/** A tree in the notation: what stands side by side at its top. */
export interface TreePattern {
  readonly top: readonly Pattern[];
  /** Every line in order, children after their parents. */
  readonly all: readonly Pattern[];
}

/** Spaces and line breaks as one space, none at the ends. */
export function collapsed(text: string): string {
  return text.replace(/[\s\u00a0]+/g, " ").trim();
}

/** Does a text, its spaces collapsed, pass? */
export function passes(test: TextTest, text: string): boolean {
  return "regex" in test ? test.regex.test(text) : test.text === text;
}
