import assert from "node:assert/strict";
import { CLEAR_LINE, clearLines, forTerminal, PLAIN } from "../../report/style.ts";
import { Board, boardLines, type BusyDesktop } from "./board.ts";

const busy = (name: string, slot: number, id: string): BusyDesktop => ({
  name,
  host: "alpha",
  slot,
  test: { id },
  took: 12_000,
});
const COUNTS = { passed: 3, failed: 1, flaky: 0, skipped: 0 };

Deno.test("the board has a line a desktop: its worker, its file, its step, since when", () => {
  const steps = new Map([["b.yaml", '2 click button "Save"']]);
  assert.deepEqual(boardLines([busy("w1", 1, "a.yaml"), busy("second", 2, "b.yaml")], steps, COUNTS, 9), [
    "[4/9]  3 passed  1 failed  2 run on 2 workers",
    "  w1@alpha     1  12.0 s  a.yaml",
    '  second@alpha 2  12.0 s  b.yaml  2 click button "Save"',
  ]);
  assert.deepEqual(boardLines([], steps, COUNTS, 9), ["[4/9]  3 passed  1 failed  no worker is at it"]);
  const many = boardLines(Array.from({ length: 25 }, (_, n) => busy("w", n, "a.yaml")), steps, COUNTS, 9);
  assert.equal(many.at(-1), "  … and 5 more");
});

Deno.test("the board clears what it drew, and no text of an application steers the terminal", () => {
  let written = "";
  const output = {
    write: (text: string) => void (written += forTerminal(text)),
    terminal: true,
    live: true,
    columns: 60,
  };
  const board = new Board(output, PLAIN);
  const file = { id: "a\x1b[2J.yaml", file: "a.yaml", name: "A", tags: [] };
  board.event({ event: "tests-started", files: [file], workers: 1, at: 0 });
  board.show([busy("w", 1, "a\x1b[2J.yaml")]);
  board.show([busy("w", 1, "a\x1b[2J.yaml"), busy("w", 2, "b.yaml")]);
  board.show([]);
  assert.ok(written.includes(clearLines(1)) && written.includes(clearLines(2)), JSON.stringify(written));
  assert.ok(!written.includes("\x1b[2J"));
  for (const line of written.replaceAll(new RegExp(`${"\x1b"}\\[\\d*[AJK]`, "g"), "").split(/[\r\n]/)) {
    assert.ok(line.length < 60, line);
  }
  written = "";
  board.event({
    event: "file-finished",
    result: {
      ...file,
      status: "failed",
      exit: 1,
      duration_ms: 1,
      tries: [],
      error: { code: "assertion", message: "no" },
    },
  });
  assert.ok(written.startsWith(CLEAR_LINE), JSON.stringify(written));
  assert.match(written, /✗ failed {2}a.*\n {4}no\n/);
});
