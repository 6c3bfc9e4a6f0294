import assert from "node:assert/strict";
import { buildSnapshot } from "../desktop/build.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { Keyboard } from "./keyboard.ts";
import { Looks } from "./look.ts";

const APPLICATION = { bus: ":1.5", name: "a", pid: 7, toolkit: "Qt", toolkitVersion: "5.15" };
const WINDOW = {
  id: 1,
  title: "window",
  windowClass: "a",
  pid: 7,
  active: true,
  minimised: false,
  popup: false,
  rect: { x: 0, y: 0, width: 9, height: 9 },
};

/** A window of Qt with a field and two lists, whose current items both say that they have the keyboard. */
function tree(aware: boolean, field: boolean): Snapshot {
  const list = (name: string, item: string) => ({
    role: "list" as const,
    name,
    children: [{ role: "listItem" as const, name: item, also: ["focused" as const, "focusable" as const] }],
  });
  return buildSnapshot({
    role: "application",
    children: [{
      role: "frame",
      name: "window",
      also: aware ? ["active"] : [],
      children: [
        {
          role: "text",
          name: "Title",
          also: ["editable", "focusable", ...(field ? ["focused" as const] : [])],
        },
        list("Files", "Beta"),
        list("Marks", "West"),
      ],
    }],
  }, APPLICATION);
}

/** What an observer knows: the last look, what got the keyboard, and what told that its text changed. */
function keyboard(snapshot: Snapshot, focused?: string, changed: Readonly<Record<string, number>> = {}) {
  const looks = new Looks();
  const look = { application: APPLICATION, snapshot, windows: [WINDOW], from: 100, at: 105 };
  looks.add(look);
  const at = (name: string) => {
    for (let row = 0; row < snapshot.size; row++) if (snapshot.name(row) === name) return row;
    throw new Error(`nothing is called ${name}`);
  };
  const keys = new Keyboard({
    looks,
    windows: [WINDOW],
    applications: [APPLICATION],
    reported: {
      focus: () => focused === undefined ? undefined : { ...snapshot.element(at(focused)), at: 50 },
      edited: ({ path }) =>
        changed[snapshot.name(snapshot.rowOf({ bus: APPLICATION.bus, path }))] ?? -Infinity,
      editedSince: (_bus, since) =>
        Object.entries(changed).flatMap(([named, time]) => time >= since ? [snapshot.path(at(named))] : []),
      states: () => [],
    },
  });
  const name = () => {
    const holder = keys.holder();
    return holder && snapshot.name(snapshot.rowOf(holder));
  };
  const press = (named: string, time: number) => keys.pressed({ look, own: at(named), time });
  return { keys, name, press };
}

Deno.test("a view of Qt that got the keyboard again means its current item, not that of another view", () => {
  assert.equal(keyboard(tree(true, false), "Files").name(), "Beta");
  assert.equal(keyboard(tree(true, false), "Marks").name(), "West");
  assert.equal(keyboard(tree(true, false)).name(), undefined, "of two nobody knows which");
  assert.equal(keyboard(tree(true, true)).name(), "Title");
});

Deno.test("in a window of Qt that does not notice that it has the keyboard, what was pressed has it, if it tells of the keys", () => {
  const { keys, name, press } = keyboard(tree(false, false), "Files", { Title: 80 });
  assert.equal(name(), "Files");
  press("Title", 70);
  assert.equal(name(), "Title");
  const holder = keys.holder();
  assert.ok(holder);
  assert.equal(holder.assumed, 70);
  assert.deepEqual([keys.has(holder), keys.took(holder, 70)], [true, true]);
  assert.equal(keys.took(holder, 85), false, "nothing was told since");
});

Deno.test("a key moved the keyboard there: the field that tells of what is typed has it", () => {
  const { keys, name, press } = keyboard(tree(false, false), undefined, { Title: 80 });
  press("Beta", 60);
  assert.equal(name(), "Beta");
  keys.moved(75);
  assert.equal(name(), "Title");
  keys.moved(90);
  assert.equal(name(), undefined);
});
