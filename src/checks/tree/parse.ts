import { closest } from "../../base/closest.ts";
import { BackstepError } from "../../base/error.ts";
import { compileRegex } from "../../base/regex.ts";
import { defined } from "../../base/defined.ts";
import { isStateWord, stateNames, type StateWord } from "../../desktop/state-words.ts";
import { canonicalType, nearTypes } from "../../desktop/vocabulary.ts";
import { collapsed, type Pattern, type TextTest, type TreePattern } from "./pattern.ts";

/** Characters of a tree in the notation. */
const MOST = 1_000_000;
/** Lines that are elements. */
const MOST_LINES = 5_000;
/** Levels. */
const DEEPEST = 100;

/** A line while it is read. */
interface Open extends Pattern {
  readonly indent: number;
  readonly children: Open[];
  /** A colon stands at its end: lines may follow in it. */
  readonly holds: boolean;
}

/**
 * Reads a tree in the notation: a line an element, `- role "name" [state level=1]: text`, what is in an element indented
 * below it. Names and texts may be `/expressions/`. Lines that begin with `#` are comments.
 *
 * @throws {BackstepError} `invalid` with line and column, and what was probably meant.
 *
 * @example
 * ```ts
 * import { parseTree } from "./parse.ts";
 * const { top } = parseTree('- dialog "Save":\n  - button /^Save/ [enabled]\n  - textfield "Name": "Draft"');
 * if (top[0]?.children[1]?.written !== 'textfield "Name"') throw new Error();
 * ```
 */
export function parseTree(source: string): TreePattern {
  if (source.length > MOST) throw fault(1, 1, `it has ${source.length} characters, ${MOST} are allowed`);
  const top: Open[] = [];
  const all: Open[] = [];
  const open: Open[] = [];
  for (const [index, written] of source.replace(/^\ufeff/, "").split(/\r?\n/).entries()) {
    const line = index + 1;
    const indent = /^ */.exec(written)?.[0].length ?? 0;
    if (/^\s*(#|$)/.test(written) || /^---\s*$/.test(written)) continue;
    if (written[indent] === "\t") {
      throw fault(line, indent + 1, "a tab stands before the dash", "Indent with spaces.");
    }
    if (!/^-(\s|$)/.test(written.slice(indent))) {
      throw fault(line, indent + 1, "a line begins with a dash and a space", 'Write `- button "Save"`.');
    }
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const entry = new Line(written, line, indent).read();
    const around = open.at(-1);
    const siblings = around?.children ?? top;
    const first = siblings[0];
    if (first && first.indent !== indent) {
      throw fault(line, indent + 1, `it is indented by ${indent}, those beside it by ${first.indent}`);
    }
    if (around && !around.holds) {
      throw fault(
        line,
        indent + 1,
        `it stands inside of line ${around.line}, which does not end in a colon`,
        `Write \`- ${around.written}:\`, or indent both alike.`,
      );
    }
    if (around?.text !== undefined) {
      throw fault(line, indent + 1, `line ${around.line} says its text, and cannot hold lines as well`);
    }
    if (open.length >= DEEPEST) throw fault(line, indent + 1, `it is deeper than ${DEEPEST} levels`);
    if (all.length >= MOST_LINES) throw fault(line, 1, `there are more than ${MOST_LINES} elements`);
    siblings.push(entry);
    all.push(entry);
    open.push(entry);
  }
  if (all.length === 0) throw fault(1, 1, "it says nothing", 'Write a line such as `- button "Save"`.');
  return { top, all };
}

function fault(line: number, column: number, why: string, hint?: string): BackstepError {
  return new BackstepError("invalid", `Cannot read the tree: line ${line}, column ${column}: ${why}`, {
    ...defined({ hint }),
    details: { line, column, reason: why },
  });
}

/** The text of one line, read from left to right. */
class Line {
  readonly #line: number;
  readonly #indent: number;
  #text: string;
  /** Columns that stand before `#text` in the file. */
  #before: number;
  #at = 0;

  constructor(written: string, line: number, indent: number) {
    this.#line = line;
    this.#indent = indent;
    this.#text = written.trimEnd();
    this.#before = 0;
    this.#at = indent + 1;
  }

  read(): Open {
    this.#spaces();
    // YAML wants single quotes around what has a colon or a number sign in it.
    const rest = this.#text[this.#at] === "'" ? this.#unquote() : undefined;
    const start = this.#at;
    const role = this.#role();
    const name = this.#test();
    const { states, level } = this.#attributes();
    const written = this.#text.slice(start, this.#at).trimEnd();
    if (rest !== undefined) {
      if (this.#at < this.#text.length) throw this.#fault("only a name and states follow a role");
      [this.#text, this.#before, this.#at] = [rest.text, rest.before, 0];
    }
    const holds = this.#text[this.#at] === ":";
    let text: TextTest | undefined;
    if (holds) {
      this.#at++;
      this.#spaces();
      text = this.#value();
    } else if (!this.#over()) throw this.#fault(this.#strange(), this.#hint());
    return {
      line: this.#line,
      written,
      role,
      name,
      text,
      states,
      level,
      children: [],
      indent: this.#indent,
      holds,
    };
  }

  #role(): string {
    const word = /^[A-Za-z][\w-]*/.exec(this.#text.slice(this.#at))?.[0];
    if (word === undefined) throw this.#fault("a role is missing", 'Write `- button "Save"`.');
    const role = canonicalType(word);
    if (role === undefined) {
      const near = nearTypes(word);
      throw this.#fault(
        `there is no role ${JSON.stringify(word)}`,
        near.length > 0
          ? `Did you mean ${near.join(" or ")}?`
          : "`backstep tree --notation` shows what there is.",
      );
    }
    this.#at += word.length;
    this.#spaces();
    return role;
  }

  /** `"text"` or `/expression/flags`. */
  #test(): TextTest | undefined {
    const rest = this.#text.slice(this.#at);
    if (rest.startsWith('"')) return { text: collapsed(this.#string(rest)) };
    if (!rest.startsWith("/")) return undefined;
    const found = /^\/((?:[^\/\\]|\\.)+)\/([a-z]*)/.exec(rest);
    if (!found) {
      throw this.#fault("the expression has no end", "Write /…/, and \\/ for a slash inside of it.");
    }
    const [whole, source = "", flags = ""] = found;
    try {
      const regex = compileRegex(source.replaceAll("\\/", "/"), flags);
      this.#at += whole.length;
      this.#spaces();
      return { regex };
    } catch (thrown) {
      if (!(thrown instanceof BackstepError)) throw thrown;
      throw this.#fault(thrown.message.replace(/^Cannot use /, "it cannot use "), thrown.hint);
    }
  }

  #string(rest: string): string {
    const quoted = /^"(?:[^"\\]|\\.)*"/.exec(rest)?.[0];
    if (quoted === undefined) {
      throw this.#fault("the quote has no end", 'A quote inside of it is written \\".');
    }
    try {
      const text: unknown = JSON.parse(quoted);
      this.#at += quoted.length;
      this.#spaces();
      return String(text);
    } catch {
      throw this.#fault(
        `${quoted.slice(0, 60)} is no quoted text`,
        'A backslash is written \\\\, a quote \\".',
      );
    }
  }

  #attributes() {
    const states: [StateWord, boolean][] = [];
    let level: number | undefined;
    while (this.#text[this.#at] === "[") {
      const end = this.#text.indexOf("]", this.#at);
      if (end < 0) throw this.#fault("the bracket has no end");
      const inner = this.#text.slice(this.#at + 1, end);
      for (const found of inner.matchAll(/[^\s,]+/g)) {
        const at = this.#at + 1 + found.index;
        const [word = "", value] = found[0].split("=");
        if (word === "level") {
          if (!/^[1-9]\d?$/.test(value ?? "")) {
            throw this.#fault("a level is a number: [level=1]", undefined, at);
          }
          level = Number(value);
        } else if (!isStateWord(word)) {
          const near = closest(word, [...stateNames, "level"]);
          const hint = near.length > 0
            ? `Did you mean ${near.join(" or ")}?`
            : `States: ${stateNames.join(", ")}.`;
          throw this.#fault(`there is no state ${JSON.stringify(word)}`, hint, at);
        } else if (value === undefined || value === "true" || value === "false") {
          states.push([word, value !== "false"]);
        } else throw this.#fault(`${word} is true or false`, undefined, at);
      }
      this.#at = end + 1;
      this.#spaces();
    }
    return { states, level };
  }

  /** What follows the colon. */
  #value(): TextTest | undefined {
    if (this.#over()) return undefined;
    if (/^["\/]/.test(this.#text.slice(this.#at))) {
      const test = this.#test();
      if (!this.#over()) throw this.#fault(this.#strange());
      return test;
    }
    const text = this.#text.slice(this.#at).replace(/\s#.*$/, "");
    this.#at = this.#text.length;
    return { text: collapsed(text) };
  }

  /** A key in single quotes: goes on inside of it, and answers what stands behind. */
  #unquote() {
    const found = /^'((?:[^']|'')*)'/.exec(this.#text.slice(this.#at));
    if (!found) {
      throw this.#fault("the single quote has no end", "A single quote inside of it is written ''.");
    }
    const [whole, inner = ""] = found;
    const end = this.#at + whole.length;
    const rest = { text: this.#text.slice(end), before: end };
    [this.#text, this.#before, this.#at] = [inner.replaceAll("''", "'"), this.#at + 1, 0];
    return rest;
  }

  /** Is the rest a comment, or nothing? */
  #over(): boolean {
    const rest = this.#text.slice(this.#at);
    return rest === "" || (rest.startsWith("#") && /\s/.test(this.#text[this.#at - 1] ?? " "));
  }

  #strange(): string {
    return `${JSON.stringify(this.#text.slice(this.#at, this.#at + 30))} is not understood here`;
  }

  #hint(): string {
    return /^[\w']/.test(this.#text.slice(this.#at))
      ? 'A name stands in double quotes: `- button "Save"`.'
      : 'A line is `- role "name" [state]: text`.';
  }

  #spaces(): void {
    while (this.#text[this.#at] === " ") this.#at++;
  }

  #fault(why: string, hint?: string, at = this.#at): BackstepError {
    return fault(this.#line, this.#before + at + 1, why, hint);
  }
}
