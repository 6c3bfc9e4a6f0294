import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { CLEAR_LINE, COLOUR, forTerminal, jsonText } from "../report/style.ts";
import { processIo } from "./io.ts";

Deno.test("a program that runs many commands listens once for a reader that goes away", () => {
  processIo("quiet");
  const before = [process.stdout, process.stderr].map((stream) => stream.listenerCount("error"));
  for (let i = 0; i < 20; i++) processIo("quiet");
  assert.deepEqual(
    [process.stdout, process.stderr].map((stream) => stream.listenerCount("error")),
    before,
  );
});

/** Escape sequences, C0, C1, DEL, the bell, a forged live line, and what turns text round. */
const NASTY =
  "a\x1b]0;title\x07b\x9b31mc\x7fd\x00e\r\x1b[Kf\x1b[2Jg\u202eh\u2066i\u200fj\u061ck\u2028l\x1b[5m";

Deno.test("of control characters only our own paint and the clearing of a live line reach a terminal", () => {
  const seen = forTerminal(CLEAR_LINE + COLOUR.bold(NASTY) + COLOUR.bad("!\n\t"));
  assert.ok(seen.startsWith(`${CLEAR_LINE}\x1b[1ma\\u{1b}]0;title\\u{7}b\\u{9b}31m`), JSON.stringify(seen));
  assert.ok(seen.endsWith("\\u{1b}[5m\x1b[22m\x1b[31m!\n\t\x1b[39m"));
  const paint = ["\x1b[1m", "\x1b[22m", "\x1b[31m", "\x1b[39m"];
  const bare = paint.reduce((text, one) => text.replaceAll(one, ""), seen.slice(CLEAR_LINE.length));
  assert.doesNotMatch(bare, /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028]/u);
});

Deno.test("JSON holds no control character as itself, and says the same", () => {
  assert.doesNotMatch(jsonText({ [NASTY]: NASTY }), /[\p{Cc}\p{Bidi_Control}\u2028]/u);
  assert.deepEqual(JSON.parse(jsonText({ [NASTY]: NASTY })), { [NASTY]: NASTY });
});

Deno.test("nothing but terminal.ts writes to the process' streams, so that none can forget what it does", () => {
  const src = fileURLToPath(new URL("..", import.meta.url));
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.ts$/.test(file) && !/_test\.ts$/.test(file));
  const writes =
    /(?:process(?:\[\w+\]|\.std(?:out|err))|\bstd(?:out|err))\??\.write\(|console\.(?:log|error|warn|info)\(/;
  const found = files.filter((file) => writes.test(readFileSync(join(src, file), "utf8")));
  assert.deepEqual(found, [join("cli", "terminal.ts")]);
});
