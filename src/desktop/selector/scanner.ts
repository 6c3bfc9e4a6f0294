import { BackstepError, type Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";

/** What an error of a selector adds. */
export interface FaultOptions {
  readonly hint?: string;
  readonly details?: { readonly [key: string]: Json };
  readonly cause?: unknown;
}

const SHOWN = 100;

/** The error `selector`: what is wrong, and the text with a caret under the place (0-based; reported from 1). */
export function fault(text: string, at: number, what: string, options: FaultOptions = {}): BackstepError {
  const start = at > SHOWN - 20 ? at - (SHOWN - 40) : 0;
  const before = start > 0 ? "…" : "";
  const shown = text.slice(start, start + SHOWN).replace(/\s/g, " ");
  const after = start + SHOWN < text.length ? "…" : "";
  return new BackstepError(
    "selector",
    `Cannot read the selector: ${what}\n  ${before}${shown}${after}\n  ${
      " ".repeat(at - start + before.length)
    }^`,
    {
      ...defined({ hint: options.hint, cause: options.cause }),
      details: { position: at + 1, selector: text.slice(0, 1_000), ...options.details },
    },
  );
}

/** ' Did you mean "button" or "radio"?', or undefined. */
export function didYouMean(near: readonly string[]): string | undefined {
  return near.length === 0 ? undefined : `Did you mean ${near.map((n) => `"${n}"`).join(" or ")}?`;
}

/** A cursor over the text of a selector. */
export class Scanner {
  readonly text: string;
  at: number;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }
  peek(): string {
    return this.text[this.at] ?? "";
  }
  /** Is this literally next? Then it is passed over. */
  eat(literal: string): boolean {
    if (!this.text.startsWith(literal, this.at)) return false;
    this.at += literal.length;
    return true;
  }
  /** What the sticky pattern matches here, passed over. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
  /** Passes over white space; was there any? */
  space(): boolean {
    return (this.take(/\s+/y) ?? "") !== "";
  }
  expect(literal: string, why: string): void {
    if (!this.eat(literal)) throw this.fault(`expected "${literal}" ${why}, found ${this.found()}`);
  }
  /** What is here, for a message. */
  found(): string {
    return this.done ? "the end" : `"${this.peek()}"`;
  }
  fault(what: string, options: FaultOptions = {}, at = this.at): BackstepError {
    return fault(this.text, at, what, options);
  }

  /**
   * A quoted string, with single or double quotes and the escapes \" \' \\ \/ \n \t \r \u{…}. Undefined when no quote
   * is next. "lenient" leaves unknown escapes as they stand, "raw" knows none.
   */
  quoted(escapes: "strict" | "lenient" | "raw" = "strict"): string | undefined {
    const quote = this.peek();
    if (quote !== '"' && quote !== "'") return undefined;
    const start = this.at++;
    let value = "";
    for (;;) {
      if (this.done) throw this.fault("this string has no end", { hint: `Close it with ${quote}.` }, start);
      const char = this.text[this.at++] ?? "";
      if (char === quote) return value;
      value += char === "\\" && escapes !== "raw" ? this.#escape(escapes === "lenient") : char;
    }
  }

  #escape(lenient: boolean): string {
    const at = this.at - 1;
    const char = this.text[this.at++] ?? "";
    if (char === "n") return "\n";
    if (char === "t") return "\t";
    if (char === "r") return "\r";
    if (char === "u") {
      const code = this.take(/\{[0-9a-fA-F]{1,6}\}/y);
      const point = code === undefined ? NaN : Number.parseInt(code.slice(1, -1), 16);
      if (point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)) return String.fromCodePoint(point);
    } else if (char !== "" && "\"'\\/".includes(char)) return char;
    if (lenient) {
      this.at = at + 1;
      return "\\";
    }
    throw this.fault(`unknown escape "\\${char}"`, {
      hint: "In quotes, these escapes are valid: \\\" \\' \\\\ \\n \\t \\r \\u{20ac}.",
    }, at);
  }
}
