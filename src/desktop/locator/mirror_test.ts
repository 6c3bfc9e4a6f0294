import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import type { SnapshotOptions } from "../desktop.ts";
import type { Application, ElementRef } from "../element.ts";
import { editor } from "../selector/_fixture.ts";
import type { Snapshot } from "../snapshot.ts";
import { FakeDesktop } from "./_desktop.ts";
import { Locator, type ResolveOptions } from "./locator.ts";

/** A desktop that keeps a mirror, which is what the test says: right, or wrong. */
class MirroringDesktop extends FakeDesktop {
  mirror: NodeDescription;
  readonly looks: string[] = [];

  constructor(tree: NodeDescription, mirror = tree) {
    super(editor, tree);
    this.mirror = mirror;
  }
  override snapshot(application: Application, options: SnapshotOptions = {}): Promise<Snapshot> {
    this.looks.push(options.source ?? "application");
    if (options.source !== "held" && options.source !== "remembered") return super.snapshot(application);
    const kept = buildSnapshot(this.mirror, application, { mirror: { generation: 1, afresh: 0, proven: 5 } });
    return Promise.resolve(kept);
  }
  verify(element: ElementRef): Promise<Snapshot> {
    this.looks.push("verify");
    const now = buildSnapshot(this.tree, editor);
    const row = now.rowOf(element);
    if (row < 0) return Promise.reject(new BackstepError("stale", "Cannot verify: no such element"));
    const { name, description, id } = element.fingerprint.name === now.name(row)
      ? { name: now.name(row), description: now.description(row), id: now.id(row) }
      : { name: now.name(row), description: "", id: "" };
    const states = statesOf(now, row), rect = now.rect(row);
    const only = {
      role: now.role(row),
      name,
      description,
      id,
      states,
      path: element.path,
      ...(rect ? { rect } : {}),
    };
    return Promise.resolve(buildSnapshot(only, editor));
  }
}

function statesOf(snapshot: Snapshot, row: number) {
  const all = ["enabled", "sensitive", "showing", "visible", "focusable", "checked"] as const;
  return all.filter((state) => snapshot.has(row, state));
}

const place = { x: 10, y: 10, width: 80, height: 20 };
const button = (name: string, path: string, more: Partial<NodeDescription> = {}): NodeDescription => ({
  role: "pushButton",
  name,
  path,
  rect: place,
  states: ["enabled", "sensitive", "showing", "visible"],
  ...more,
});
const tree = (...children: NodeDescription[]): NodeDescription => ({
  role: "application",
  name: "Editor",
  path: "/root",
  children: [{ role: "frame", name: "Draft", path: "/frame", children }],
});
const save = button("Save", "/save"), open = button("Open", "/open");

function resolve(desktop: FakeDesktop, selector: string, options: ResolveOptions = {}) {
  return new Locator(desktop, { application: editor, selector }).resolve({ timeout: 100, ...options });
}
async function codeOf(failing: Promise<unknown>): Promise<string> {
  const error = await failing.then(() => undefined, (thrown: unknown) => thrown);
  return error instanceof BackstepError ? error.code : "it resolved";
}

Deno.test("what the mirror shows is read afresh, and nothing else is read", async () => {
  const desktop = new MirroringDesktop(tree(save, open));
  const match = await resolve(desktop, 'button[name="Save"]');
  assert.deepEqual(desktop.looks, ["remembered", "verify"]);
  assert.deepEqual([match.element.path, match.snapshot.origin.source], ["/save", "mirror"]);
  assert.deepEqual(match.snapshot.rect(match.row), place);
});

const LIES: readonly [what: string, mirror: NodeDescription][] = [
  ["it has gone", tree(button("Save", "/gone"), open)],
  ["its path shows something else now", tree(button("Save", "/open"), button("Open", "/save"))],
  ["it was disabled then", tree(button("Save", "/save", { states: ["showing", "visible"] }), open)],
  ["there were two", tree(save, button("Save", "/second"))],
  ["it was not there", tree(open)],
];
for (const [what, mirror] of LIES) {
  Deno.test(`where the mirror is wrong (${what}), the application is read`, async () => {
    const desktop = new MirroringDesktop(tree(save, open), mirror);
    const match = await resolve(desktop, 'button[name="Save"]');
    assert.equal(desktop.looks.at(-1), "application");
    assert.deepEqual([match.element.path, match.snapshot.origin.source], ["/save", "application"]);
  });
}

Deno.test("that nothing matches, or several do, is said of the application only", async () => {
  const desktop = new MirroringDesktop(tree(save, button("Save", "/second")), tree(open));
  assert.equal(await codeOf(resolve(desktop, 'button[name="Save"]')), "ambiguous");
  assert.equal(await codeOf(resolve(desktop, 'button[name="Print"]')), "not_found");
  assert.equal(desktop.looks.at(-1), "proven");
});

Deno.test("an earlier reading of a query is not given up because of the mirror", async () => {
  const desktop = new MirroringDesktop(tree(save, button("Save as", "/as")), tree(button("Save as", "/as")));
  const match = await resolve(desktop, "Save");
  assert.deepEqual([match.element.path, match.strategy], ["/save", "title_exact"]);
});

Deno.test("texts, places and readiness are asked of the application", async () => {
  const desktop = new MirroringDesktop(tree(save, open));
  await resolve(desktop, 'button:has-text("Save")');
  await resolve(desktop, 'button[name="Save"]', { fields: ["text"] });
  await resolve(desktop, 'button[name="Save"]', { source: "application" });
  assert.deepEqual(desktop.looks, ["application", "application", "application"]);
});

Deno.test("waiting until it is gone ends when the application says so, not when the mirror does", async () => {
  const still = new MirroringDesktop(tree(save, open), tree(open));
  const locator = new Locator(still, { application: editor, selector: 'button[name="Save"]' });
  assert.equal(await codeOf(locator.waitGone({ timeout: 80 })), "timeout");
  const gone = new MirroringDesktop(tree(open), tree(save, open));
  await new Locator(gone, { application: editor, selector: 'button[name="Save"]' }).waitGone({
    timeout: 500,
  });
  assert.deepEqual(gone.looks, ["remembered", "verify", "application"]);
});
