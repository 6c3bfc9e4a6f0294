import assert from "node:assert/strict";
import { seeded } from "../../base/random.ts";
import { buildSnapshot } from "../build.ts";
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
