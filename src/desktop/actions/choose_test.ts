import assert from "node:assert/strict";
import { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import type { Application, Desktop, SnapshotOptions } from "../desktop.ts";
import { FakeDesktop } from "../locator/_desktop.ts";
import type { Snapshot } from "../snapshot.ts";
import { Interface } from "../interfaces.ts";
import { choose, chooseItem } from "./choose.ts";

const QT: Application = { bus: ":1.7", name: "gallery", pid: 7, toolkit: "Qt", toolkitVersion: "5.15" };
const STATES = ["enabled", "sensitive", "visible", "showing", "selectable"] as const;

const list = (item: string): NodeDescription => ({
  role: "list",
  name: "Places",
  path: "/2",
  states: ["enabled", "sensitive", "visible", "showing"],
  children: [{
    role: "listItem",
    name: "",
    path: "/3",
    states: [...STATES],
    children: [{ role: "label", name: item, path: "/4" }],
  }],
});

const tree = (item: string): NodeDescription => ({
  role: "application",
  name: "gallery",
  path: "/0",
  children: [{
    role: "frame",
    name: "Gallery",
    path: "/1",
    states: ["visible", "showing"],
    children: [list(item)],
  }],
});

/** Its list shows something else in the same row once it is read by itself. */
class Recycling extends FakeDesktop {
  override snapshot(application: Application, { root }: SnapshotOptions = {}): Promise<Snapshot> {
    return Promise.resolve(buildSnapshot(root ? list("Home") : this.tree, application));
  }
}

Deno.test("a row of Qt's list that shows another item by now is stale", async () => {
  const desktop = new Recycling(QT, tree("Computer"));
  const kept = await desktop.snapshot(QT);
  const item = kept.element(3);
  assert.equal(item.fingerprint.item?.content, "Computer");
  await assert.rejects(
    chooseItem(desktop, item, Deadline.after(2_000)),
    (thrown) => thrown instanceof BackstepError && thrown.code === "stale",
  );
});

const GTK4: Application = { bus: ":1.8", name: "gallery", pid: 8, toolkit: "GTK", toolkitVersion: "4.8" };

const notebook = (chosen: number): NodeDescription => ({
  role: "pageTabList",
  path: "/tabs",
  states: ["enabled", "sensitive", "visible", "showing"],
  interfaces: Interface.selection,
  children: ["One", "Two"].map((name, index) => ({
    role: "pageTab",
    name,
    path: `/tabs/${index}`,
    states: [...STATES, ...(index === chosen ? ["selected"] as const : [])],
  })),
});

/** A row of tabs that is chosen in by Selection, and writes down what is read: "all" or the element's path. */
class Tabs extends FakeDesktop {
  readonly asked: string[] = [];
  #chosen = 1;

  constructor() {
    super(GTK4, Tabs.#application(1));
  }

  override snapshot(application: Application, { root }: SnapshotOptions = {}): Promise<Snapshot> {
    this.asked.push(root?.path ?? "all");
    return Promise.resolve(buildSnapshot(root ? notebook(this.#chosen) : this.tree, application));
  }

  override act: Desktop["act"] = (_element, act) => {
    if (act.do !== "select") throw new Error(`unexpected: ${act.do}`);
    this.#chosen = act.child;
    this.become(Tabs.#application(act.child));
    return Promise.resolve(undefined);
  };

  static #application(chosen: number): NodeDescription {
    return {
      role: "application",
      path: "/0",
      children: [{ role: "frame", path: "/1", states: ["visible"], children: [notebook(chosen)] }],
    };
  }
}

Deno.test("a tab is chosen again by its number without a look at the pages", async () => {
  const desktop = new Tabs();
  const list = (await desktop.snapshot(GTK4)).element(2);
  desktop.asked.length = 0;
  const done = await choose(desktop, GTK4, list, [0], Deadline.after(2_000));
  assert.deepEqual([done.method, done.verified], ["Selection.SelectChild", true]);
  assert.deepEqual(desktop.asked, ["/tabs"]);
});
