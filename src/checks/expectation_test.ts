import assert from "node:assert/strict";
import { Expectation } from "./expectation.ts";
import { unmet } from "./unmet.ts";

for (
  const [expected, holds, fails] of [
    ["Ada", "Ada", "ada"],
    [{ equals: "Ada" }, "Ada", "Ada "],
    [{ contains: "d" }, "Ada", "Bob"],
    [{ starts_with: "Ad" }, "Ada", "ada"],
    [{ ends_with: "a" }, "Ada", "Adam"],
    [{ regex: "^A.a$" }, "Ada", "Bob"],
    [{ above: 40 }, "42 %", "40 %"],
    [{ above: "40 %" }, "42 %", "42 px"],
    [{ below: 5 }, 4, 5],
    [{ at_least: 40 }, "40", "39.9"],
    [{ at_most: 40 }, 40, "41 %"],
    [{ between: [1, 5] }, 5, 6],
    [{ between: ["10 %", "20 %"] }, "15 %", "21 %"],
    [{ not: "" }, "x", ""],
    [{ not: { contains: "rror" } }, "fine", "Error"],
    [{ not: { at_least: 5, at_most: 7 } }, 8, 6],
    [{ contains: "a", not: "Ada" }, "Eva", "Ada"],
    // Marks of direction are not seen.
    ["$0.00", "\u2066$0.00\u2069", "\u2066$0.01\u2069"],
    ["\u2066$0.00", "\u2066$0.00", "$0.00"],
    [5, "\u200e5", "\u200e6"],
    [{ above: "$4" }, "\u2066$5.00\u2069", "\u2066$3.00\u2069"],
    [{ regex: "^\\$5$" }, "\u2068$5\u2069", "5"],
    [{ not: "Firefox" }, "Thunderbird", "\u2068Firefox\u2069"],
  ] as const
) {
  Deno.test(`${JSON.stringify(expected)} holds of ${JSON.stringify(holds)} and not of ${JSON.stringify(fails)}`, () => {
    const parsed = Expectation.parse(expected);
    assert.equal(unmet(parsed, holds), undefined);
    assert.notEqual(unmet(parsed, fails), undefined);
  });
}

Deno.test("what does not hold is said in words, with the reason where a number cannot be compared", () => {
  assert.equal(unmet("Ada", "Bob"), 'expected "Ada"');
  assert.equal(unmet({ starts_with: "A", ends_with: "b" }, "Bob"), 'expected to start with "A"');
  assert.equal(unmet({ between: [1, 5], above: 7 }, 6), "expected above 7 and between 1 and 5");
  assert.equal(unmet({ at_least: 40 }, "n/a"), 'expected at least 40: "n/a" is no number');
  assert.equal(unmet({ at_least: "40 %" }, "50 px"), 'expected at least 40 %: its unit is "px"');
  assert.equal(unmet({ below: 4 }, null), "expected below 4: it has no value");
  assert.equal(unmet({ below: 4 }, true), "expected below 4: true is no number");
  assert.equal(unmet({ not: { contains: "a" } }, "Ada"), 'expected not to contain "a"');
});

Deno.test("of two long texts it is said where they part", () => {
  const why = unmet(`${"x".repeat(50)}abc`, `${"x".repeat(50)}abd`) ?? "";
  assert.match(why, /differ at character 53: "x+abd" instead of "x+abc"$/);
  assert.ok((unmet("y".repeat(90_000), "x".repeat(90_000)) ?? "").length < 500);
});

for (
  const wrong of [
    {},
    { not: {} },
    { above: "many" },
    { between: [1] },
    { contains: 5 },
    { similar: "x" },
    { not: { not: "x" } },
  ]
) {
  Deno.test(`${JSON.stringify(wrong)} is no expectation`, () => {
    assert.equal(Expectation.safeParse(wrong).success, false);
  });
}
