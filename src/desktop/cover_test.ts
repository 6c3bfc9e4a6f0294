import assert from "node:assert/strict";
import { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { instead } from "./_instead.ts";
import { buildSnapshot, type NodeDescription } from "./build.ts";
import { coverOf } from "./cover.ts";
import type { Rect } from "./element.ts";
import { Snapshot } from "./snapshot.ts";
import { editor } from "./selector/_fixture.ts";
import { simulate } from "./simulated/simulate.ts";

const qt = { ...editor, toolkit: "Qt", toolkitVersion: "5.15.8" };
const place: Rect = { x: 10, y: 40, width: 100, height: 20 };
const cell = (path: string): NodeDescription => ({ role: "tableCell", name: "cell 11", path, rect: place });

/** A window of this. */
const shown = (...children: NodeDescription[]): NodeDescription => ({
  role: "application",
  children: [{
    role: "frame",
    name: "Main",
    path: "/main",
    rect: { x: 0, y: 0, width: 300, height: 200 },
    children,
  }],
});

/** A window with a table of one cell, which has another address at each look, and what lies above that. */
const tree = (path: string, ...above: NodeDescription[]) =>
  shown(
    { role: "table", path: "/table", rect: { ...place, y: 20, height: 60 }, children: [cell(path)] },
    ...above,
  );

async function coverIs(
  now: NodeDescription,
  hit: { readonly path: string; readonly reported: NodeDescription },
) {
  const found = buildSnapshot(tree("/cell/1"), qt), later = buildSnapshot(now, qt);
  const row = found.rowOf({ bus: qt.bus, path: "/cell/1" });
  const reported = buildSnapshot({ role: "application", children: [hit.reported] }, qt);
  const desktop = simulate({ applications: [] });
  const reading = {
    ...await desktopReading(),
    role: reported.role(1),
    name: reported.name(1),
    rect: reported.rect(1),
  };
  let trees = 0;
  const cover = await coverOf(
    instead(desktop, {
      read: () => Promise.resolve(reading),
      snapshot: () => {
        trees++;
        return Promise.resolve(later);
      },
    }),
    {
      application: qt,
      snapshot: found,
      row,
      point: { x: 60, y: 50 },
      window: found.element(found.rowOf({ bus: qt.bus, path: "/main" })),
    },
    { hit: { bus: qt.bus, path: hit.path }, key: "", at: 0 },
    Deadline.after(1_000),
  );
  return { cover, trees };
}

/** Any reading, of which what matters is replaced. */
async function desktopReading() {
  const desktop = simulate({ applications: ["sim.calculator"] });
  const [application] = await desktop.applications();
  if (application === undefined) throw new BackstepError("internal", "Cannot read: there is no calculator");
  return await desktop.read((await desktop.snapshot(application)).element(1));
}

const sheet: NodeDescription = { role: "panel", name: "made", path: "/sheet", rect: place };

Deno.test("a cell with another address is the same one, and no tree is read to say so", async () => {
  assert.deepEqual(await coverIs(tree("/cell/2"), { path: "/cell/2", reported: cell("/cell/2") }), {
    cover: undefined,
    trees: 0,
  });
});

Deno.test("what was made above a cell since is not taken for the cell", async () => {
  assert.deepEqual(await coverIs(tree("/cell/2", sheet), { path: "/sheet", reported: sheet }), {
    cover: 'panel "made"',
    trees: 1,
  });
});

const gtk4 = { ...editor, toolkit: "gtk", toolkitVersion: "4.8.3" };
const tick: NodeDescription = { role: "checkBox", name: "Tick", path: "/tick", rect: place };

for (const what of ["nothing came", "a sheet came"]) {
  Deno.test(`where GTK 4 says that nothing lies there, what is kept is compared: ${what}`, async () => {
    const came = what === "a sheet came";
    const built = buildSnapshot(shown(tick), gtk4);
    const later = buildSnapshot(shown(tick, ...came ? [sheet] : []), gtk4);
    const mirror = { generation: 3, afresh: 0, proven: 0 };
    const kept = new Snapshot(built.columns, { ...built.origin, source: "mirror", mirror });
    const read: string[] = [];
    const desktop = instead(simulate({ applications: [] }), {
      snapshot: (_application, { source = "application" } = {}) => {
        read.push(source);
        return Promise.resolve(source === "proven" && !came ? kept : later);
      },
      // What has just come is named only once the tree was read.
      elementAt: () =>
        Promise.resolve(read.includes("application") ? { bus: gtk4.bus, path: "/sheet" } : undefined),
    });
    const pointed = {
      application: gtk4,
      snapshot: kept,
      row: kept.rowOf({ bus: gtk4.bus, path: "/tick" }),
      point: { x: 60, y: 50 },
      window: kept.element(kept.rowOf({ bus: gtk4.bus, path: "/main" })),
    };
    assert.deepEqual(
      [await coverOf(desktop, pointed, { at: 0 }, Deadline.after(1_000)), read],
      came ? ['panel "made"', ["proven", "application"]] : [undefined, ["proven"]],
    );
  });
}
