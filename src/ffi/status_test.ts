import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Request } from "./request.ts";
import { Field, Op } from "./op.ts";
import { Status, statusError } from "./status.ts";
import { pixelSymbols } from "./pixel-symbols.ts";
import { ABI, symbols } from "./symbols.ts";

const header = readFileSync(new URL("../../native/include/backstep.h", import.meta.url), "utf8");

function headerConstants(prefix: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [, name, value] of header.matchAll(new RegExp(`\\bBACKSTEP_${prefix}(\\w+) = (-?\\d+)`, "g"))) {
    if (name) found[name.toLowerCase().replace(/_(\w)/g, (_, c: string) => c.toUpperCase())] = Number(value);
  }
  return found;
}

Deno.test("every status and operation of the header is known here by the same number", () => {
  assert.deepEqual({ ...Status }, { ok: 0, ...headerConstants("E_") });
  assert.deepEqual({ ...Op }, headerConstants("OP_"));
  const { all, ...fields } = headerConstants("F_");
  assert.deepEqual({ ...Field }, fields);
  // A hash is of many elements, and the others cost a call each: they are not among what an element is asked for at once.
  const apart = Field.hash | Field.relations | Field.textRect | Field.keys | Field.textStyle |
    Field.nativeRole;
  assert.equal(Object.values(Field).reduce((a: number, b) => a | b, 0) & ~apart, all);
});

Deno.test("every function of the header is bound, and the versions agree", () => {
  const names = [...header.matchAll(/^BACKSTEP_API \S+ (\w+)\(/gm)].map(([, name]) => name);
  assert.deepEqual([...Object.keys(symbols), ...Object.keys(pixelSymbols)], names);
  assert.match(header, new RegExp(`#define BACKSTEP_ABI ${ABI}u`));
});

const expected: [keyof typeof Status, string, string | undefined][] = [
  ["invalid", "invalid", undefined],
  ["handle", "internal", undefined],
  ["ticket", "internal", undefined],
  ["short", "internal", undefined],
  ["timeoutUnsent", "timeout", "not_sent"],
  ["timeoutUnknown", "timeout", "unknown"],
  ["cancelledUnsent", "cancelled", "not_sent"],
  ["cancelledUnknown", "cancelled", "unknown"],
  ["appGone", "app_gone", undefined],
  ["noElement", "stale", undefined],
  ["unsupported", "unsupported", undefined],
  ["refused", "refused", undefined],
  ["appError", "internal", undefined],
  ["bus", "no_desktop", undefined],
  ["display", "no_desktop", undefined],
  ["protocol", "internal", undefined],
  ["limit", "limit", undefined],
  ["memory", "internal", undefined],
  ["secure", "secure", undefined],
  ["permission", "no_desktop", "not_sent"],
  ["unsure", "internal", "unknown"],
  ["changed", "stale", "not_sent"],
];

for (const [status, code, outcome] of expected) {
  Deno.test(`status ${status} becomes ${code}${outcome ? ` with outcome ${outcome}` : ""}`, () => {
    const error = statusError(Status[status], "try");
    assert.equal(error.code, code);
    assert.equal(error.details?.["outcome"], outcome);
    assert.match(error.message, /^Cannot try: \w/);
  });
}

Deno.test("a status that nobody knows is internal and named", () => {
  assert.equal(statusError(-99, "try").message, "Cannot try: the core answered -99");
});

Deno.test("the core's text is bounded, and a reply that is no text is left out", () => {
  const long = statusError(Status.appError, "try", new Request().str("x".repeat(5_000)).bytes());
  assert.ok(long.message.length < 1_100);
  const torn = statusError(Status.appError, "try", new Uint8Array([9, 0, 0, 0, 65]));
  assert.equal(torn.message, "Cannot try: the application answered with an error");
});

Deno.test("a grant that is missing names the pane that gives it", () => {
  const reply = (text: string) => new Request().str(text).bytes();
  const hint = (text: string) => statusError(Status.permission, "try", reply(text)).hint ?? "";
  assert.match(hint("accessibility: no"), /Privacy & Security > Accessibility .*Privacy_Accessibility/);
  assert.match(hint("input: no"), /Privacy & Security > Accessibility /);
  assert.match(hint("pictures: no"), /Screen & System Audio Recording .*Privacy_ScreenCapture/);
});
