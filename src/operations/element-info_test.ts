import assert from "node:assert/strict";
import { buildSnapshot } from "../desktop/build.ts";
import { infoOf, infoText, READ_TEXT } from "./element-info.ts";

Deno.test("a label that shows its long name says it once, and a long text ends in three dots", () => {
  const long = "A long explanation. ".repeat(20);
  const snapshot = buildSnapshot({
    role: "frame",
    children: [
      { role: "label", name: long, text: long.slice(0, READ_TEXT) },
      { role: "label", name: "Tip", text: long.slice(0, READ_TEXT) },
    ],
  }, { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" });
  const shown = `${long.slice(0, 199)}…`;
  assert.equal(infoText(infoOf(snapshot, 1)).replace(/ \[.*\]/, ""), `label ${JSON.stringify(shown)}`);
  assert.equal(infoOf(snapshot, 2).value, shown);
});
