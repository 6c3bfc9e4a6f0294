import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { moduleAt, toEvaluate } from "../../base/_child.ts";
import { axActions } from "../ax-actions.ts";
import { match } from "../selector/match.ts";
import { parseSelector } from "../selector/parse.ts";
import { Role } from "../roles.ts";
import { Snapshot } from "../snapshot.ts";
import { axOf } from "../vocabulary.ts";
import { decodeColumns } from "./columns.ts";
import { fakeSnapshot } from "./_reply.ts";

const { columns, ...how } = decodeColumns(fakeSnapshot([
  { parent: -1, role: Role.application, name: "Editor", path: "/0", nativeRole: "AXApplication" },
  { parent: 0, role: Role.frame, name: "Draft", path: "/1", nativeRole: "AXWindow AXStandardWindow" },
  { parent: 1, role: Role.dialog, name: "Save", path: "/2", nativeRole: "AXSheet" },
  { parent: 2, role: Role.pushButton, name: "More", path: "/3", nativeRole: "AXDisclosureTriangle" },
  { parent: 2, role: Role.pushButton, name: "OK", path: "/4", nativeRole: "AXButton" },
  { parent: 1, role: Role.menuItem, name: "Odd", path: "/5" },
]));
const application = { bus: "7:1", name: "Editor", pid: 7, toolkit: "AppKit", toolkitVersion: "" };
const snapshot = new Snapshot(columns, { application, generation: 1, ...how });
const found = (selector: string) => match(parseSelector(selector), snapshot).map((row) => snapshot.name(row));

Deno.test("on macOS an AX name means the element's own role or subrole, and our words what they stand for", () => {
  assert.deepEqual(axOf(snapshot, 1), { role: "AXWindow", subrole: "AXStandardWindow" });
  assert.deepEqual(found("AXSheet"), ["Save"]);
  assert.deepEqual(found("AXStandardWindow"), ["Draft"]);
  assert.deepEqual(found("AXDisclosureTriangle"), ["More"]);
  assert.deepEqual(found("AXButton"), ["OK"]);
  assert.deepEqual(found("button"), ["More", "OK"]);
  assert.deepEqual(found("AXDialog"), []);
  // One that does not say keeps what its number stands for.
  assert.deepEqual(axOf(snapshot, 5), { role: "AXMenuItem" });
});

Deno.test("actions of macOS keep their names, and those of several lines are none of AX", () => {
  const names = ["AXPress", "AXShowMenu", "Name:Close\nTarget:0x0\nSelector:(null)"];
  assert.deepEqual(axActions(names, "AXButton"), ["AXPress", "AXShowMenu"]);
});

for (const [platform, command] of [["linux", "ctrl"], ["macos", "super"]] as const) {
  Deno.test(`cmd is ${command} on ${platform}`, () => {
    const code = `const { parseChord } = await import(${
      JSON.stringify(moduleAt("../keys.ts", import.meta.url))
    });
      console.log(parseChord("cmd+shift+s").join(" "));`;
    const { stdout, stderr } = spawnSync(process.execPath, toEvaluate(code), {
      encoding: "utf8",
      env: { ...process.env, BACKSTEP_PLATFORM: platform },
      timeout: 60_000,
    });
    assert.equal(stdout.trim(), `${command} shift s`, stderr);
  });
}
