import assert from "node:assert/strict";
import { withoutContents } from "./contents.ts";
import { printSelector } from "./print.ts";
import { readSelector } from "./read.ts";

const CASES: readonly [written: string, bare: string | undefined][] = [
  ['slider[value="7"]', "slider"],
  ['scrollbar:has(filler[value="120"])', "scrollbar:has(filler)"],
  ['textfield[name="Name"][text="x"]:enabled', 'textfield[name="Name"]:enabled'],
  ['slider[value="7"]:nth(2)', undefined],
  ['dialog slider[value="7"]', undefined],
  ['slider:not([value="7"])', undefined],
  ['row:has-text("x")', undefined],
];

for (const [written, bare] of CASES) {
  Deno.test(`${written} without what elements hold is ${bare ?? "not to be had"}`, () => {
    const [stage] = withoutContents(readSelector(written))?.bare.stages ?? [];
    assert.equal(stage && "selector" in stage ? printSelector(stage.selector) : undefined, bare);
  });
}
