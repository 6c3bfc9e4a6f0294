import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { BackstepError } from "../src/base/error.ts";
import type { Application, Desktop, ElementRef } from "../src/desktop/desktop.ts";
import { press } from "../src/desktop/actions/press.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { barOf } from "../src/desktop/scroll-bars.ts";
import { itemContent } from "../src/desktop/item.ts";
import { Role } from "../src/desktop/roles.ts";
import type { Snapshot } from "../src/desktop/snapshot.ts";
import { openSession } from "../src/session/open-session.ts";

const PROGRAM = "/usr/bin/gtk4-demo";
const ignore = !existsSync(PROGRAM);
/** Acts that must be refused. */
const WRITES = 100;
/** Of these, so many are clicked as a workflow would: that reads the whole tree, and takes its time. */
const CLICKS = 10;

/** Rows of the list by their address, with what they show. */
function rowsOf(tree: Snapshot): Map<string, string> {
  const rows = new Map<string, string>();
  for (let row = 0; row < tree.size; row++) {
    if (tree.role(row) === Role.tableRow) rows.set(tree.path(row), itemContent(tree, row));
  }
  return rows;
}

/** What is selected, by what it shows. */
function selectedIn(tree: Snapshot): string[] {
  const rows: string[] = [];
  for (let row = 0; row < tree.size; row++) {
    if (tree.role(row) === Role.tableRow && tree.has(row, "selected")) rows.push(itemContent(tree, row));
  }
  return rows;
}

Deno.test({
  name: "an act on a row of a GTK 4 list that shows something else by then is refused, 100 times of 100" +
    (ignore ? ": not run, gtk-4-examples is not installed" : ""),
  ignore,
}, async () => {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const session = await openSession({ kind: "isolated", state });
  try {
    const { desktop } = session;
    await session.launcher.launch("gtk4-demo", { args: ["--run=listview_ucd"] });
    const application = await listShown(desktop);
    const look = () => desktop.snapshot(application, { fields: [] });
    let tree = await look();
    const list = rowsOf(tree);
    assert.ok(list.size > 100, `${list.size} rows`);
    const bar = barOf(tree, rowWith(tree, [...list.keys()][5] ?? ""), false);
    assert.ok(bar, "the list has a scroll bar");

    const chosen = selectedIn(tree);
    const refused: string[] = [];
    for (let round = 1; refused.length < WRITES; round++) {
      assert.ok(round < 20, `${refused.length} rows were recycled in ${round} scrolls`);
      const before = rowsOf(tree);
      const found = new Map([...before.keys()].map((path) => [path, tree.element(rowWith(tree, path))]));
      await desktop.act(bar, { do: "setValue", value: (round * 210_000) % 1_000_000 });
      // One row tells that the list has moved: the whole tree is read once.
      const [first] = [...before.keys()].slice(40);
      const probe = first === undefined ? undefined : found.get(first);
      assert.ok(probe);
      const { held } = await untilDeadline(
        desktop,
        async () => itemContent(await desktop.snapshot(application, { root: probe, fields: [] }), 0),
        (shows) => shows !== probe.fingerprint.item?.content,
        Deadline.after(3_000),
        application,
      );
      // GTK sometimes takes the first value of a scroll bar without scrolling.
      if (!held) continue;
      assert.deepEqual(selectedIn(tree = await look()), chosen, "nothing was chosen by a refused act");
      const recycled = [...rowsOf(tree)].filter(([path, shows]) =>
        shows !== "" && before.get(path) !== undefined && before.get(path) !== shows
      );
      for (const [path, shows] of recycled.slice(0, Math.min(20, WRITES - refused.length))) {
        const element = found.get(path);
        assert.ok(element);
        const click = refused.length < CLICKS;
        const reported = await refusal(desktop, element, click);
        assert.equal(reported.code, "stale", reported.message);
        assert.equal(reported.details?.outcome, "not_sent", reported.message);
        const { expected, found: now } = reported.details ?? {};
        assert.match(JSON.stringify(expected), contains(before.get(path) ?? ""));
        assert.match(JSON.stringify(now), contains(shows));
        assert.match(reported.message, / showed ".+" and shows ".+" now/);
        refused.push(`${round} ${path}`);
      }
    }
    assert.deepEqual(selectedIn(await look()), chosen, "nothing was chosen by a refused act");
    assert.equal(new Set(refused).size, WRITES);

    // Rows that still show the same: GTK keeps those out of view where they were, so that two seem to lie at one place.
    // Each is either the one that is chosen, or refused.
    tree = await desktop.snapshot(application, { fields: ["extents"] });
    const rects = [...rowsOf(tree).keys()].map((path) => ({ path, rect: tree.rect(rowWith(tree, path)) }));
    const seeming = rects.filter(({ rect }) =>
      rect !== undefined && rect.height > 0 && rect.y > 300 && rect.y < 540
    );
    const overlapping = seeming.filter(({ rect }, k) =>
      rect && seeming.some((other, j) => other.rect && j !== k && Math.abs(other.rect.y - rect.y) < 16)
    );
    assert.ok(overlapping.length >= 4, `${overlapping.length} rows seem to lie at one place`);
    const outcomes = new Set<string>();
    for (const { path } of overlapping.slice(0, 6)) {
      const row = rowWith(tree, path);
      const wanted = itemContent(tree, row);
      try {
        await press(desktop, tree.element(row), {}, Deadline.after(10_000));
      } catch (error) {
        assert.ok(error instanceof BackstepError && error.code === "not_actionable", String(error));
        outcomes.add("refused");
        continue;
      }
      const chosen = async () => selectedIn(await look())[0];
      const seen = await untilDeadline(desktop, chosen, (now) => now === wanted, Deadline.after(10_000));
      assert.equal(seen.last, wanted);
      outcomes.add("chosen");
    }
    assert.ok(outcomes.has("refused") || outcomes.size > 0);
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
});

function rowWith(tree: Snapshot, path: string): number {
  for (let row = 0; row < tree.size; row++) if (tree.path(row) === path) return row;
  throw new Error(`no row at ${path}`);
}

/** The error of an act that must not happen. */
async function refusal(desktop: Desktop, element: ElementRef, click: boolean): Promise<BackstepError> {
  try {
    if (click) await press(desktop, element, {}, Deadline.after(10_000));
    else await desktop.act(element, { do: "focus" });
  } catch (error) {
    if (error instanceof BackstepError) return error;
    throw error;
  }
  throw new Error(`it was done to ${element.path}`);
}

/** The beginning of a text as it stands in JSON. */
function contains(text: string): RegExp {
  const start = JSON.stringify(text.slice(0, 60)).slice(1, -1);
  return new RegExp(start.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}

/** Waits until the list is there. */
async function listShown(desktop: Desktop): Promise<Application> {
  const look = async () => {
    const [application] = await desktop.applications();
    const tree = application && await desktop.snapshot(application, { fields: [] });
    return tree !== undefined && rowsOf(tree).size > 100 ? application : undefined;
  };
  const deadline = Deadline.after(20_000);
  const watch = desktop.watch();
  try {
    for (;;) {
      const application = await look();
      if (application !== undefined) return application;
      deadline.check("wait for the list");
      await watch.next({ timeout: 200 });
      watch.take();
    }
  } finally {
    watch.close();
  }
}
