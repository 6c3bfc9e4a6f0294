import { closest } from "../../base/closest.ts";
import { toBackstepError } from "../../base/error.ts";
import { compileRegex } from "../../base/regex.ts";
import { isStateWord, stateNames } from "../state-words.ts";
import { canonicalType, nearTypes } from "../vocabulary.ts";
import {
  type AttributeName,
  attributeNames,
  besides,
  type Combinator,
  compare,
  type Condition,
  type Direction,
  directions,
  type Path,
  type Selector,
  type Step,
  type StringOperator,
  type StringTest,
} from "./ast.ts";
import { didYouMean, Scanner } from "./scanner.ts";

/** Characters a selector may have, and how deep `:has(:not(…))` may nest. */
export const MAX_SELECTOR = 4_000;
const MAX_NESTING = 16;

/** Pseudo-classes that are no states. */
export const pseudoNames = [
  "nth",
  "nth-sibling",
  "first",
  "last",
  "has-text",
  ...besides,
  ...directions,
  "has",
  "is",
  "not",
  "root",
] as const;

const ATTRIBUTE_ALIASES: Readonly<Record<string, AttributeName>> = {
  title: "name",
  label: "name",
  identifier: "id",
  app: "application",
};

/**
 * Parses the CSS-like form: types (`button`, `AXButton`, `*`), a name behind them (`button "Save"`), `[name="Save"]` with the operators = ^= $= *= ~= and
 * `[name=/^Sav/i]`, an `i` after a string to ignore case, `:nth(2)` (from 1, among all matches in document order),
 * `:nth-sibling(2)` (among the matches of one parent), `:first`, `:last`, `:has-text("…")`, `:labelled-by("…")`, `:in-row("…")`, `:in-column("…")`, `:right-of(…)`, `:left-of(…)`,
 * `:above(…)`, `:below(…)`, `:near(…, 120)`, `:has(…)`, `:is(…)`,
 * `:not(…)`, `:root`, the state words (`:enabled`), descendants, `>` and lists. Order matters to `:nth`:
 * `button:nth(2):enabled` is the second button if it is enabled, `button:enabled:nth(2)` the second enabled one.
 * Throws `selector` with `details.position`, a column from 1.
 *
 * @example
 * ```ts
 * import { parseSelector } from "./parse.ts";
 * const selector = parseSelector('dialog > button[name="Save"]:enabled');
 * if (selector.paths[0]?.steps.length !== 2) throw new Error();
 * ```
 */
export function parseSelector(text: string): Selector {
  const scanner = new Scanner(text);
  if (text.length > MAX_SELECTOR) {
    throw scanner.fault(`it has ${text.length} characters, ${MAX_SELECTOR} are allowed`, {}, 0);
  }
  const selector = parseList(scanner, false, 0);
  if (!scanner.done) throw scanner.fault(`unexpected ${scanner.found()}`);
  return selector;
}

function parseList(scanner: Scanner, relative: boolean, depth: number): Selector {
  if (depth > MAX_NESTING) throw scanner.fault(`more than ${MAX_NESTING} selectors inside one another`);
  const paths: Path[] = [];
  do paths.push(parsePath(scanner, relative, depth)); while (scanner.eat(","));
  return { paths };
}

function parsePath(scanner: Scanner, relative: boolean, depth: number): Path {
  const steps: Step[] = [];
  scanner.space();
  let combinator: Combinator = "descendant";
  if (relative && scanner.eat(">")) {
    combinator = "child";
    scanner.space();
  }
  for (;;) {
    steps.push({ combinator, conditions: parseCompound(scanner, depth) });
    const spaced = scanner.space();
    if (scanner.eat(">")) {
      combinator = "child";
      scanner.space();
    } else if (spaced && !scanner.done && scanner.peek() !== "," && scanner.peek() !== ")") {
      combinator = "descendant";
    } else return { steps };
  }
}

const TYPE = /AX[A-Za-z]+|[A-Za-z][A-Za-z_-]*/y;
const WORD = /[A-Za-z][A-Za-z-]*/y;

function parseCompound(scanner: Scanner, depth: number): Condition[] {
  const conditions: Condition[] = [];
  const start = scanner.at;
  const any = scanner.eat("*");
  const written = any ? undefined : scanner.quoted() ?? scanner.take(TYPE);
  if (written !== undefined) {
    const type = canonicalType(written);
    if (type === undefined) {
      const near = nearTypes(written);
      throw scanner.fault(`there is no role "${written}"`, {
        hint: didYouMean(near) ??
          (start === 0
            ? "Roles are words such as button, textfield, window; * is any."
            : 'A name stands in quotes behind its role: button "Save".'),
        details: { near },
      }, start);
    }
    conditions.push({ kind: "type", type });
  }
  const name = any || written !== undefined ? nameBehind(scanner) : undefined;
  if (name !== undefined) conditions.push({ kind: "attribute", name: "name", test: compare("=", name) });
  for (;;) {
    if (scanner.eat("[")) conditions.push(parseAttribute(scanner));
    else if (scanner.eat(":")) conditions.push(parsePseudo(scanner, depth));
    else break;
  }
  if (!any && conditions.length === 0) {
    throw scanner.fault(`expected a role, "*", "[" or ":", found ${scanner.found()}`);
  }
  return conditions;
}

/** The name in `button "Save"`, as trees are shown. A role of several words in quotes, `"list item"`, is none. */
function nameBehind(scanner: Scanner): string | undefined {
  const before = scanner.at;
  const name = scanner.space() ? scanner.quoted() : undefined;
  if (name !== undefined && !(/^[a-z]+ [a-z ]+$/.test(name) && canonicalType(name) !== undefined)) {
    return name;
  }
  scanner.at = before;
  return undefined;
}

function parseAttribute(scanner: Scanner): Condition {
  scanner.space();
  const start = scanner.at;
  const written = scanner.take(/@?[A-Za-z_][\w.-]*/y);
  if (written === undefined) throw scanner.fault(`expected an attribute name, found ${scanner.found()}`);
  const name = attributeOf(written);
  if (name === undefined) {
    const near = closest(written, attributeNames);
    throw scanner.fault(`there is no attribute "${written}"`, {
      hint: didYouMean(near) ??
        `There are ${attributeNames.join(", ")}; what a toolkit adds is written with @: [@${written}].`,
      details: { near },
    }, start);
  }
  scanner.space();
  if (scanner.eat("]")) return { kind: "present", name };
  const op = parseOperator(scanner);
  scanner.space();
  const test = parseValue(scanner, op);
  scanner.space();
  scanner.expect("]", "after the value");
  return { kind: "attribute", name, test };
}

function attributeOf(written: string): AttributeName | undefined {
  if (written.startsWith("@")) return `@${written.slice(1)}`;
  return attributeNames.find((name) => name === written) ??
    (Object.hasOwn(ATTRIBUTE_ALIASES, written) ? ATTRIBUTE_ALIASES[written] : undefined);
}

function parseOperator(scanner: Scanner): StringOperator {
  for (const op of ["=", "^=", "$=", "*=", "~="] as const) if (scanner.eat(op)) return op;
  throw scanner.fault(`expected "]" or one of = ^= $= *= ~=, found ${scanner.found()}`);
}

function parseValue(scanner: Scanner, op: StringOperator): StringTest {
  const start = scanner.at;
  if (scanner.peek() === "/") {
    const found = scanner.take(/\/(?:\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^/\\[])+\/[A-Za-z]*/y);
    if (found === undefined) {
      throw scanner.fault("this regular expression has no end", { hint: "Close it with /." });
    }
    if (op !== "=") throw scanner.fault(`a regular expression goes with "=", not "${op}"`, {}, start);
    const end = found.lastIndexOf("/");
    try {
      const regex = compileRegex(
        found.slice(1, end).replace(/\\[^]/g, (pair) => pair === "\\/" ? "/" : pair),
        found.slice(end + 1),
      );
      return { kind: "regex", source: regex.source, flags: regex.flags };
    } catch (thrown) {
      const { message, hint, details } = toBackstepError(thrown);
      throw scanner.fault(String(details?.["reason"] ?? message), {
        ...(hint ? { hint } : {}),
        cause: thrown,
      }, start);
    }
  }
  const quoted = scanner.quoted();
  const value = quoted ?? scanner.take(/[^\s\]"'[\\/]+/y);
  if (value === undefined) {
    throw scanner.fault(`expected a value, found ${scanner.found()}`, {
      hint: 'Values are quoted: [name="Save as"].',
    });
  }
  let ignoreCase = false;
  scanner.space();
  if (quoted !== undefined && scanner.take(/i(?=\s*\])/y) !== undefined) ignoreCase = true;
  return { kind: "string", op, value, ignoreCase };
}

function parsePseudo(scanner: Scanner, depth: number): Condition {
  const start = scanner.at - 1;
  const name = scanner.take(WORD);
  if (name === undefined) throw scanner.fault(`expected a word after ":", found ${scanner.found()}`);
  if (isStateWord(name)) return { kind: "state", word: name };
  switch (name) {
    case "root":
      return { kind: "root" };
    case "first":
      return { kind: "nth", n: 1, among: "matches" };
    case "last":
      return { kind: "nth", n: -1, among: "matches" };
    case "nth":
    case "nth-sibling":
      return inParentheses(scanner, name, () => {
        const at = scanner.at;
        const n = Number(scanner.take(/-?\d{1,7}/y) ?? NaN);
        if (!Number.isInteger(n) || n === 0) {
          throw scanner.fault(`:${name} wants a number from 1, or from -1 to count from the end`, {}, at);
        }
        return { kind: "nth", n, among: name === "nth" ? "matches" : "siblings" };
      });
    case "has-text":
      return inParentheses(scanner, name, () => ({ kind: "hasText", value: parseText(scanner, name) }));
    case "labelled-by":
    case "in-row":
    case "in-column":
      return inParentheses(
        scanner,
        name,
        () => ({ kind: "beside", how: name, name: parseText(scanner, name) }),
      );
    case "right-of":
    case "left-of":
    case "above":
    case "below":
    case "near":
      return inParentheses(scanner, name, () => parseLayout(scanner, name, depth + 1));
    case "has":
    case "is":
    case "not":
      return inParentheses(
        scanner,
        name,
        () => ({ kind: name, selector: parseList(scanner, name === "has", depth + 1) }),
      );
    default: {
      const near = closest(name, [...stateNames, ...pseudoNames]);
      throw scanner.fault(`there is no ":${name}"`, {
        hint: didYouMean(near.map((word) => `:${word}`)) ??
          'Text goes in brackets, as in [name="Save"]; states are words such as :enabled.',
        details: { near },
      }, start);
    }
  }
}

/** `:near(label[name="City"], 120)`: one selector or several, and perhaps a distance in pixels behind. */
function parseLayout(scanner: Scanner, direction: Direction, depth: number): Condition {
  if (depth > MAX_NESTING) throw scanner.fault(`more than ${MAX_NESTING} selectors inside one another`);
  if (scanner.quoted() !== undefined || /[\d)]/.test(scanner.peek())) {
    throw scanner.fault(`:${direction} wants a selector first`, {
      hint: `For example :${direction}(label[name="City"]), or :${direction}(label[name="City"], 120).`,
    });
  }
  const paths = [parsePath(scanner, false, depth)];
  while (scanner.eat(",")) {
    scanner.space();
    const at = scanner.at;
    const number = scanner.take(/\d{1,6}(\.\d{1,3})?/y);
    if (number === undefined) {
      paths.push(parsePath(scanner, false, depth));
      continue;
    }
    scanner.space();
    if (scanner.peek() !== ")") throw scanner.fault("the distance in pixels comes last", {}, at);
    return { kind: "layout", direction, selector: { paths }, distance: Number(number) };
  }
  return { kind: "layout", direction, selector: { paths } };
}

function parseText(scanner: Scanner, name: string): string {
  const value = scanner.quoted();
  if (value !== undefined) return value;
  throw scanner.fault(`:${name} wants a quoted text, found ${scanner.found()}`, {
    hint: `For example :${name}("Save").`,
  });
}

function inParentheses(scanner: Scanner, name: string, read: () => Condition): Condition {
  scanner.expect("(", `after :${name}`);
  scanner.space();
  const condition = read();
  scanner.space();
  scanner.expect(")", `to close :${name}(`);
  return condition;
}
