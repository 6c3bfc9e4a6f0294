import assert from "node:assert/strict";
import { width } from "../../src/report/layout.ts";

/** What a terminal showed. */
export interface Screen {
  /** The lines that stand there at the end, without paint. */
  readonly lines: readonly string[];
  /** Every text that was there once and was cleared away: the live line's states. */
  readonly cleared: readonly string[];
  readonly painted: boolean;
}

// deno-lint-ignore no-control-regex -- a terminal's control bytes
const TOKEN = /\x1b\[(\d*(?:;\d+)*)([A-Za-z])|\r|\n|[^\r\n\x1b]+/g;

/**
 * Plays what was written to a terminal of so many columns: text, line ends, carriage returns, "clear to the end of the
 * line" and paint. Anything else fails, and so does a live line that would wrap, since it could not be cleared.
 */
export function play(written: string, columns: number): Screen {
  const lines: string[] = [];
  const cleared: string[] = [];
  let line = "";
  let atStart = true;
  let painted = false;
  let played = 0;
  for (const match of written.matchAll(TOKEN)) {
    assert.equal(
      match.index,
      played,
      `only what is known: ${JSON.stringify(written.slice(played, match.index))}`,
    );
    const [token, , final] = match;
    played += token.length;
    if (final === "m") painted = true;
    else if (final === "K") {
      assert.ok(atStart, "a line is cleared from its beginning");
      assert.ok(width(line) < columns, `a live line fits: ${line}`);
      cleared.push(line);
      line = "";
    } else if (token === "\r") atStart = true;
    else if (token === "\n") {
      lines.push(line);
      line = "";
      atStart = true;
    } else if (final === undefined) {
      assert.ok(line === "" || !atStart, `nothing is written over ${JSON.stringify(line)}`);
      line += token;
      atStart = false;
    } else assert.fail(`it wrote ${JSON.stringify(token)}`);
  }
  assert.equal(played, written.length, "only what is known");
  return { lines: line === "" ? lines : [...lines, line], cleared, painted };
}
