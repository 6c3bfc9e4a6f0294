import assert from "node:assert/strict";
import { buildSnapshot } from "../build.ts";
import { QtPopups } from "./qt-popups.ts";

const APPLICATION = { bus: ":1.5", name: "a", pid: 7, toolkit: "Qt", toolkitVersion: "5.15" };
const SHOWS = "object:state-changed:showing";

const tree = buildSnapshot({
  role: "application",
  path: "/root",
  children: [{
    role: "frame",
    name: "window",
    path: "/1",
    children: [{ role: "pushButton", name: "Save", path: "/2" }],
  }],
}, APPLICATION);
const menu = (showing: boolean) =>
  buildSnapshot({
    role: "popupMenu",
    path: "/7",
    without: showing ? [] : ["showing"],
    rect: { x: 5, y: 6, width: 70, height: 40 },
    children: [{ role: "menuItem", name: "Rename", path: "/8" }, {
      role: "menuItem",
      name: "Remove…",
      path: "/9",
    }],
  }, APPLICATION);

Deno.test("a context menu of Qt that was reported to show is the last child of its application until it shows no more", async () => {
  const popups = new QtPopups();
  const read = (popup: ReturnType<typeof menu> | undefined) =>
    popups.added(tree, () => Promise.resolve(popup));
  assert.equal(popups.mayHave(APPLICATION), false);
  popups.reported(":1.5", "/7", SHOWS, true);
  assert.equal(popups.mayHave(APPLICATION), true);
  const whole = await read(menu(true));
  assert.equal(whole.size, 6);
  assert.deepEqual(whole.children(0).map((row) => whole.path(row)), ["/1", "/7"]);
  const item = whole.rowOf({ bus: ":1.5", path: "/9" });
  assert.deepEqual([whole.name(item), whole.role(item), whole.path(whole.parent(item))], [
    "Remove…",
    menu(true).role(2),
    "/7",
  ]);
  assert.equal(whole.name(whole.rowOf({ bus: ":1.5", path: "/2" })), "Save");
  assert.deepEqual(whole.rect(whole.parent(item)), { x: 5, y: 6, width: 70, height: 40 });
  popups.reported(":1.5", "/7", SHOWS, false);
  assert.equal(popups.mayHave(APPLICATION), false);
});

Deno.test("what is in the tree, is no menu, shows no more or is gone is none, and is not asked again", async () => {
  const button = buildSnapshot({ role: "pushButton", path: "/3" }, APPLICATION);
  for (
    const [path, popup] of [["/2", menu(true)], ["/3", button], ["/7", menu(false)], [
      "/7",
      undefined,
    ]] as const
  ) {
    const popups = new QtPopups();
    popups.reported(":1.5", path, SHOWS, true);
    assert.equal(await popups.added(tree, () => Promise.resolve(popup)), tree);
    assert.equal(popups.mayHave(APPLICATION), false);
  }
});
