import assert from "node:assert/strict";
import { seeded } from "../../base/random.ts";
import { buildSnapshot } from "../build.ts";
import { compare, type StringTest } from "./ast.ts";
import { numberTest, stringTest } from "./strings.ts";

const LETTERS = [
  "a",
  "A",
  "b",
  "B",
  "k",
  "K",
  "\u212a",
  "\u0130",
  "i",
  "ß",
  "é",
  "保",
  "[",
  "{",
  "@",
  "`",
  " ",
  "😀",
];

Deno.test("a piece whatever the case: bytes answer as letters do", () => {
  const random = seeded(5);
  const word = (most: number) =>
    Array.from(
      { length: 1 + Math.floor(random() * most) },
      () => LETTERS[Math.floor(random() * LETTERS.length)],
    ).join("");
  const names = Array.from({ length: 400 }, () => word(7));
  const application = { bus: ":1.1", name: "made", pid: 1, toolkit: "", toolkitVersion: "" };
  const snapshot = buildSnapshot(
    { role: "frame", name: "", children: names.map((name) => ({ role: "label" as const, name })) },
    application,
  );
  let held = 0;
  for (const value of [...LETTERS, ...Array.from({ length: 200 }, () => word(3))]) {
    for (const ignoreCase of [true, false]) {
      const test = { kind: "string", op: "*=", value, ignoreCase } as const;
      const quick = numberTest(snapshot, test), plain = stringTest(test);
      for (const [index, name] of names.entries()) {
        const is = quick(snapshot.columns.name[index + 1] ?? 0);
        assert.equal(is, plain(name), `${JSON.stringify(value)} in ${JSON.stringify(name)}`);
        if (is) held++;
      }
    }
  }
  assert.ok(held > 1_000);
});

Deno.test("marks that are not seen are passed over, unless they are asked for", () => {
  const names = ["\u2066$0.00\u2069", "$0.00", "soft\u00adware", "Café…", "a\u200bb\u061c"];
  const snapshot = buildSnapshot(
    { role: "frame", name: "", children: names.map((name) => ({ role: "label" as const, name })) },
    { bus: ":1.1", name: "made", pid: 1, toolkit: "", toolkitVersion: "" },
  );
  const finds = (test: StringTest) => {
    const quick = numberTest(snapshot, test), plain = stringTest(test);
    const found = names.flatMap((name, k) => quick(snapshot.columns.name[k + 1] ?? 0) ? [name] : []);
    assert.deepEqual(found, names.filter(plain));
    return found;
  };
  assert.deepEqual(finds(compare("=", "$0.00")), names.slice(0, 2));
  assert.deepEqual(finds(compare("=", "\u2066$0.00\u2069")), names.slice(0, 1));
  assert.deepEqual(finds(compare("=", "\u2066$0.00")), []);
  assert.deepEqual(finds(compare("^=", "$")), names.slice(0, 2));
  assert.deepEqual(finds(compare("*=", "software")), ["soft\u00adware"]);
  assert.deepEqual(finds(compare("*=", "SOFTWARE", true)), ["soft\u00adware"]);
  assert.deepEqual(finds(compare("=", "Café")), []);
  assert.deepEqual(finds(compare("=", "ab")), ["a\u200bb\u061c"]);
  assert.deepEqual(finds({ kind: "regex", source: "^\\$0", flags: "" }), names.slice(0, 2));
});
