import { equal } from "node:assert/strict";
import { SECURITY_MODES } from "../security.ts";
import { needOf } from "./need.ts";

const KINDS = ["harmless", "destructive", "unknown", "program", "script"] as const;

Deno.test("what destroys, and what nobody knows, needs a word wherever acts are allowed", () => {
  for (const mode of ["normal", "safe"] as const) {
    equal(needOf({ kind: "harmless" }, mode), "nothing");
    equal(needOf({ kind: "destructive" }, mode), "word");
    equal(needOf({ kind: "unknown" }, mode), "word");
  }
});

Deno.test("safe mode needs a word for programs, and refuses scripts", () => {
  equal(needOf({ kind: "program" }, "normal"), "nothing");
  equal(needOf({ kind: "program" }, "safe"), "word");
  equal(needOf({ kind: "script" }, "normal"), "review");
  equal(needOf({ kind: "script" }, "safe"), "refusal");
});

Deno.test("sandboxed mode refuses whatever an act hits", () => {
  for (const kind of KINDS) equal(needOf({ kind }, "sandboxed"), "refusal");
  equal(SECURITY_MODES.length, 3);
});
