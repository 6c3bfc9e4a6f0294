import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../desktop/build.ts";
import type { Rect } from "../desktop/element.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { meantBy } from "./actionable.ts";
import { clickActionOf, comboOf, itemName, openerOf } from "./click-step.ts";
import { newState, shownWindows } from "./difference.ts";
import type { Gesture } from "./gestures.ts";
import { hitOf, isInBubble } from "./hit.ts";
import { Looks, reachedAt, rowAt } from "./look.ts";

const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });
const WINDOW = rect(0, 40, 400, 300);

function tree(children: readonly NodeDescription[], toolkit = "gtk", toolkitVersion = "3.24"): Snapshot {
  return buildSnapshot(
    { role: "application", children: [{ role: "frame", name: "window", rect: WINDOW, children }] },
    { bus: ":1.5", name: "a", pid: 7, toolkit, toolkitVersion },
  );
}

function row(snapshot: Snapshot, name: string): number {
  for (let at = 0; at < snapshot.size; at++) if (snapshot.name(at) === name) return at;
  throw new Error(`nothing is called ${name}`);
}

const BUTTONS: readonly NodeDescription[] = [
  { role: "pushButton", name: "Save", children: [{ role: "label", name: "label of Save" }] },
  { role: "pushButton", name: "Send" },
  { role: "panel", name: "box", children: [{ role: "checkBox", name: "Bold" }] },
];

Deno.test("a label means the button around it, and two who mean the same or what is around it agree", () => {
  const snapshot = tree(BUTTONS);
  const hit = (own: string, said: string) => {
    const found = hitOf(snapshot, { own: row(snapshot, own), said: row(snapshot, said), reported: [] });
    return [found.row < 0 ? "nothing" : snapshot.name(found.row), found.sure];
  };
  assert.deepEqual(hit("label of Save", "Save"), ["Save", true]);
  assert.deepEqual(hit("Bold", "box"), ["Bold", true]);
  assert.deepEqual(hit("Bold", "window"), ["Bold", true]);
});

Deno.test("two who differ are not sure unless what the press set off decides", () => {
  const snapshot = tree(BUTTONS);
  const [save, send] = [row(snapshot, "Save"), row(snapshot, "Send")];
  const open = hitOf(snapshot, { own: save, said: send, reported: [] });
  assert.equal(open.sure, false);
  assert.deepEqual([open.row, ...open.others].sort(), [save, send].sort());
  assert.deepEqual(hitOf(snapshot, { own: save, said: send, reported: [save] }), {
    row: save,
    sure: true,
    others: [],
  });
  assert.equal(hitOf(snapshot, { own: -1, said: -1, reported: [] }).sure, false);
});

Deno.test("a bubble of GTK 3 lies above the content of its window, which that answers with instead", () => {
  const children: NodeDescription[] = [
    { role: "panel", name: "content", children: [{ role: "pushButton", name: "Save" }] },
    { role: "panel", name: "bubble", children: [{ role: "pushButton", name: "Zoom" }] },
  ];
  const gtk3 = tree(children), gtk4 = tree(children, "GTK", "4.8.3");
  const [save, zoom] = [row(gtk3, "Save"), row(gtk3, "Zoom")];
  assert.equal(isInBubble(gtk3, zoom, save), true);
  assert.equal(isInBubble(gtk3, save, zoom), false);
  assert.equal(isInBubble(gtk3, zoom, row(gtk3, "bubble")), false);
  assert.equal(isInBubble(gtk3, zoom, row(gtk3, "window")), false);
  assert.equal(isInBubble(gtk4, zoom, save), false);
});

Deno.test("of what drops down the box is meant until it is open", () => {
  const snapshot = tree([
    { role: "comboBox", name: "Size", children: [{ role: "menuItem", name: "Small" }] },
    {
      role: "menuBar",
      name: "bar",
      children: [{ role: "menu", name: "File", children: [{ role: "menuItem", name: "Open" }] }],
    },
    { role: "listItem", name: "", children: [{ role: "label", name: "inside" }] },
  ]);
  assert.equal(openerOf(snapshot, row(snapshot, "Small")), row(snapshot, "Size"));
  assert.equal(openerOf(snapshot, row(snapshot, "Open")), row(snapshot, "File"));
  assert.equal(comboOf(snapshot, row(snapshot, "Small")), row(snapshot, "Size"));
  assert.equal(itemName(snapshot, snapshot.parent(row(snapshot, "inside"))), "inside");
});

Deno.test("in Qt Quick a list that is open is above what lies below it, and a box means its field", () => {
  const snapshot = tree([
    { role: "menuBar", children: [{ role: "menuBar", name: "File" }] },
    {
      role: "panel",
      children: [
        { role: "pushButton", name: "Save" },
        { role: "comboBox", name: "Size", children: [{ role: "text", name: "shown", also: ["editable"] }] },
        {
          role: "comboBox",
          name: "Town",
          also: ["editable"],
          children: [{ role: "text", name: "written", also: ["editable"] }],
        },
      ],
    },
    { role: "dialog", children: [{ role: "menuItem", name: "Small" }] },
  ], "Qt");
  const at = (name: string) => row(snapshot, name);
  assert.equal(isInBubble(snapshot, at("Small"), at("Save")), true);
  assert.equal(isInBubble(snapshot, at("Save"), at("Small")), false);
  assert.equal(comboOf(snapshot, at("shown")), at("Size"));
  assert.equal(comboOf(snapshot, at("written")), -1);
  assert.equal(meantBy(snapshot, at("File")), at("File"));
  assert.equal(meantBy(snapshot, snapshot.parent(at("File"))), -1);
});

const CLICK: Gesture & { do: "click" } = {
  do: "click",
  button: "left",
  at: { x: 0, y: 0 },
  count: 1,
  modifiers: [],
  from: 0,
  until: 40,
};

Deno.test("a state that a click gave is set, a radio button that was chosen stays so, and the rest is clicked", () => {
  const states = (...states: readonly "checked"[]): Snapshot =>
    tree([{ role: "checkBox", name: "Bold", states }, { role: "pushButton", name: "Save" }]);
  const before = states(), after = states("checked");
  const bold = row(before, "Bold");
  assert.equal(newState(before, bold, after), true);
  assert.deepEqual(clickActionOf(CLICK, before, bold, after), {
    verb: "set",
    sets: true,
    more: { value: true },
  });
  // One that springs back, or that is not looked at yet: to set it would do nothing.
  assert.deepEqual(clickActionOf(CLICK, after, bold, after), { verb: "click", sets: false, more: {} });
  assert.deepEqual(clickActionOf(CLICK, before, row(before, "Save"), after), {
    verb: "click",
    sets: false,
    more: {},
  });
  assert.deepEqual(clickActionOf({ ...CLICK, button: "right" }, before, bold, after), {
    verb: "click",
    sets: false,
    more: { button: "right" },
  });
  assert.deepEqual(clickActionOf({ ...CLICK, count: 2 }, before, bold, after), {
    verb: "click",
    sets: false,
    more: { count: 2 },
  });
});

const window = (id: number, place: Rect, popup = false, title = "window") => ({
  id,
  pid: 7,
  rect: place,
  title,
  windowClass: "a",
  active: true,
  minimised: false,
  popup,
});

Deno.test("a point is in the topmost window, in what is drawn around one, or in none", () => {
  const windows = [window(1, WINDOW), window(2, rect(300, 200, 200, 100))];
  assert.deepEqual(reachedAt(windows, 310, 210), { window: windows[1], frame: false });
  // The title bar of the second one lies over the first one.
  assert.deepEqual(reachedAt(windows, 350, 190), { window: windows[1], frame: true });
  assert.deepEqual(reachedAt(windows, 100, 100), { window: windows[0], frame: false });
  assert.equal(reachedAt(windows, 900, 700), undefined);
});

Deno.test("looks are kept in bounds, and the one before a press is the last that was complete by then", () => {
  const snapshot = tree([{ role: "pushButton", name: "Save", rect: rect(10, 50, 60, 20) }]);
  const looks = new Looks();
  const application = snapshot.origin.application;
  const look = (at: number) => ({ application, snapshot, windows: [window(1, WINDOW)], from: at - 20, at });
  for (const at of [100, 200, 300, 400]) looks.add(look(at));
  assert.equal(looks.before(":1.5", 350)?.at, 300);
  assert.equal(looks.before(":1.5", 150), undefined);
  assert.equal(looks.latest(":1.5")?.at, 400);
  const [shown] = look(1).windows;
  assert.ok(shown);
  assert.equal(snapshot.name(rowAt(look(1), shown, 20, 60)), "Save");
  assert.equal(shownWindows(snapshot, look(1).windows).length, 1);
  assert.equal(shownWindows(snapshot, [window(1, WINDOW, true)]).length, 0);
});
