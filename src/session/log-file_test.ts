import assert from "node:assert/strict";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pruneLogs, tailOf, trimLog } from "./log-file.ts";

function inFolder(check: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "backstep-log-"));
  try {
    check(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

Deno.test("the tail of a log is its last lines, and nothing when there is none", () => {
  inFolder((folder) => {
    const file = join(folder, "a.log");
    assert.equal(tailOf(file), "");
    writeFileSync(file, "");
    assert.equal(tailOf(file), "");
    writeFileSync(file, "one\ntwo\nthree\n");
    assert.equal(tailOf(file, 2), "two\nthree");
    writeFileSync(file, "x".repeat(50_000));
    assert.equal(tailOf(file).length, 2_000);
  });
});

Deno.test("a log that grew too large is cut down to its end, a small one is left alone", () => {
  inFolder((folder) => {
    const file = join(folder, "a.log");
    writeFileSync(file, "small");
    trimLog(file);
    assert.equal(readFileSync(file, "utf8"), "small");
    writeFileSync(file, `${"x".repeat(1 << 20)}the end`);
    trimLog(file);
    assert.equal(statSync(file).size, 1 << 16);
    assert.ok(readFileSync(file, "utf8").endsWith("the end"));
  });
});

Deno.test("the oldest logs go, and nothing else", () => {
  inFolder((folder) => {
    for (const [name, age] of [["a.log", 30], ["b.log", 20], ["c.log", 10], ["note", 40]] as const) {
      writeFileSync(join(folder, name), "");
      utimesSync(join(folder, name), 1_000 - age, 1_000 - age);
    }
    pruneLogs(folder, 2);
    assert.deepEqual(readdirSync(folder).sort(), ["b.log", "c.log", "note"]);
  });
});

Deno.test("a log that is gone when it is looked at, since another process prunes as well, is passed over", () => {
  inFolder((folder) => {
    writeFileSync(join(folder, "there.log"), "x");
    symlinkSync(join(folder, "gone"), join(folder, "removed.log"));
    pruneLogs(folder, 1);
    assert.deepEqual(readdirSync(folder), ["there.log"]);
  });
});
