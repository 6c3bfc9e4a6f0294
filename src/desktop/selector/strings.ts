import { compileRegex } from "../../base/regex.ts";
import type { Snapshot } from "../snapshot.ts";
import type { StringOperator, StringTest } from "./ast.ts";

/** A question about string number k of a snapshot. */
export type NumberTest = (k: number) => boolean;

/** A test of any string. */
export function stringTest(test: StringTest): (text: string) => boolean {
  if (test.kind === "regex") {
    const regex = compileRegex(test.source, test.flags);
    return (text) => regex.test(text);
  }
  const { op, ignoreCase } = test;
  const value = ignoreCase ? test.value.toLowerCase() : test.value;
  const compare = comparison(op, value);
  return ignoreCase ? (text) => compare(text.toLowerCase()) : compare;
}

function comparison(op: StringOperator, value: string): (text: string) => boolean {
  switch (op) {
    case "=":
      return (text) => text === value;
    // As in CSS, an empty value is a part of nothing.
    case "^=":
      return (text) => value !== "" && text.startsWith(value);
    case "$=":
      return (text) => value !== "" && text.endsWith(value);
    case "*=":
      return (text) => value !== "" && text.includes(value);
    case "~=":
      return (text) => value !== "" && text.split(/[\s\p{P}]+/u).includes(value);
  }
}

const encoder = new TextEncoder();

/**
 * The same question about strings by number, each asked once. Exact comparisons compare bytes in the arena and decode
 * nothing.
 */
export function numberTest(snapshot: Snapshot, test: StringTest): NumberTest {
  const { offsets, arena } = snapshot.columns.strings;
  if (test.kind === "string" && test.op === "=" && !test.ignoreCase) {
    const wanted = encoder.encode(test.value);
    const length = wanted.length;
    return (k) => {
      const start = offsets[k] ?? 0;
      if ((offsets[k + 1] ?? 0) - start !== length) return false;
      // From the end: names of one kind begin alike.
      for (let i = length - 1; i >= 0; i--) if (arena[start + i] !== wanted[i]) return false;
      return true;
    };
  }
  const ask = stringTest(test);
  const existing = new Uint8Array(offsets.length);
  return (k) => {
    let answer = existing[k];
    if (answer === undefined) return false;
    if (answer === 0) existing[k] = answer = ask(snapshot.string(k)) ? 1 : 2;
    return answer === 1;
  };
}
