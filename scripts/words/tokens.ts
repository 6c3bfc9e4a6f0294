/**
 * Splits TypeScript into the parts that carry words: identifiers, texts (strings, templates, regular expressions) and
 * comments, so that no word of a text is taken for a name.
 */

/** A part of a source that carries words. */
export interface Token {
  readonly kind: "identifier" | "text" | "comment";
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** After one of these words a "/" begins a regular expression; after another name it divides. */
const BEFORE_EXPRESSION = new Set(
  "return typeof instanceof in of new delete void throw case do else yield await default".split(" "),
);

const START = /[A-Za-z_$]/;
const IDENTIFIER = /[\w$]+/y;
const NUMBER = /\d[\w.]*/y;

/** The tokens of a source. A template gives one text for each part between its expressions. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  /** Open braces: "template" where the closing one goes on with a template. */
  const braces: ("block" | "template")[] = [];
  /** The last thing that was no comment and no space: says what a "/" is. */
  let before = "";
  let line = 1;
  let at = 0;

  const take = (kind: Token["kind"], end: number) => {
    const text = source.slice(at, end);
    tokens.push({ kind, text, line });
    line += newlines(text);
    at = end;
  };
  const template = () => {
    const end = endOfTemplate(source, at);
    take("text", end);
    if (source[end] === "$") {
      braces.push("template");
      at = end + 2;
      before = "{";
    } else {
      at = end + 1;
      before = "text";
    }
  };

  while (at < source.length) {
    const char = source[at] ?? "";
    const next = source[at + 1];
    if (char === "\n") {
      line++;
      at++;
    } else if (/\s/.test(char)) {
      at++;
    } else if (char === "/" && next === "/") {
      take("comment", endOf(source, "\n", at));
    } else if (char === "/" && next === "*") {
      take("comment", endOf(source, "*/", at + 2) + 2);
    } else if (char === '"' || char === "'") {
      take("text", endOfString(source, at));
      before = "text";
    } else if (char === "`") {
      at++;
      template();
    } else if (char === "}" && braces.pop() === "template") {
      at++;
      template();
    } else if (START.test(char)) {
      const word = matchAt(IDENTIFIER, source, at);
      take("identifier", at + word.length);
      before = BEFORE_EXPRESSION.has(word) ? "(" : "name";
    } else if (/\d/.test(char)) {
      at += matchAt(NUMBER, source, at).length;
      before = "name";
    } else if (char === "/" && !["name", "text", ")", "]", "}"].includes(before)) {
      take("text", endOfExpression(source, at));
      before = "text";
    } else {
      if (char === "{") braces.push("block");
      before = char;
      at++;
    }
  }
  return tokens;
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}

function matchAt(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? source[at] ?? "";
}

function endOf(source: string, what: string, from: number): number {
  const found = source.indexOf(what, from);
  return found < 0 ? source.length : found;
}

function endOfString(source: string, from: number): number {
  let at = from + 1;
  while (at < source.length && source[at] !== source[from]) at += source[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Where a part of a template ends: at its "`" or at the "$" of "${". */
function endOfTemplate(source: string, from: number): number {
  let at = from;
  while (at < source.length && source[at] !== "`" && source.slice(at, at + 2) !== "${") {
    at += source[at] === "\\" ? 2 : 1;
  }
  return at;
}

function endOfExpression(source: string, from: number): number {
  let at = from + 1;
  let inClass = false;
  while (at < source.length && source[at] !== "\n" && (inClass || source[at] !== "/")) {
    if (source[at] === "[") inClass = true;
    else if (source[at] === "]") inClass = false;
    at += source[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}
