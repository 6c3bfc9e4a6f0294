import assert from "node:assert/strict";
import { parseSelector } from "./parse.ts";
import { printSelector } from "./print.ts";
import { countedOnTheWay, withoutPlaces } from "./unplaced.ts";

const CASES: readonly [written: string, bare: string | undefined][] = [
  ['button[name="Save"]', 'button[name="Save"]'],
  ["textfield:nth(2)", "textfield:nth(2)"],
  ["textfield:visible:enabled:nth(2)", "textfield:enabled"],
  ["dialog:visible > button:hidden", "dialog > button"],
  ["dialog:visible:nth(2) button", "dialog button"],
  ["row:has(button:visible)", undefined],
  ["button:not(:visible)", undefined],
];

Deno.test("what is counted on the way is asked too, where only a place tells whether it shows", () => {
  const ways = (written: string) => countedOnTheWay(parseSelector(written)).map(printSelector);
  assert.deepEqual(ways("dialog:visible:nth(2) button:visible:nth(1)"), ["dialog"]);
  assert.deepEqual(ways("dialog:visible button:visible:nth(1)"), []);
  assert.deepEqual(ways("dialog:nth(2) button:visible"), []);
});

for (const [written, bare] of CASES) {
  Deno.test(`${written} without what shows is ${bare ?? "not to be had"}`, () => {
    const selector = withoutPlaces(parseSelector(written));
    assert.equal(selector && printSelector(selector), bare);
  });
}
