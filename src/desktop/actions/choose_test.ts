import assert from "node:assert/strict";
import { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import type { Application, SnapshotOptions } from "../desktop.ts";
import { FakeDesktop } from "../locator/_desktop.ts";
import type { Snapshot } from "../snapshot.ts";
import { chooseItem } from "./choose.ts";

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
