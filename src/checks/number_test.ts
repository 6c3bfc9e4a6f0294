import assert from "node:assert/strict";
import { readQuantity } from "./number.ts";

for (
  const [text, value, unit] of [
    ["42 %", 42, "%"],
    ["-3", -3, ""],
    ["−4°", -4, "°"],
    ["+.5", 0.5, ""],
    ["5.", 5, ""],
    ["1 234.5 MB", 1234.5, "MB"],
    ["1\u202f234\u202f567", 1_234_567, ""],
    ["1’234", 1234, ""],
    ["1,234.5", 1234.5, ""],
    ["1.234,5 €", 1234.5, "€"],
    ["12,345,678", 12_345_678, ""],
    ["1,5", 1.5, ""],
    ["0,125", 0.125, ""],
    ["1.234", 1.234, ""],
    ["$5", 5, "$"],
    ["  7 px ", 7, "px"],
  ] as const
) {
  Deno.test(`${JSON.stringify(text)} is the number ${value}${unit === "" ? "" : ` in ${unit}`}`, () => {
    assert.deepEqual(readQuantity(text), { value, unit });
  });
}

for (
  const [text, why] of [
    ["", /empty/],
    ["n/a", /"n\/a" is no number/],
    ["1,234", /may part decimals or thousands/],
    ["1 2", /no number/],
    ["5 of 6", /no number/],
    ["12:30", /no number/],
    ["1.2.3", /no number/],
    ["0x10", /no number/],
    ["Infinity", /no number/],
    ["9".repeat(100), /no number/],
  ] as const
) {
  Deno.test(`${JSON.stringify(text.slice(0, 20))} is no number, and it is said why`, () => {
    const read = readQuantity(text);
    assert.ok(typeof read === "string");
    assert.match(read, why);
    assert.ok(read.length < 150);
  });
}
