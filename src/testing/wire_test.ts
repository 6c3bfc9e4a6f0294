import assert from "node:assert/strict";
import { Lines } from "./wire.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("lines are whole however they arrive, a letter that is torn with them", () => {
  const lines = new Lines();
  const [before, after] = [bytes("é\nzwei").slice(0, 1), bytes("é\nzwei").slice(1)];
  assert.deepEqual([lines.push(before), lines.push(after), lines.push(bytes("\n\ndrei\nv"))], [
    [],
    ["é"],
    ["zwei", "drei"],
  ]);
  assert.deepEqual(lines.push(bytes("ier\n")), ["vier"]);
});

Deno.test("a line of many pieces costs what its length does, not its square", () => {
  const lines = new Lines();
  const piece = bytes("x".repeat(4_096));
  const began = performance.now();
  for (let i = 0; i < 16_384; i++) assert.deepEqual(lines.push(piece), []);
  const [line] = lines.push(bytes("\n"));
  assert.equal(line?.length, 16_384 * 4_096);
  // Anew for each piece, it would be half a terabyte.
  assert.ok(performance.now() - began < 20_000, `${performance.now() - began} ms`);
});
