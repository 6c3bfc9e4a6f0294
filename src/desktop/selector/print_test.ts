import assert from "node:assert/strict";
import { stateNames } from "../state-words.ts";
import { roleWords } from "../vocabulary.ts";
import {
  attributeNames,
  besides,
  type Condition,
  type Path,
  type Selector,
  type StringOperator,
  type StringTest,
} from "./ast.ts";
import { parseSelector } from "./parse.ts";
import { printSelector } from "./print.ts";
import { readSelector } from "./read.ts";

/** A small deterministic source of choices (mulberry32). */
class Choices {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  }
  of<T>(list: readonly T[]): T {
    const chosen = list[this.below(list.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  }
}

const texts = [
  "Save",
  "",
  'a "b"',
  "it's",
  "a\\b",
  "a\nb\tc\r",
  "ä€😀",
  "[x]",
  "a, b > c",
  "\u0007",
  "/x/i",
  " ",
];
const sources = ["^Sav", "a/b", "[/\\]]", "\\d+", "\\\\/", "x|y", '"'];
const operators: readonly StringOperator[] = ["=", "^=", "$=", "*=", "~="];

function someTest(choose: Choices): StringTest {
  if (choose.below(4) === 0) {
    return { kind: "regex", source: choose.of(sources), flags: choose.of(["", "i", "ims", "s"]) };
  }
  return {
    kind: "string",
    op: choose.of(operators),
    value: choose.of(texts),
    ignoreCase: choose.below(3) === 0,
  };
}

function someCondition(choose: Choices, depth: number): Condition {
  const name = choose.of([...attributeNames, "@xml-roles", "@x.y"] as const);
  switch (choose.below(depth > 2 ? 7 : 10)) {
    case 0:
    case 1:
      return { kind: "attribute", name, test: someTest(choose) };
    case 2:
      return { kind: "present", name };
    case 3:
      return { kind: "state", word: choose.of(stateNames) };
    case 4:
      return { kind: "hasText", value: choose.of(texts) };
    case 5:
      return {
        kind: "nth",
        n: choose.of([1, 2, -1, 40]),
        among: choose.of(["matches", "siblings"] as const),
      };
    case 6:
      return { kind: "beside", how: choose.of(besides), name: choose.of(texts) };
    case 7:
      return { kind: "has", selector: someSelector(choose, depth + 1, true) };
    case 8:
      return { kind: choose.of(["is", "not"] as const), selector: someSelector(choose, depth + 1, false) };
    default:
      return { kind: "root" };
  }
}

function somePath(choose: Choices, depth: number, relative: boolean): Path {
  return {
    steps: Array.from({ length: 1 + choose.below(3) }, (_, k) => ({
      combinator: k === 0 && !relative ? "descendant" as const : choose.of(["descendant", "child"] as const),
      conditions: [
        ...(choose.below(2) === 0
          ? [{ kind: "type", type: choose.of([...roleWords, "AXButton"]) } as const]
          : []),
        ...Array.from({ length: choose.below(3) }, () => someCondition(choose, depth)),
      ],
    })),
  };
}

function someSelector(choose: Choices, depth = 0, relative = false): Selector {
  return { paths: Array.from({ length: 1 + choose.below(2) }, () => somePath(choose, depth, relative)) };
}

Deno.test("a printed selector parses to the same selector", () => {
  const choose = new Choices(1);
  for (let k = 0; k < 2_000; k++) {
    const selector = someSelector(choose);
    const text = printSelector(selector);
    assert.deepEqual(parseSelector(text), selector, text);
    assert.equal(printSelector(parseSelector(text)), text);
  }
});

for (
  const query of [
    "role:AXButton title:Save",
    "//AXButton[@AXTitle='Save']",
    "//AXRow[contains(@AXTitle,'x') and not(@AXEnabled='false')]/AXCell[2]",
    "(//AXButton)[last()]",
    'macos://ui/AXApplication[@bundleIdentifier="org.x"]/AXMenuBar/AXMenuBarItem[@AXTitle="File"]/AXMenu/AXMenuItem[@AXTitle="New"]#1',
    "Save",
    "^Sav.$",
  ]
) {
  Deno.test(`what ${query} was read as prints and parses back`, () => {
    for (const stage of readSelector(query).stages) {
      if (!("selector" in stage)) continue;
      assert.deepEqual(parseSelector(printSelector(stage.selector)), stage.selector);
    }
  });
}
