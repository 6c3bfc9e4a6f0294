import assert from "node:assert/strict";
import type { Participant } from "../contract/participant.ts";
import { differences, equalJson } from "../contract/participant.ts";
import { describeApplication, type WidgetDescription } from "../desktop/simulated/describe.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../desktop/simulated/simulated-desktop.ts";
import { clipboardOf } from "./clipboard.ts";
import { numberOf } from "./number.ts";
import { radioGroupOf } from "./radio.ts";
import { scrollsOf } from "./scroll.ts";
import { selectionOf } from "./selection.ts";
import { textOf } from "./text.ts";
import { toggleOf } from "./toggle.ts";
import { followTrail, type Located, trailOf } from "./trail.ts";

async function find(desktop: SimulatedDesktop, name: string, nth = 0): Promise<Located> {
  const [application] = await desktop.applications();
  assert.ok(application);
  const snapshot = await desktop.snapshot(application, { fields: ["id", "selection", "value", "text"] });
  const rows = Array.from({ length: snapshot.size }, (_, row) => row).filter((r) =>
    snapshot.name(r) === name
  );
  const row = rows[nth] ?? -1;
  assert.ok(row >= 0, `there is no ${name}`);
  return { application, snapshot, row, element: snapshot.element(row) };
}

async function on(
  widgets: readonly WidgetDescription[] | string,
  test: (desktop: SimulatedDesktop) => Promise<void>,
): Promise<void> {
  const application = typeof widgets === "string" ? widgets : describeApplication("test.app", widgets);
  const desktop = simulate({ applications: [application], clock: "virtual" });
  try {
    await test(desktop);
  } finally {
    await desktop.close();
  }
}

const KINDS: readonly {
  readonly kind: string;
  readonly name: string;
  readonly of: (located: Located) => Participant;
  readonly change: Parameters<SimulatedDesktop["person"]>[2];
  readonly element: string;
}[] = [
  { kind: "text", name: "Name", of: textOf, element: "name", change: { text: "Grüße, 世界 👋" } },
  { kind: "number", name: "Volume", of: numberOf, element: "volume", change: { value: 85 } },
  { kind: "toggle", name: "Notify me", of: toggleOf, element: "notify", change: { checked: false } },
  { kind: "radio", name: "Dark", of: radioGroupOf, element: "system", change: { checked: true } },
  { kind: "selection", name: "Language", of: selectionOf, element: "language", change: { chosen: [2] } },
];

for (const { kind, name, of, element, change } of KINDS) {
  Deno.test(`a ${kind} is captured, seen to differ, written back, and equal again`, () =>
    on("sim.settings", async (desktop) => {
      const participant = of(await find(desktop, name));
      const world = desktop.world();
      const before = await participant.capture(desktop, {});
      desktop.person("sim.settings", element, change);
      const after = await participant.capture(desktop, {});
      assert.equal(participant.kind, kind);
      assert.equal(differences(participant.label, before, after).length, 1);
      await participant.restore(before, desktop, {});
      assert.deepEqual(differences("", before, await participant.capture(desktop, {})), []);
      assert.deepEqual(desktop.world(), world);
      assert.equal(JSON.stringify(participant.describe()).includes(":1."), false, "no address");
    }));
}

Deno.test("the clipboard is captured and written back, an empty one too", () =>
  on("sim.settings", async (desktop) => {
    const participant = clipboardOf();
    const empty = await participant.capture(desktop, {});
    await desktop.writeClipboard("a");
    const full = await participant.capture(desktop, {});
    await participant.restore(empty, desktop, {});
    assert.equal(await desktop.readClipboard(), undefined);
    await participant.restore(full, desktop, {});
    assert.equal(await desktop.readClipboard(), "a");
  }));

Deno.test("a password is not in its image; undoing clears it", () =>
  on("sim.settings", async (desktop) => {
    desktop.person("sim.settings", "pin", { text: "opensesame" });
    const participant = textOf(await find(desktop, "PIN"));
    const image = await participant.capture(desktop, {});
    assert.deepEqual([image.properties, image.secure, Object.keys(image.unrestorable ?? {})], [{}, true, [
      "text",
    ]]);
    assert.doesNotMatch(JSON.stringify([image, participant.describe()]), /opensesame/);
    await participant.restore(image, desktop, {});
    assert.doesNotMatch(JSON.stringify(desktop.world()), /opensesame/);
  }));

Deno.test("what could not be read is not overwritten", () =>
  on("sim.settings", async (desktop) => {
    const world = desktop.world();
    const unread = { properties: {}, unrestorable: { text: "it is longer than what is read back" } };
    assert.equal(await textOf(await find(desktop, "Name")).restore(unread, desktop, {}), "none");
    assert.equal(await selectionOf(await find(desktop, "Language")).restore(unread, desktop, {}), "none");
    assert.deepEqual(desktop.world(), world);
  }));

Deno.test("an area without scroll bars says that its position cannot be restored", () =>
  on([{ kind: "panel", name: "Area", children: [{ kind: "label", name: "x" }] }], async (desktop) => {
    const [scroll] = scrollsOf(await find(desktop, "Area"));
    const image = await scroll?.capture(desktop, {});
    assert.deepEqual(Object.keys(image?.unrestorable ?? {}), ["position"]);
  }));

Deno.test("two steps that mean one element enrol one participant, two elements two", () =>
  on("sim.settings", async (desktop) => {
    const key = async (name: string) => textOf(await find(desktop, name)).key;
    assert.equal(await key("Name"), await key("Name"));
    assert.notEqual(await key("Name"), await key("E-mail"));
    const radio = async (name: string) => radioGroupOf(await find(desktop, name)).key;
    assert.equal(await radio("Light"), await radio("System"), "a group is one thing");
  }));

Deno.test("a trail leads to the same element of a later tree, never to one of another name", () =>
  on([
    { kind: "entry", key: "a", name: "Same", text: "first" },
    { kind: "entry", key: "b", name: "Same", text: "second" },
    { kind: "entry", key: "c", name: "Other" },
    { kind: "check", key: "d", name: "Box" },
  ], async (desktop) => {
    const second = await find(desktop, "Same", 1);
    const trail = trailOf(second.snapshot, second.row);
    const fresh = (await find(desktop, "Box")).snapshot;
    assert.equal(followTrail(fresh, trail), second.row, "the one at its position, not the first of its name");
    const box = await find(desktop, "Box");
    const boxTrail = trailOf(box.snapshot, box.row);
    desktop.person("test.app", "d", { name: "Another" });
    assert.equal(followTrail((await find(desktop, "Another")).snapshot, boxTrail), -1);
    desktop.person("test.app", "main", { name: "*Changed" });
    const renamed = (await find(desktop, "Another")).snapshot;
    assert.equal(followTrail(renamed, trail), second.row, "titles change");
  }));

Deno.test("differences are named in the order of their names, and keys have none", () => {
  const a = { properties: { z: 1, a: [1, { b: 2, c: 3 }] } };
  assert.deepEqual(differences("x", a, { properties: { a: [1, { c: 3, b: 2 }], z: 1 } }), []);
  assert.deepEqual(differences("x", a, { properties: { a: [1], y: null } }).map((d) => d.property), [
    "a",
    "z",
  ]);
  assert.equal(equalJson([1], { 0: 1 }), false);
});
