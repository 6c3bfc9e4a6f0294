import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import { toolErrorOf } from "./errors.ts";
import { INVALID_PARAMS, ProtocolError } from "./wire.ts";

Deno.test("an error that quotes half of a surrogate pair is well-formed, in its message and its data", () => {
  const error = new ProtocolError(INVALID_PARAMS, "Unknown tool: \ud800", {
    "\udc00": ["\ud83d", { uri: "a\ud800b" }, 1, null],
    whole: "😀",
  });
  assert.equal(error.message, "Unknown tool: \ufffd");
  assert.deepEqual(error.data, { "\ufffd": ["\ufffd", { uri: "a\ufffdb" }, 1, null], whole: "😀" });
  assert.equal(new ProtocolError(INVALID_PARAMS, "x").data, undefined);
});

Deno.test("a tool's error that is cut within a character is well-formed", () => {
  const { message, data } = toolErrorOf(
    new BackstepError("refused", "😀".repeat(2_000), { details: { "\ud800": "😀".repeat(2_000) } }),
  );
  assert.ok(message.isWellFormed() && message.endsWith("\ufffd…") && message.startsWith("😀"));
  assert.ok(Object.entries(data).flat().every((text) => String(text).isWellFormed()));
});
