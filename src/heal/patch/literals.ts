/** A string literal of a program. */
export interface Literal {
  /** Of its quote, from 0. */
  readonly start: number;
  /** Behind its closing quote. */
  readonly end: number;
  /** From 1. */
  readonly line: number;
  /** "'", '"' or "`". */
  readonly quote: string;
  /** Between the quotes, as it is written. */
  readonly source: string;
}

/** What may stand before a slash that divides: the end of a value. */
const VALUE_BEFORE = /[\w$)\]}]$/;
/** Words after which a slash begins a regular expression all the same. */
const WORD_BEFORE = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield)$/;

/**
 * The string literals of a TypeScript or JavaScript program in order, templates without placeholders among them; comments,
 * regular expressions and templates with placeholders are passed over, with the strings in these.
 */
export function literalsOf(text: string): Literal[] {
  const literals: Literal[] = [];
  // What ends a placeholder: the braces that are open in it.
  const open: number[] = [];
  let before = "";
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? "";
    const two = text.slice(at, at + 2);
    if (two === "//" || (at === 0 && two === "#!")) at = endOf(text, "\n", at);
    else if (two === "/*") at = endOf(text, "*/", at + 2);
    else if (char === '"' || char === "'") {
      const end = closing(text, at, char);
      literals.push(literal(text, at, end));
      at = end;
      before = "x";
    } else if (char === "`" || (char === "}" && open.at(-1) === 0)) {
      if (char === "}") open.pop();
      const end = templatePart(text, at + 1);
      if (text[end - 1] === "`" && char === "`") literals.push(literal(text, at, end));
      if (text[end - 1] === "{") open.push(0);
      at = end;
      before = text[end - 1] === "{" ? "(" : "x";
    } else if (char === "/" && !isDivision(before)) {
      at = regexEnd(text, at);
      before = "x";
    } else {
      const inner = open.length - 1;
      if (inner >= 0 && char === "{") open[inner] = (open[inner] ?? 0) + 1;
      if (inner >= 0 && char === "}") open[inner] = (open[inner] ?? 0) - 1;
      if (!/\s/.test(char)) before = (before + char).slice(-12);
      else if (/\w$/.test(before)) before = `${before} `.slice(-12);
      at++;
    }
  }
  return literals;
}

function isDivision(before: string): boolean {
  const word = before.trimEnd();
  return VALUE_BEFORE.test(word) && !WORD_BEFORE.test(word);
}

function literal(text: string, start: number, end: number): Literal {
  const line = text.slice(0, start).split("\n").length;
  return { start, end, line, quote: text[start] ?? "", source: text.slice(start + 1, end - 1) };
}

/** Behind the next of these characters, the end where there is none. */
function endOf(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at + what.length;
}

function closing(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === quote || text[at] === "\n") return at + 1;
  }
  return text.length;
}

/** Behind the backtick that ends a template, or behind the `${` of its next placeholder. */
function templatePart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "`") return at + 1;
    else if (text[at] === "$" && text[at + 1] === "{") return at + 2;
  }
  return text.length;
}

function regexEnd(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "[") inClass = true;
    else if (text[at] === "]") inClass = false;
    else if (text[at] === "/" && !inClass) return at + 1;
  }
  // It was none: a slash that divides, in a place that says otherwise.
  return start + 1;
}

/** What a literal stands for; undefined: it has an escape that is not read here. */
export function valueOf({ quote, source }: Literal): string | undefined {
  let legible = true;
  const value = source.replace(
    /\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])/g,
    (_, code: string) => {
      if (code.length > 1) return String.fromCodePoint(parseInt(code.replace(/^[ux]\{?|\}$/g, ""), 16));
      if (/[\d\n\r]/.test(code)) legible = false;
      return ESCAPES[code] ?? code;
    },
  );
  return legible && !(quote === "`" && source.includes("\r")) ? value : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v" };

/** A value as it is written in these quotes. */
export function written(value: string, quote: string): string {
  const text = value.replace(/[\\]/g, "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll(
    "\t",
    "\\t",
  ).replaceAll(quote, `\\${quote}`);
  return `${quote}${quote === "`" ? text.replaceAll("${", "\\${") : text}${quote}`;
}
