import { equal } from "node:assert/strict";
import { parseDuration } from "./durations.ts";

for (
  const [written, expected] of [
    [0, 0],
    [250, 250],
    [1.4, 1],
    ["500ms", 500],
    ["10s", 10_000],
    ["1.5s", 1_500],
    ["2m", 120_000],
    ["1h", 3_600_000],
    [" 3 s ", 3_000],
    ["24h", 86_400_000],
    ["25h", undefined],
    [-1, undefined],
    [NaN, undefined],
    [Infinity, undefined],
    ["10", undefined],
    ["10 sec", undefined],
    ["-1s", undefined],
    ["1e3s", undefined],
    ["", undefined],
    [null, undefined],
    [true, undefined],
    [["1s"], undefined],
  ] as const
) {
  Deno.test(`${JSON.stringify(written)} is ${expected === undefined ? "no duration" : `${expected} ms`}`, () => {
    equal(parseDuration(written), expected);
  });
}
