import { Composer, type CST, type Document, isScalar, LineCounter, Parser } from "yaml";
import type { Place } from "../base/error.ts";
import { Converter } from "./convert.ts";
import { deeperThan } from "./depth.ts";
import type { Faults } from "./diagnostics.ts";
import type { Node } from "./node.ts";
import { DEEPEST, MOST_BYTES } from "./reading.ts";

/**
 * Reads the bytes of a YAML or JSON file (YAML 1.2, core schema) into nodes with places. Undefined when it cannot be
 * used; then the reasons are in `faults`: not UTF-8, empty, several documents, duplicate keys, unknown tags, alias bombs.
 */
export function readDocument(
  source: Uint8Array | string,
  file: string,
  faults: Faults,
  whenEmpty = "A workflow needs at least `name:` and `steps:`.",
  most: number = MOST_BYTES,
): Node | undefined {
  const start: Place = { file, line: 1, column: 1 };
  const text = typeof source === "string" ? source.replace(/^\uFEFF/, "") : decode(source, file, faults);
  if (text === undefined) return undefined;
  if (text.length > most) {
    faults.add(start, `the file is larger than ${most} bytes`, "Split it and use `run:`.");
    return undefined;
  }
  const counter = new LineCounter();
  const placeOf = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const document = parseText(text, counter, placeOf, faults, whenEmpty);
  if (!document) return undefined;
  const before = faults.count;
  for (const error of document.errors) {
    const { message, hint } = explain(error.code, error.message, text);
    faults.add(placeOf(tabIn(error.code, text, error.pos[0])), message, hint);
  }
  for (const warning of document.warnings) {
    faults.add(placeOf(warning.pos[0]), firstLine(warning.message), "Leave tags and directives out.");
  }
  if (faults.count > before) return undefined;
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    faults.add(start, "the file is empty", whenEmpty);
    return undefined;
  }
  const node = new Converter(document, text, placeOf, faults).node(document.contents, 0);
  // What follows from a broken value would only hide the fault that broke it.
  return faults.count > before ? undefined : node;
}

/** Bytes as a text; undefined, and a fault at the first byte that is wrong, where they are no UTF-8. */
export function decode(bytes: Uint8Array, file: string, faults: Faults): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    faults.add(placeOfBadByte(bytes, file), "the file is not UTF-8", "Save it with the encoding UTF-8.");
    return undefined;
  }
}

/** Decodes with replacement to find the first byte sequence that is no UTF-8. */
function placeOfBadByte(bytes: Uint8Array, file: string): Place {
  const text = new TextDecoder().decode(bytes);
  const encoder = new TextEncoder();
  let line = 1;
  let column = 1;
  let at = 0;
  for (const character of text) {
    const encoded = encoder.encode(character);
    if (encoded.some((byte, i) => bytes[at + i] !== byte)) break;
    at += encoded.length;
    if (character === "\n") [line, column] = [line + 1, 1];
    else column += character.length;
  }
  return { file, line, column };
}

function parseText(
  text: string,
  lineCounter: LineCounter,
  placeOf: (offset: number) => Place,
  faults: Faults,
  whenEmpty: string,
): Document | undefined {
  const tokens: CST.Token[] = [...new Parser(lineCounter.addNewLine).parse(text)];
  // What follows recurses, and would end by the stack: the parser of tokens does not.
  const deep = deeperThan(tokens, DEEPEST);
  if (deep !== undefined) {
    faults.add(placeOf(deep), "lists and maps nest too deeply", `At most ${DEEPEST} levels are possible.`);
    return undefined;
  }
  const composer = new Composer({
    lineCounter,
    version: "1.2",
    schema: "core",
    // The converter sees to it: the parser compares each key with every other one.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const [first, second] = [...composer.compose(tokens, false, text.length)];
  if (!first) {
    faults.add(placeOf(0), "the file is empty", whenEmpty);
    return undefined;
  }
  if (second && first.errors.length === 0) {
    const at = second.range?.[0] ?? 0;
    faults.add(
      placeOf(at),
      "the file holds more than one document",
      "Keep one workflow a file, without `---`.",
    );
    return undefined;
  }
  return first;
}

function firstLine(message: string): string {
  return (message.split("\n")[0] ?? message).replace(/ at line \d+, column \d+:?$/, "");
}

/** Points at the tab itself, not at the line break before it. */
function tabIn(code: string, text: string, offset: number): number {
  if (code !== "TAB_AS_INDENT") return offset;
  const tab = text.indexOf("\t", offset);
  return tab < 0 ? offset : tab;
}

function explain(code: string, raw: string, text: string): { message: string; hint?: string } {
  const message = firstLine(raw);
  switch (code) {
    case "TAB_AS_INDENT":
      return { message: "a tab is used to indent", hint: "Indent with spaces." };
    case "BAD_DQ_ESCAPE":
      return { message, hint: "Use 'single quotes', in which a backslash is an ordinary character." };
    case "BLOCK_AS_IMPLICIT_KEY":
      return { message, hint: 'Quote a text that contains ": ".' };
    case "MULTIPLE_DOCS":
      return {
        message: "the file holds more than one document",
        hint: "Keep one workflow a file, without `---`.",
      };
    case "BAD_INDENT":
    case "MISSING_CHAR":
      return text.includes(": {{") ? { message, hint: "Quote placeholders: '{{vars.x}}'." } : { message };
    default:
      return { message };
  }
}
