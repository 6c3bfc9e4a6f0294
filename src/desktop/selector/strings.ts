import { compileRegex } from "../../base/regex.ts";
import { hasMarks, withoutMarks } from "../../base/text-marks.ts";
import type { Snapshot } from "../snapshot.ts";
import type { StringOperator, StringTest } from "./ast.ts";

/** A question about string number k of a snapshot. */
export type NumberTest = (k: number) => boolean;

/** A test of any string. Marks of direction in it, which are not seen, are passed over unless the question has some itself. */
export function stringTest(test: StringTest): (text: string) => boolean {
  const ask = testAsItStands(test);
  if (hasMarks(test.kind === "regex" ? test.source : test.value)) return ask;
  return (text) => ask(text) || (hasMarks(text) && ask(withoutMarks(text)));
}

function testAsItStands(test: StringTest): (text: string) => boolean {
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

/** Only letters, digits and signs of ASCII, whose case is one bit of a byte. */
const ASCII = /^[\x20-\x7e]+$/;

/** A byte of ASCII, a large letter as its small one. */
function folded(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte | 32 : byte;
}

/**
 * Is a piece of ASCII in a string, whatever the case? Undefined: not in its ASCII, and there is more, of which some letter may
 * have a small form in ASCII (U+212A).
 */
function holds(arena: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean | undefined {
  const [first = 0] = wanted;
  let foreign = false;
  for (let at = start; at < end; at++) {
    const byte = arena[at] ?? 0;
    if (byte >= 128) foreign = true;
    if (folded(byte) !== first || at + wanted.length > end) continue;
    let same = 1;
    while (same < wanted.length && folded(arena[at + same] ?? 0) === wanted[same]) same++;
    if (same === wanted.length) return true;
  }
  return foreign ? undefined : false;
}

/** May there be marks of direction in a piece of the arena? Each begins with one of these bytes. */
function mayHaveMarks(arena: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = arena[at];
    if (byte === 0xe2 || byte === 0xc2 || byte === 0xd8) return true;
  }
  return false;
}

/**
 * The same question about strings by number, each asked once. Exact comparisons, and whether a piece of ASCII is in them whatever
 * the case, compare bytes in the arena and decode nothing.
 */
export function numberTest(snapshot: Snapshot, test: StringTest): NumberTest {
  const { offsets, arena } = snapshot.columns.strings;
  if (test.kind === "string" && test.op === "=" && !test.ignoreCase) {
    const wanted = encoder.encode(test.value);
    const length = wanted.length;
    const passes = !hasMarks(test.value);
    return (k) => {
      const start = offsets[k] ?? 0, end = offsets[k + 1] ?? 0;
      if (end - start !== length) {
        return passes && end - start > length && mayHaveMarks(arena, start, end) &&
          withoutMarks(snapshot.string(k)) === test.value;
      }
      // From the end: names of one kind begin alike.
      for (let i = length - 1; i >= 0; i--) if (arena[start + i] !== wanted[i]) return false;
      return true;
    };
  }
  const ask = stringTest(test);
  const piece = test.kind === "string" && test.op === "*=" && test.ignoreCase && ASCII.test(test.value)
    ? encoder.encode(test.value.toLowerCase())
    : undefined;
  const asked = (k: number): boolean => {
    const quick = piece && holds(arena, offsets[k] ?? 0, offsets[k + 1] ?? 0, piece);
    return quick ?? ask(snapshot.string(k));
  };
  const existing = new Uint8Array(offsets.length);
  return (k) => {
    let answer = existing[k];
    if (answer === undefined) return false;
    if (answer === 0) existing[k] = answer = asked(k) ? 1 : 2;
    return answer === 1;
  };
}
