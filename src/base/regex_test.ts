import assert from "node:assert/strict";
import { BackstepError } from "./error.ts";
import { compileRegex, MAX_PATTERN } from "./regex.ts";

Deno.test("a pattern matches anywhere in the text unless it is anchored", () => {
  assert.equal(compileRegex("av").test("Save"), true);
  assert.equal(compileRegex("^av").test("Save"), false);
  assert.equal(compileRegex("^S.ve$").test("Save"), true);
});

Deno.test("the flags i, m and s do what they do in JavaScript", () => {
  assert.equal(compileRegex("^save$", "i").test("SAVE"), true);
  assert.equal(compileRegex("^b$", "").test("a\nb"), false);
  assert.equal(compileRegex("^b$", "m").test("a\nb"), true);
  assert.equal(compileRegex("a.b", "").test("a\nb"), false);
  assert.equal(compileRegex("a.b", "s").test("a\nb"), true);
  assert.equal(compileRegex("a", "si").flags, "is");
});

Deno.test("a match gives its groups, with undefined for those that took no part", () => {
  assert.deepEqual(compileRegex("(\\d+)-(x)?").exec("no 12-"), ["12-", "12", undefined]);
  assert.equal(compileRegex("z").exec("no"), undefined);
});

Deno.test("JavaScript's unicode escapes are understood", () => {
  assert.equal(compileRegex("^\\u00e9$").test("é"), true);
});

for (
  const [pattern, word] of [
    ["(?<=a)b", "lookbehind"],
    ["a(?!b)", "lookahead"],
    ["(a)\\1", "backreference"],
    ["(?<n>a)\\k<n>", "named backreference"],
    ["(", "missing closing"],
    ["[a", "missing closing"],
    ["a{2000}", "repeat count"],
    ["a".repeat(MAX_PATTERN + 1), "1001 characters"],
  ] as const
) {
  Deno.test(`the pattern ${pattern.slice(0, 20)} is refused with its reason: ${word}`, () => {
    assert.throws(
      () => compileRegex(pattern),
      (e) =>
        e instanceof BackstepError && e.code === "invalid" && e.message.includes(word) &&
        e.message.length < 400,
    );
  });
}

Deno.test("an escaped backslash before a digit is no backreference in the diagnosis", () => {
  assert.throws(() => compileRegex("\\\\1("), /missing closing/);
});

Deno.test("an unknown flag is refused", () => {
  assert.throws(() => compileRegex("a", "g"), /no flag "g"/);
});

Deno.test("a pattern that would hang a backtracking engine answers at once", () => {
  const started = performance.now();
  assert.equal(compileRegex("^(a+)+$").test("a".repeat(5_000) + "b"), false);
  assert.ok(performance.now() - started < 2_000);
});
