import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { Deadline } from "../base/call.ts";
import { NO_BASELINES, NO_EVIDENCE } from "../contract/baselines.ts";
import type { Context } from "../contract/operation.ts";
import { buildSnapshot, type NodeDescription } from "../desktop/build.ts";
import { FakeDesktop } from "../desktop/locator/_desktop.ts";
import { editor } from "../desktop/selector/_fixture.ts";
import type { Refreshed } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { lookKept } from "./look-kept.ts";
import { reachManager } from "../session/reach-manager.ts";
import type { Session } from "../session/session.ts";

const save = (path: string, name = "Save"): NodeDescription => ({
  role: "pushButton",
  name,
  path,
  rect: { x: 10, y: 10, width: 80, height: 20 },
  states: ["enabled", "sensitive", "showing", "visible"],
});
const tree = (...children: NodeDescription[]): NodeDescription => ({
  role: "application",
  name: "editor",
  path: "/0",
  children: [{ role: "frame", name: "Editor", path: "/1", states: ["showing", "visible"], children }],
});

/** A desktop that keeps nothing: the tree is read, and what is asked afresh a moment later is as the test says. */
class Reading extends FakeDesktop {
  readonly asked: number[] = [];
  readonly #now: NodeDescription;

  constructor(before: NodeDescription, now: NodeDescription) {
    super(editor, before);
    this.#now = now;
  }
  refresh(_snapshot: Snapshot, rows: readonly number[]): Promise<Refreshed> {
    this.asked.push(rows.length);
    return Promise.resolve({ snapshot: buildSnapshot(this.#now, editor), shows: true });
  }
}

function contextOf(desktop: FakeDesktop): Context {
  const none = () => Promise.reject(new Error("nothing is launched here"));
  const session: Session = {
    kind: "simulated",
    label: "fake",
    desktop,
    launcher: { catalogue: none, launch: none, quit: none, list: () => Promise.resolve([]) },
    home: undefined,
    id: undefined,
    close: () => Promise.resolve(),
  };
  return {
    session,
    manager: reachManager(session),
    desktop,
    deadline: Deadline.after(1_000),
    app: undefined,
    folder: tmpdir(),
    baselines: NO_BASELINES,
    evidence: NO_EVIDENCE,
    progress: () => {},
  };
}

Deno.test("several that match in a tree that was read just now are asked afresh, one alone is not", async () => {
  const two = new Reading(tree(save("/2"), save("/3")), tree(save("/2"), save("/3", "Close")));
  const seen = await lookKept(contextOf(two), 'button[name="Save"]');
  assert.deepEqual([seen?.rows.map((row) => seen.snapshot.path(row)), two.asked], [["/2"], [2]]);
  const one = new Reading(tree(save("/2"), save("/3", "Close")), tree(save("/2", "Other")));
  const alone = await lookKept(contextOf(one), 'button[name="Save"]');
  assert.deepEqual([alone?.rows.map((row) => alone.snapshot.path(row)), one.asked], [["/2"], []]);
});

Deno.test("for the first that shows only the first is asked, and the others where it does not show", async () => {
  const hidden = (path: string) => ({ ...save(path), states: ["enabled", "sensitive"] as const });
  const both = tree(save("/2"), save("/3"));
  const look = async (now: NodeDescription, target: string) => {
    const desktop = new Reading(both, now);
    const seen = await lookKept(contextOf(desktop), target, { first: true });
    return [desktop.asked, seen?.rows.length];
  };
  assert.deepEqual(await look(both, 'button[name="Save"]'), [[1], 2]);
  const other = tree(hidden("/2"), save("/3"));
  assert.deepEqual(await look(other, 'button[name="Save"]'), [[1, 2], 2]);
  const another = tree(save("/2", "Close"), save("/3"));
  assert.deepEqual(await look(another, 'button[name="Save"]'), [[1, 2], 1]);
  // Of a bare text how many are meant depends on which of them show.
  assert.deepEqual(await look(other, "Save"), [[2], 1]);
  assert.deepEqual(await look(other, 'button[name="Save"]:visible'), [[2], 1]);
});
