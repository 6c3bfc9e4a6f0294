import { BackstepError } from "../../base/error.ts";
import { compileRegex } from "../../base/regex.ts";
import { isStateWord } from "../state-words.ts";
import { canonicalType, nearTypes, roleWords } from "../vocabulary.ts";
import { compare, type Condition, type Selector, simple, type StringTest } from "./ast.ts";
import { MAX_SELECTOR, parseSelector, pseudoNames } from "./parse.ts";
import { looksLikeQuery, parseQuery } from "./query.ts";
import { didYouMean, fault, Scanner } from "./scanner.ts";
import type { ReadSelector, Stage, Strategy } from "./strategies.ts";
import { looksLikePath, parseUiPath, parseXPath, UI_SCHEME } from "./xpath.ts";

/**
 * Reads any form of query into selectors.
 *
 * What a text is, when the strategy is `auto`, is decided here and nowhere else, in this order:
 * 1. It starts with `/`, `(/` or `macos://`: an XPath or an element path.
 * 2. It starts with one of the keys role, title, name, value, identifier, id, description and a colon: a compound query
 *    (`role:AXButton title:Save`); exact first, then titles that contain the words.
 * 3. All of it is in quotes: that text, literally.
 * 4. It is `role:Title` with a role in front and a capital, digit, quote or space after the colon (`button:Save`,
 *    `AXButton:OK`): a role with a title.
 * 5. It starts like a selector: with `*`, `[`, `:` and a known word, or with a role word in lower case or an AX role,
 *    followed by nothing, `[`, `:`, `>` or `,`; or with any word followed by `[attribute` and an operator. Its faults
 *    are errors. A role word followed by a space and more (`list item[name=x]`, `menu bar`, `button "Save"`) is a selector if it can be
 *    read as one or holds one of `[`, `>`, `:`.
 * 6. Anything else is bare text, tried as title_exact, title_contains, role_title ("Save button"), identifier, xpath,
 *    semantic and regex (when it holds one of `^$*+?|\()`), in this order; the first that finds anything answers.
 *
 * Every other strategy says what the text is: `exact` and `contains` titles (the latter whatever the case), `regex`, `role` (a role
 * word, AX role, or `role:Title`), `identifier`, `xpath`.
 *
 * @example
 * ```ts
 * import { readSelector } from "./read.ts";
 * if (readSelector('button[name="Save"]').stages[0]?.name !== "selector") throw new Error();
 * if (readSelector("Save").stages[0]?.name !== "title_exact") throw new Error();
 * ```
 */
export function readSelector(text: string, strategy: Strategy = "auto"): ReadSelector {
  if (text.trim() === "") throw fault(text, 0, "it is empty", { hint: 'For example button[name="Save"].' });
  if (text.length > MAX_SELECTOR) {
    throw fault(text, MAX_SELECTOR, `it has ${text.length} characters, ${MAX_SELECTOR} are allowed`);
  }
  return { text, strategy, stages: stagesFor(text, strategy) };
}

function stagesFor(text: string, strategy: Strategy): Stage[] {
  switch (strategy) {
    case "exact":
      return [exact(text)];
    case "contains":
      return [contains(text)];
    case "regex":
      return [regex(text)];
    case "role":
      return [role(text)];
    case "identifier":
      return [identifier(text)];
    case "xpath":
      return [xpath(text)];
    case "auto":
      return automatic(text);
  }
}

function automatic(text: string): Stage[] {
  if (looksLikePath(text)) return [xpath(text)];
  if (looksLikeQuery(text)) {
    const loose = (value: string): StringTest => compare("*=", value, true);
    return [
      { name: "role_title", selector: parseQuery(text), narrow: false },
      { name: "title_contains", selector: parseQuery(text, loose), narrow: true },
    ];
  }
  const literal = wholeQuoted(text);
  if (literal !== undefined) return [exact(literal), contains(literal)];
  const pair = rolePair(text);
  if (pair !== undefined) return [pair];
  const selector = asSelector(text);
  if (selector !== undefined) return [{ name: "selector", selector, narrow: false }];
  const bare = text.trim();
  const stages: Stage[] = [exact(bare), contains(bare)];
  stages.push(roleAndTitle(bare) ?? { name: "role_title", skip: "there is no role in it" });
  stages.push(identifier(bare));
  stages.push({ name: "xpath", skip: "it does not start with a slash" });
  stages.push({ name: "semantic", words: bare });
  stages.push(maybeRegex(bare) ?? { name: "regex", skip: "it is no regular expression, or a plain one" });
  return stages;
}

function named(test: StringTest): Condition {
  return { kind: "attribute", name: "name", test };
}
function exact(text: string): Stage {
  return { name: "title_exact", selector: simple(named(compare("=", text))), narrow: true };
}
function contains(text: string): Stage {
  return { name: "title_contains", selector: simple(named(compare("*=", text, true))), narrow: true };
}
function identifier(text: string): Stage {
  return {
    name: "identifier",
    selector: simple({ kind: "attribute", name: "id", test: compare("=", text.trim()) }),
    narrow: false,
  };
}
function xpath(text: string): Stage {
  const path = text.trim();
  const selector = path.startsWith(UI_SCHEME) ? parseUiPath(path) : parseXPath(path);
  return { name: "xpath", selector, narrow: false };
}
function regex(text: string): Stage {
  const compiled = compileRegex(text);
  const test: StringTest = { kind: "regex", source: compiled.source, flags: compiled.flags };
  return { name: "regex", selector: simple(named(test)), narrow: true };
}

/** A text with something of an expression in it that compiles; a plain one was tried as a title already. */
function maybeRegex(text: string): Stage | undefined {
  if (!/[\^$*+?|\\()[\]]/.test(text)) return undefined;
  try {
    return regex(text);
  } catch (thrown) {
    if (thrown instanceof BackstepError && thrown.code === "invalid") return undefined;
    throw thrown;
  }
}

function role(text: string): Stage {
  if (looksLikeQuery(text)) return { name: "role_title", selector: parseQuery(text), narrow: false };
  const pair = rolePair(text);
  if (pair !== undefined) return pair;
  const type = canonicalType(text.trim());
  if (type === undefined) {
    const near = nearTypes(text.trim());
    const hint = didYouMean(near);
    throw fault(text, 0, `there is no role "${text.trim()}"`, {
      ...(hint ? { hint } : {}),
      details: { near },
    });
  }
  return { name: "role_title", selector: simple({ kind: "type", type }), narrow: false };
}

function titled(type: string, title: string): Stage {
  return {
    name: "role_title",
    selector: simple({ kind: "type", type }, named(compare("=", title, true))),
    narrow: true,
  };
}

/** `button:Save` and `AXButton:OK`, but not `button:enabled`. */
function rolePair(text: string): Stage | undefined {
  const found = /^\s*([A-Za-z][A-Za-z-]*):(.+)$/su.exec(text);
  const [, word = "", rest = ""] = found ?? [];
  const type = found ? canonicalType(word) : undefined;
  if (type === undefined) return undefined;
  const pseudo = /^[a-z-]+/.exec(rest)?.[0];
  const ax = type.startsWith("AX") && !(pseudo !== undefined && isPseudo(pseudo));
  if (!ax && !/^[\s\p{Lu}\p{N}"']/u.test(rest)) return undefined;
  const title = rest.trim();
  return titled(type, wholeQuoted(title) ?? title);
}

function isPseudo(word: string): boolean {
  return isStateWord(word) || pseudoNames.some((name) => name === word);
}

/** "Save button", "button Save": a role beside a title. */
function roleAndTitle(text: string): Stage | undefined {
  const words = text.split(/\s+/);
  if (words.length < 2) return undefined;
  const last = canonicalType(words.at(-1) ?? "");
  if (last !== undefined) return titled(last, words.slice(0, -1).join(" "));
  const first = canonicalType(words[0] ?? "");
  return first === undefined ? undefined : titled(first, words.slice(1).join(" "));
}

function wholeQuoted(text: string): string | undefined {
  const trimmed = text.trim();
  if (!/^(["']).*\1$/s.test(trimmed) || trimmed.length < 2) return undefined;
  const scanner = new Scanner(trimmed);
  const value = scanner.quoted("lenient");
  return scanner.done ? value : undefined;
}

const words = new Set(roleWords);

function asSelector(text: string): Selector | undefined {
  const trimmed = text.trim();
  if (/^[*[]/.test(trimmed)) return parseSelector(text);
  const pseudo = /^:([a-z-]+)/.exec(trimmed)?.[1];
  if (pseudo !== undefined && isPseudo(pseudo)) return parseSelector(text);
  if (/^[A-Za-z][\w-]*\[\s*@?[A-Za-z][\w.-]*\s*(?:[\^$*~]?=|\])/.test(trimmed)) return parseSelector(text);
  const word = /^(?:AX[A-Za-z]+|[a-z][a-z-]*)/.exec(trimmed)?.[0];
  if (word === undefined || !(words.has(word) || canonicalType(word) !== undefined)) return undefined;
  const rest = trimmed.slice(word.length);
  if (/^\s*(?:$|[>,])|^[[:]/.test(rest)) return parseSelector(text);
  if (!/^\s/.test(rest)) return undefined;
  if (/[[>:]/.test(rest)) return parseSelector(text);
  try {
    return parseSelector(text);
  } catch (thrown) {
    if (thrown instanceof BackstepError && thrown.code === "selector") return undefined;
    throw thrown;
  }
}
