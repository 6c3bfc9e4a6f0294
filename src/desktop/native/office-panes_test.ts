import assert from "node:assert/strict";
import { Role } from "../roles.ts";
import { Snapshot } from "../snapshot.ts";
import { decodeColumns } from "./columns.ts";
import { fakeSnapshot } from "./_reply.ts";
import { OfficePanes } from "./office-panes.ts";

type Row = readonly [
  parent: number,
  role: number,
  path: string,
  rect: readonly [x: number, y: number, width: number, height: number],
];

function tree(...rows: readonly Row[]): Snapshot {
  const application = { bus: ":1.5", name: "soffice", pid: 1, toolkit: "gtk", toolkitVersion: "3.24.38" };
  const reply = fakeSnapshot(
    rows.map(([parent, role, path, rect]) => ({ parent, role, path, rect, name: path })),
  );
  const { columns, ...how } = decodeColumns(reply);
  return new Snapshot(columns, { application, generation: 0, ...how });
}

const CELL: Row = [3, Role.tableCell, "/cell", [10, 50, 80, 17]];
const WINDOW: readonly Row[] = [
  [-1, Role.application, "/", [0, 0, 0, 0]],
  [0, Role.frame, "/frame", [0, 0, 1280, 800]],
  [1, Role.panel, "/around", [0, 44, 1280, 756]],
  [2, Role.rootPane, "/pane", [0, 19, 1280, 756]],
  CELL,
  [3, Role.menuItem, "/item", [900, 290, 200, 25]],
  [1, Role.pushButton, "/button", [1256, 23, 16, 16]],
];
const ys = (snapshot: Snapshot) => Array.from({ length: snapshot.size }, (_, row) => snapshot.rect(row)?.y);

Deno.test("LibreOffice: what a window holds below its menu bar is moved down, and what menus hold is not", () => {
  const panes = new OfficePanes();
  const whole = tree(...WINDOW);
  panes.move(whole, undefined);
  assert.deepEqual(ys(whole), [0, 0, 44, 44, 75, 290, 23]);

  const cell = tree([-1, CELL[1], CELL[2], CELL[3]]);
  panes.move(cell, { bus: ":1.5", path: "/cell", ancestors: ["/pane", "/around", "/frame"] });
  assert.deepEqual(ys(cell), [75], "read by itself it is moved as much");
  const button = tree([-1, Role.pushButton, "/button", [1256, 23, 16, 16]]);
  panes.move(button, { bus: ":1.5", path: "/button", ancestors: ["/frame"] });
  assert.deepEqual(ys(button), [23]);
});

Deno.test("LibreOffice: a pane that lies where the panel around it is stays, also after another window had a menu bar", () => {
  const panes = new OfficePanes();
  panes.move(tree(...WINDOW), undefined);
  const reported = WINDOW.map(([parent, role, path, rect]): Row => [
    parent,
    role,
    path,
    path === "/pane" ? [0, 44, 1280, 756] : rect,
  ]);
  const whole = tree(...reported);
  panes.move(whole, undefined);
  assert.deepEqual(ys(whole), [0, 0, 44, 44, 50, 290, 23]);
});
