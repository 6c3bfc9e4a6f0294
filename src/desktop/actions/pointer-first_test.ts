import assert from "node:assert/strict";
import type { Application, DesktopKind } from "../desktop.ts";
import { Role } from "../roles.ts";
import { prefersPointer } from "./pointer-first.ts";

const application = (toolkit: string, toolkitVersion: string): Application => ({
  bus: ":1.9",
  name: "one",
  pid: 9,
  toolkit,
  toolkitVersion,
});

const capabilities = { accessibility: true, input: true, pictures: true, clipboard: true, windows: true };

Deno.test("what comes late of an action is clicked with the pointer on private desktops, and nowhere else", () => {
  const prefers = (kind: DesktopKind, role: number, app: Application, input = true) =>
    prefersPointer({ kind, capabilities: { ...capabilities, input } }, { role }, app);
  const late = [application("GTK", "4.8.3"), application("Qt", "5.15.8"), application("Qt", "6.4.2")];
  for (const app of late) {
    for (const role of [Role.pushButton, Role.toggleButton, Role.checkBox, Role.radioButton, Role.switch]) {
      assert.equal(prefers("isolated", role, app), true, `${app.toolkit} ${role}`);
      assert.equal(prefers("attached", role, app), false, "nobody asked for the pointer there");
      assert.equal(prefers("simulated", role, app), false, "no such dispatch there");
      assert.equal(prefers("isolated", role, app, false), false, "without input there is no pointer");
    }
    assert.equal(prefers("isolated", Role.slider, app), false, "a value is written");
    assert.equal(prefers("isolated", Role.menuItem, app), true);
  }
  // What a toolkit does badly is clicked wherever it may be.
  assert.equal(prefers("attached", Role.menuItem, application("Qt", "6.4.2")), true);
  assert.equal(prefers("attached", Role.pushButton, application("gtk", "3.24.38")), true);
  assert.equal(prefers("isolated", Role.checkBox, application("gtk", "3.24.38")), false);
  assert.equal(prefers("isolated", Role.pushButton, application("Chromium", "156")), false);
});
