import assert from "node:assert/strict";
import { buildSnapshot } from "../../../desktop/build.ts";
import type { NodeDescription } from "../../../desktop/build.ts";
import type { DesktopEvent } from "../../../desktop/desktop.ts";
import { simulate } from "../../../desktop/simulated/simulate.ts";
import { openSession } from "../../../session/open-session.ts";
import { axterminator } from "../axterminator.ts";
import { LastTree } from "./last-tree.ts";
import { fitting } from "../axterminator/screenshot.ts";
import { Ring } from "./event-ring.ts";
import { structureDigest } from "./tree-part.ts";
import { testClient, testHost } from "../_client.ts";
import { TestTimers } from "./_timers.ts";

const APP = { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" };
const tree = (...children: readonly NodeDescription[]) =>
  buildSnapshot({ role: "application", children: [{ role: "frame", name: "Main", children }] }, APP);

function said(kind: string, path: string, detail1: number, text = ""): DesktopEvent {
  return { bus: APP.bus, path, kind, detail1, detail2: 0, text };
}

Deno.test("an event that says what was seen, or speaks of what does not show, is no news", () => {
  const lastTree = new LastTree();
  lastTree.learn(tree(
    { role: "checkBox", name: "On", also: ["checked"], path: "/on" },
    { role: "checkMenuItem", name: "Closed", without: ["showing"], path: "/closed" },
  ));
  assert.ok(lastTree.says(said("object:state-changed:checked", "/on", 1)));
  assert.ok(!lastTree.says(said("object:state-changed:checked", "/on", 0)));
  assert.ok(lastTree.says(said("object:state-changed:checked", "/closed", 1)), "its menu is closed");
  assert.ok(!lastTree.says(said("object:state-changed:showing", "/closed", 1)), "its menu opens");
  assert.ok(lastTree.says(said("object:property-change:accessible-name", "/on", 0, "On")));
  assert.ok(!lastTree.says(said("object:property-change:accessible-name", "/on", 0, "Off")));
  assert.ok(
    !lastTree.says(said("object:property-change:accessible-name", "/on", 0)),
    "GTK 4 does not say which",
  );
  assert.ok(!lastTree.says(said("object:state-changed:checked", "/nobody", 1)));
  assert.ok(!lastTree.says(said("object:children-changed:add", "/on", 0)));
});

const BUTTONS: readonly NodeDescription[] = [{ role: "pushButton", name: "A" }, {
  role: "pushButton",
  name: "B",
}];
const DIFFERENT: readonly (readonly [what: string, children: readonly NodeDescription[]])[] = [
  ["a name", [{ role: "pushButton", name: "A" }, { role: "pushButton", name: "C" }]],
  ["a role", [{ role: "pushButton", name: "A" }, { role: "link", name: "B" }]],
  ["a state", [{ role: "pushButton", name: "A" }, { role: "pushButton", name: "B", also: ["focused"] }]],
  ["the order", [{ role: "pushButton", name: "B" }, { role: "pushButton", name: "A" }]],
  ["where it lies", [{ role: "pushButton", name: "A", children: [{ role: "pushButton", name: "B" }] }]],
  ["where a name ends", [{ role: "pushButton", name: "AB" }, { role: "pushButton", name: "" }]],
  ["that it is gone", [{ role: "pushButton", name: "A" }]],
  ["that it does not show", [{ role: "pushButton", name: "A" }, {
    role: "pushButton",
    name: "B",
    without: ["showing"],
  }]],
];
for (const [what, children] of DIFFERENT) {
  Deno.test(`two trees differ by ${what}`, () => {
    assert.notEqual(structureDigest(tree(...children)), structureDigest(tree(...BUTTONS)));
  });
}

Deno.test("trees that show the same are the same, whatever their paths and what does not show", () => {
  const one = tree(...BUTTONS);
  const other = tree(
    { role: "pushButton", name: "A", path: "/elsewhere/1" },
    { role: "label", name: "hidden", without: ["showing"] },
    { role: "pushButton", name: "B", path: "/elsewhere/2" },
  );
  assert.equal(structureDigest(one), structureDigest(other));
});

Deno.test("a picture of more than may be handed out comes at half its size", async () => {
  const [width, height] = [256, 128];
  // Noise: it cannot be made smaller otherwise.
  const rgba = crypto.getRandomValues(new Uint8Array(4 * width * height).subarray(0, 65_536));
  const whole = new Uint8Array(4 * width * height);
  for (let at = 0; at < whole.length; at += rgba.length) whole.set(rgba.subarray(0, whole.length - at), at);
  const most = 60_000;
  const { png, scaledDownBy } = await fitting({ width, height, rgba: whole }, most);
  assert.equal(scaledDownBy, 2);
  assert.ok(4 * Math.ceil(png.length / 3) <= most);
  const size = new DataView(png.buffer, png.byteOffset);
  assert.deepEqual([size.getUint32(16), size.getUint32(20)], [width / 2, height / 2]);
  assert.equal((await fitting({ width, height, rgba: whole }, 1_000_000)).scaledDownBy, 1);
});

Deno.test("what goes on is one happening with a count, and of another element another", () => {
  const ring = new Ring();
  ring.note({ type: "value_changed", element: "AXSlider 'Volume'" }, undefined, 1_000);
  ring.note({ type: "value_changed", element: "AXSlider 'Volume'" }, undefined, 1_400);
  ring.note({ type: "value_changed", element: "AXSlider 'Balance'" }, undefined, 1_500);
  ring.note({ type: "value_changed", element: "AXSlider 'Volume'" }, undefined, 9_000);
  assert.deepEqual(ring.toJSON().map(({ element, count, timestamp }) => [element, count, timestamp]), [
    ["AXSlider 'Volume'", 2, "1970-01-01T00:00:01.400Z"],
    ["AXSlider 'Balance'", undefined, "1970-01-01T00:00:01.500Z"],
    ["AXSlider 'Volume'", undefined, "1970-01-01T00:00:09.000Z"],
  ]);
});

Deno.test("a title that its toolkit does not tell of is seen by the window system", async () => {
  for (const [toolkit, reported] of [["Qt", 1], ["gtk", 0]] as const) {
    const mute = {
      id: "sim.mute",
      name: "Mute",
      toolkit,
      toolkitVersion: "6.4",
      windows: [{ key: "main", title: "Before", children: [] }],
    };
    const desktop = simulate({ applications: [mute], faults: [{ fault: "drop_events", fraction: 1 }] });
    const session = await openSession({ kind: "simulated", simulate: () => desktop });
    const timers = new TestTimers();
    const client = testClient(testHost(session));
    try {
      await client.connect("sim.mute");
      let heard = 0;
      await axterminator({ timers }).watch?.(
        "axterminator://app/Mute/state",
        client.call,
        () => void heard++,
      );
      desktop.person("sim.mute", "main", { name: "After" });
      await timers.pass(290);
      assert.equal(heard, reported, toolkit);
    } finally {
      client.end();
      await session.close();
    }
  }
});
