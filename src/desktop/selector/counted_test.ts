import assert from "node:assert/strict";
import { countsFromTheFirst, withoutCounting } from "./counted.ts";
import { parseSelector } from "./parse.ts";
import { printSelector } from "./print.ts";

const CASES: readonly [written: string, without: string, first: boolean][] = [
  ["button:nth(2)", "button", true],
  ["button:visible:nth(2)", "button:visible", true],
  ["button:nth(-1)", "button", false],
  ["dialog:nth(2) button", "dialog button", false],
  ["button", "button", false],
  ["button:nth(1), link", "button, link", false],
];

for (const [written, without, first] of CASES) {
  Deno.test(`${written} counts among ${without}`, () => {
    const selector = parseSelector(written);
    assert.equal(printSelector(withoutCounting(selector)), without);
    assert.equal(countsFromTheFirst(selector), first);
  });
}
