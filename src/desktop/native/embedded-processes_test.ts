import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import { Snapshot } from "../snapshot.ts";
import { EmbeddedProcesses } from "./embedded-processes.ts";

const HOST = { bus: ":1.3", name: "host", pid: 7, toolkit: "gtk", toolkitVersion: "3.24.38" };
const PAGE = ":1.4";
const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

/** A window with a button, and a page that is scrolled by 500 pixels, with a frame in it. */
function tree(): NodeDescription {
  const inPage = { bus: PAGE };
  return {
    role: "application",
    children: [{
      role: "frame",
      name: "Window",
      rect: rect(0, 0, 800, 600),
      path: "/window",
      children: [
        { role: "pushButton", name: "Own", path: "/own", rect: rect(0, 0, 50, 20) },
        {
          role: "filler",
          path: "/socket",
          states: [],
          rect: rect(0, 20, 800, 580),
          children: [{
            ...inPage,
            role: "filler",
            path: "/org/plug",
            states: [],
            rect: rect(0, -480, 800, 580),
            children: [{
              ...inPage,
              role: "scrollPane",
              path: "/org/pane",
              states: ["focusable"],
              rect: rect(0, -480, 800, 2000),
              children: [{
                ...inPage,
                role: "documentWeb",
                name: "Page",
                path: "/org/document",
                rect: rect(0, -480, 800, 2000),
                children: [
                  {
                    ...inPage,
                    role: "pushButton",
                    name: "Go",
                    path: "/org/go",
                    rect: rect(10, 30, 50, 20),
                    relations: { 2: ["/org/label", "/org/other"] },
                  },
                  {
                    ...inPage,
                    role: "internalFrame",
                    path: "/org/frame",
                    rect: rect(10, 60, 100, 50),
                    children: [{
                      ...inPage,
                      role: "scrollPane",
                      path: "/org/inner",
                      states: [],
                      rect: rect(20, 500, 100, 300),
                      children: [{
                        ...inPage,
                        role: "documentWeb",
                        path: "/org/inner/document",
                        rect: rect(10, -90, 100, 300),
                        children: [{
                          ...inPage,
                          role: "section",
                          path: "/org/section",
                          rect: rect(12, 62, 9, 9),
                        }],
                      }],
                    }],
                  },
                ],
              }],
            }],
          }],
        },
      ],
    }],
  };
}

function adopted(processes = new EmbeddedProcesses()): Snapshot {
  const { columns, origin } = buildSnapshot(tree(), HOST);
  return new Snapshot(processes.adopt(columns, HOST.bus), origin);
}

const rowOf = (snapshot: Snapshot, path: string) => snapshot.rowOf({ bus: HOST.bus, path });

Deno.test("what another process tells is the application's, and is known there by who answers", () => {
  const snapshot = adopted();
  const go = snapshot.element(rowOf(snapshot, ":1.4/org/go"));
  assert.equal(go.bus, HOST.bus);
  assert.equal(go.fingerprint.name, "Go");
  assert.deepEqual(go.ancestors?.slice(0, 2), [":1.4/org/document", ":1.4/org/pane"]);
  assert.deepEqual(snapshot.relation(rowOf(snapshot, ":1.4/org/go"), 2), [
    ":1.4/org/label",
    ":1.4/org/other",
  ]);
  assert.ok(rowOf(snapshot, "/own") > 0);
});

Deno.test("a page shows where its window does, and lies where it is embedded", () => {
  const snapshot = adopted();
  for (const path of ["/socket", ":1.4/org/plug", ":1.4/org/pane"]) {
    const row = rowOf(snapshot, path);
    assert.ok(snapshot.has(row, "visible") && snapshot.has(row, "showing"), path);
  }
  for (const path of [":1.4/org/plug", ":1.4/org/pane", ":1.4/org/document"]) {
    assert.deepEqual(snapshot.rect(rowOf(snapshot, path)), rect(0, 20, 800, 580), path);
  }
  assert.deepEqual(snapshot.rect(rowOf(snapshot, ":1.4/org/go")), rect(10, 30, 50, 20));
});

Deno.test("a frame in a page is a page of its own", () => {
  const snapshot = adopted();
  for (const path of [":1.4/org/inner", ":1.4/org/inner/document"]) {
    assert.deepEqual(snapshot.rect(rowOf(snapshot, path)), rect(10, 60, 100, 50), path);
  }
  assert.ok(snapshot.has(rowOf(snapshot, ":1.4/org/inner"), "visible"));
  assert.deepEqual(snapshot.rect(rowOf(snapshot, ":1.4/org/section")), rect(12, 62, 9, 9));
});

Deno.test("elements that are told by themselves, in an answer or an event, are known again", () => {
  const processes = new EmbeddedProcesses();
  assert.equal(processes.isIn(HOST.bus), false);
  adopted(processes);
  assert.equal(processes.isIn(HOST.bus), true);
  assert.deepEqual(processes.address({ bus: PAGE, path: "/org/go" }), { bus: HOST.bus, path: ":1.4/org/go" });
  assert.deepEqual(processes.address({ bus: ":1.9", path: "/org/go" }), { bus: ":1.9", path: "/org/go" });
  assert.equal(processes.frameOf(HOST.bus, ":1.4/org/document"), "/socket");
  assert.equal(processes.frameOf(HOST.bus, ":1.4/org/inner"), ":1.4/org/frame");
  processes.forget(HOST.bus);
  assert.equal(processes.frameOf(HOST.bus, ":1.4/org/document"), undefined);
  assert.deepEqual(processes.address({ bus: PAGE, path: "/org/go" }), { bus: PAGE, path: "/org/go" });
});

Deno.test("an application with nothing embedded stays as it was told", () => {
  const { columns } = buildSnapshot({ role: "application", children: [{ role: "frame" }] }, HOST);
  const processes = new EmbeddedProcesses();
  assert.equal(processes.adopt(columns, HOST.bus), columns);
  assert.equal(processes.isIn(HOST.bus), false);
});

Deno.test("one element that was asked for by itself is the application's, too", () => {
  const node = { role: "pushButton", name: "Go", path: "/org/go", bus: PAGE } as const;
  const { columns, origin } = buildSnapshot(node, HOST);
  const alone = new Snapshot(new EmbeddedProcesses().adopt(columns, HOST.bus), origin);
  assert.deepEqual(alone.element(0).path, ":1.4/org/go");
  assert.equal(alone.element(0).bus, HOST.bus);
});
