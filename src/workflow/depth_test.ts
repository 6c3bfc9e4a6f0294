import assert from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { parseWorkflow } from "./parse.ts";

/** 20,000 levels, written in each way that YAML has. */
const LEVELS = 20_000;
const DEEP: Readonly<Record<string, (levels: number) => string>> = {
  "open lists": (n) => "[".repeat(n),
  "closed lists": (n) => `${"[".repeat(n)}x${"]".repeat(n)}`,
  "open maps": (n) => "{a: ".repeat(n),
  "closed maps": (n) => `${"{a: ".repeat(n)}x${"}".repeat(n)}`,
  "JSON": (n) => `${'{"a":['.repeat(n / 2)}1${"]}".repeat(n / 2)}`,
  "items on one line": (n) => `${"- ".repeat(n)}x`,
  "keys on one line": (n) => `${"? ".repeat(n)}x`,
  "lists as keys": (n) => `${"? [".repeat(n)}`,
  "tags and anchors": (n) => `${"&a [ ".repeat(n)}`,
};

function refusal(text: string): BackstepError {
  try {
    parseWorkflow(text, { file: "deep.yaml", operations: [] });
  } catch (thrown) {
    assert.ok(thrown instanceof BackstepError, String(thrown));
    return thrown;
  }
  assert.fail("it was not refused");
}

for (const [name, write] of Object.entries(DEEP)) {
  Deno.test(`a file that nests ${LEVELS} levels deep is refused by its depth, with its place: ${name}`, () => {
    const error = refusal(`name: deep\n\nsteps:\n  - ${write(LEVELS)}\n`);
    assert.equal(error.code, "workflow");
    const reported = JSON.stringify(error.toJSON());
    assert.match(reported, /nest too deeply/);
    assert.match(reported, /At most 200 levels/);
    assert.match(reported, /deep\.yaml:4:\d+|"line":4/);
    assert.doesNotMatch(reported, /stack|RangeError/i);
  });
}

Deno.test("what nests within the bound is judged for what it says, not for its depth", () => {
  assert.doesNotMatch(
    JSON.stringify(refusal(`name: deep\nsteps:\n  - ${DEEP["closed lists"]?.(150)}\n`).toJSON()),
    /nest too deeply/,
  );
});
