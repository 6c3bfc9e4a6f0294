import { closest } from "../../base/closest.ts";
import { canonicalType, nearTypes } from "../vocabulary.ts";
import { compare, type Condition, type Selector, simple, type Step } from "./ast.ts";
import { axAttribute, axAttributes, axState, isForeign, nearAttributes } from "./ax-attributes.ts";
import { withAndWithoutMenus } from "./menus.ts";
import { didYouMean, fault, Scanner } from "./scanner.ts";

/** The prefix of element paths. */
export const UI_SCHEME = "macos://ui/";

/** Is this an XPath or a `macos://ui/` path? */
export function looksLikePath(text: string): boolean {
  return /^\s*(?:\(?\/|macos:\/\/)/.test(text);
}

/**
 * Parses a subset of XPath 1.0: `/` and `//`, names that are AX roles, our words or `*`, and the predicates
 * `[@AXTitle='Save']` (also !=), `[@AXTitle]`, `[contains(@a,'x')]`, `[starts-with(@a,'x')]`, `[ends-with(@a,'x')]`,
 * `[not(…)]`, `and`, `or`, positions `[2]` and `[last()]` (from 1, among the matches of one parent, as in XPath), and
 * `(//path)[2]` for the second of all. Attributes: @AXTitle, @AXValue, @AXDescription, @AXIdentifier, @AXRole,
 * @AXSubrole, @AXEnabled, @AXFocused, @AXSelected, @AXExpanded, and any other as the toolkit's attribute of that name.
 */
export function parseXPath(text: string): Selector {
  return new PathParser(new Scanner(text), false).whole();
}

/**
 * Parses `macos://ui/AXApplication[@bundleIdentifier="x"]/AXWindow/AXButton[@AXTitle="OK"]#1`: one step a level, `#N`
 * a place from 0 among the matches of one parent. A path that starts at AXApplication starts at the root of the tree;
 * any other may start anywhere. A query ("?maxDepth=5") must have been taken off before.
 */
export function parseUiPath(text: string): Selector {
  const scanner = new Scanner(decoded(text));
  if (!scanner.eat(UI_SCHEME)) throw scanner.fault(`expected "${UI_SCHEME}", found ${scanner.found()}`);
  return new PathParser(scanner, true).whole();
}

class PathParser {
  readonly #scanner: Scanner;
  /** A `macos://ui/` path: it has `#N`, and its first step needs no slash. */
  readonly #ui: boolean;

  constructor(scanner: Scanner, ui: boolean) {
    this.#scanner = scanner;
    this.#ui = ui;
  }

  whole(): Selector {
    const scanner = this.#scanner;
    scanner.space();
    const grouped = !this.#ui && scanner.eat("(");
    const steps = this.#steps();
    if (grouped) {
      scanner.expect(")", 'to close "("');
      scanner.expect("[", "with a position");
      const last = steps.pop();
      if (last) steps.push({ ...last, conditions: [...last.conditions, this.#position("matches")] });
      scanner.expect("]", "after the position");
    }
    scanner.space();
    if (!scanner.done) {
      throw scanner.fault(`unexpected ${scanner.found()}`, {
        hint:
          "Supported are / and //, roles, [@attribute='…'], contains(), starts-with(), not(), and, or, positions.",
      });
    }
    return { paths: withAndWithoutMenus(steps) };
  }

  #steps(): Step[] {
    const scanner = this.#scanner;
    const steps: Step[] = [];
    for (;;) {
      const first = steps.length === 0;
      const deep = scanner.eat("//");
      const slash = deep || scanner.eat("/");
      if (!slash && !(first && this.#ui)) {
        if (!first) return steps;
        throw scanner.fault(`expected "/" or "//", found ${scanner.found()}`);
      }
      const step = this.#step(first ? !deep : false, deep || first);
      steps.push(step);
    }
  }

  #step(anchored: boolean, deep: boolean): Step {
    const scanner = this.#scanner;
    const conditions: Condition[] = [];
    const start = scanner.at;
    if (!scanner.eat("*")) {
      const written = scanner.take(/[A-Za-z][\w-]*/y);
      if (written === undefined) throw scanner.fault(`expected a role or "*", found ${scanner.found()}`);
      const type = canonicalType(written);
      if (type === undefined) {
        const near = nearTypes(written);
        const hint = didYouMean(near);
        throw scanner.fault(
          `there is no role "${written}"`,
          { ...(hint ? { hint } : {}), details: { near } },
          start,
        );
      }
      conditions.push({ kind: "type", type });
    }
    const [type] = conditions;
    const application = type?.kind === "type" &&
      (type.type === "AXApplication" || type.type === "application");
    if (anchored && (application || !this.#ui)) conditions.push({ kind: "root" });
    while (scanner.eat("[")) {
      scanner.space();
      conditions.push(
        /^(?:\d|last\()/.test(scanner.text.slice(scanner.at, scanner.at + 5))
          ? this.#position("siblings")
          : this.#or(application),
      );
      scanner.space();
      scanner.expect("]", "after the predicate");
    }
    if (this.#ui && scanner.eat("#")) {
      const index = scanner.take(/\d{1,7}/y);
      if (index === undefined) {
        throw scanner.fault(`expected a number from 0 after "#", found ${scanner.found()}`);
      }
      conditions.push({ kind: "nth", n: Number(index) + 1, among: "siblings" });
    }
    return { combinator: deep ? "descendant" : "child", conditions };
  }

  #position(among: "matches" | "siblings"): Condition {
    const scanner = this.#scanner;
    scanner.space();
    if (scanner.eat("last()")) return { kind: "nth", n: -1, among };
    const number = scanner.take(/\d{1,7}/y);
    if (number === undefined || Number(number) === 0) {
      throw scanner.fault("expected a position from 1, or last()");
    }
    scanner.space();
    return { kind: "nth", n: Number(number), among };
  }

  #or(application: boolean): Condition {
    const [first, ...others] = this.#chain(/or\b/y, () => this.#and(application));
    if (first === undefined || others.length === 0) return first ?? { kind: "root" };
    return { kind: "is", selector: { paths: [first, ...others].flatMap((c) => simple(c).paths) } };
  }

  #and(application: boolean): Condition {
    const [first, ...others] = this.#chain(/and\b/y, () => this.#test(application));
    if (first === undefined || others.length === 0) return first ?? { kind: "root" };
    return { kind: "is", selector: simple(first, ...others) };
  }

  #chain(word: RegExp, read: () => Condition): Condition[] {
    const found = [read()];
    for (;;) {
      this.#scanner.space();
      if (this.#scanner.take(word) === undefined) return found;
      this.#scanner.space();
      found.push(read());
    }
  }

  #test(application: boolean): Condition {
    const scanner = this.#scanner;
    if (scanner.eat("(")) {
      scanner.space();
      const inner = this.#or(application);
      scanner.space();
      scanner.expect(")", 'to close "("');
      return inner;
    }
    const start = scanner.at;
    const called = scanner.take(/[a-z-]+(?=\s*\()/y);
    if (called !== undefined) {
      scanner.space();
      scanner.eat("(");
      scanner.space();
      if (called === "not") {
        const inner = this.#or(application);
        scanner.space();
        scanner.expect(")", "to close not(");
        return { kind: "not", selector: simple(inner) };
      }
      const op = called === "contains"
        ? "*="
        : called === "starts-with"
        ? "^="
        : called === "ends-with"
        ? "$="
        : undefined;
      if (op === undefined) {
        const near = closest(called, ["contains", "starts-with", "ends-with", "not", "last"]);
        throw scanner.fault(`there is no function ${called}()`, {
          hint: didYouMean(near) ?? "There are contains, starts-with, ends-with, not and last.",
          details: { near },
        }, start);
      }
      const name = this.#attribute();
      scanner.space();
      scanner.expect(",", `in ${called}()`);
      scanner.space();
      const value = this.#string();
      scanner.space();
      scanner.expect(")", `to close ${called}(`);
      return { kind: "attribute", name: axAttribute(name, application), test: compare(op, value) };
    }
    const name = this.#attribute();
    scanner.space();
    const unequal = scanner.eat("!=");
    if (!unequal && !scanner.eat("=")) {
      const states = axState(name);
      return states
        ? { kind: "state", word: states[0] }
        : { kind: "present", name: axAttribute(name, application) };
    }
    scanner.space();
    const at = scanner.at;
    const value = this.#literal() ?? scanner.take(/true\(\)|false\(\)|true|false|-?\d+(?:\.\d+)?/y);
    if (value === undefined) throw scanner.fault(`expected a quoted value, found ${scanner.found()}`, {}, at);
    const condition = this.#equals(name, value, application, at);
    return unequal ? { kind: "not", selector: simple(condition) } : condition;
  }

  #equals(name: string, value: string, application: boolean, at: number): Condition {
    const states = axState(name);
    if (states === undefined) {
      return { kind: "attribute", name: axAttribute(name, application), test: compare("=", value) };
    }
    const yes = /^(?:true(?:\(\))?|1)$/i.test(value);
    if (!yes && !/^(?:false(?:\(\))?|0)$/i.test(value)) {
      throw this.#scanner.fault(`@${name} is true or false`, {}, at);
    }
    const [word, no] = states;
    if (yes) return { kind: "state", word };
    return no === undefined
      ? { kind: "not", selector: simple({ kind: "state", word }) }
      : { kind: "state", word: no };
  }

  #attribute(): string {
    const scanner = this.#scanner;
    const start = scanner.at;
    const name = scanner.eat("@") ? scanner.take(/[A-Za-z_][\w.-]*/y) : undefined;
    if (name === undefined) {
      scanner.at = start;
      throw scanner.fault(`expected an attribute such as @AXTitle, found ${scanner.found()}`);
    }
    if (isForeign(name)) {
      const near = nearAttributes(name);
      throw scanner.fault(`there is no attribute @${name}`, {
        hint: didYouMean(near) ?? `There are ${axAttributes.map((existing) => `@${existing}`).join(", ")}.`,
        details: { near },
      }, start);
    }
    return name;
  }

  /** XPath knows no escapes; element paths have them, since titles hold quotes. */
  #literal(): string | undefined {
    return this.#scanner.quoted(this.#ui ? "lenient" : "raw");
  }

  #string(): string {
    const value = this.#literal();
    if (value === undefined) {
      throw this.#scanner.fault(`expected a quoted value, found ${this.#scanner.found()}`);
    }
    return value;
  }
}

/** Resource addresses arrive percent-encoded from some clients: then no quote or bracket is in them. */
function decoded(text: string): string {
  if (!/%[0-9a-fA-F]{2}/.test(text) || /["'[\]\s]/.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch (thrown) {
    throw fault(text, text.indexOf("%"), "it is not valid percent-encoding", { cause: thrown });
  }
}
