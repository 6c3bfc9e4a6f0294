import assert from "node:assert/strict";
import { parseSelector } from "./parse.ts";
import { printSelector } from "./print.ts";
import { withoutPlaces } from "./unplaced.ts";

const CASES: readonly [written: string, bare: string | undefined][] = [
  ['button[name="Save"]', 'button[name="Save"]'],
  ["textfield:nth(2)", "textfield:nth(2)"],
  ["textfield:visible:enabled:nth(2)", "textfield:enabled"],
  ["dialog:visible > button:hidden", "dialog > button"],
  ["dialog:visible:nth(2) button", undefined],
  ["row:has(button:visible)", undefined],
  ["button:not(:visible)", undefined],
];

for (const [written, bare] of CASES) {
  Deno.test(`${written} without what shows is ${bare ?? "not to be had"}`, () => {
    const selector = withoutPlaces(parseSelector(written));
    assert.equal(selector && printSelector(selector), bare);
  });
}
