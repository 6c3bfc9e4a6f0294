import { closest } from "../../base/closest.ts";
import { canonicalType, nearTypes } from "../vocabulary.ts";
import {
  type AttributeName,
  compare,
  type Condition,
  type Selector,
  simple,
  type StringTest,
} from "./ast.ts";
import { didYouMean, Scanner } from "./scanner.ts";

const KEYS: Readonly<Record<string, AttributeName>> = {
  role: "role",
  title: "name",
  name: "name",
  value: "value",
  identifier: "id",
  id: "id",
  description: "description",
};

const KEY = /^\s*(?:role|title|name|value|identifier|id|description):/;

/** Is this the form `role:AXButton title:Save`? */
export function looksLikeQuery(text: string): boolean {
  return KEY.test(text);
}

/**
 * Parses the compound queries of the tool design: `role:AXButton title:"Save as" value:1`, keys role, title (or name),
 * value, identifier (or id), description; all must hold. A value without quotes ends where the next key begins.
 * `test` makes the comparison of title, value and description; by default exact.
 */
export function parseQuery(
  text: string,
  test: (value: string) => StringTest = (v) => compare("=", v),
): Selector {
  const scanner = new Scanner(text);
  const conditions: Condition[] = [];
  scanner.space();
  while (!scanner.done) {
    const start = scanner.at;
    const key = scanner.take(/[A-Za-z]+(?=:)/y);
    if (key === undefined) {
      throw scanner.fault(`expected a key such as title:, found ${scanner.found()}`, {
        hint: `Keys are ${Object.keys(KEYS).join(", ")}; quote values that hold a colon.`,
      });
    }
    const name = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (name === undefined) {
      const near = closest(key, Object.keys(KEYS));
      throw scanner.fault(`there is no key "${key}"`, {
        hint: didYouMean(near) ?? `Keys are ${Object.keys(KEYS).join(", ")}.`,
        details: { near },
      }, start);
    }
    scanner.eat(":");
    scanner.space();
    const at = scanner.at;
    const value = scanner.quoted() ?? scanner.take(/.+?(?=\s+[A-Za-z]+:|\s*$)/ys);
    if (value === undefined) throw scanner.fault(`${key}: wants a value`, {}, at);
    if (!scanner.done && !scanner.space()) throw scanner.fault(`expected a space after the value of ${key}:`);
    if (name !== "role") {
      conditions.push({ kind: "attribute", name, test: name === "id" ? compare("=", value) : test(value) });
      continue;
    }
    const type = canonicalType(value);
    if (type === undefined) {
      const near = nearTypes(value);
      const hint = didYouMean(near);
      throw scanner.fault(
        `there is no role "${value}"`,
        { ...(hint ? { hint } : {}), details: { near } },
        at,
      );
    }
    if (conditions.some((c) => c.kind === "type")) throw scanner.fault("role: is there twice", {}, start);
    conditions.unshift({ kind: "type", type });
  }
  if (conditions.length === 0) throw scanner.fault("it is empty");
  return simple(...conditions);
}
