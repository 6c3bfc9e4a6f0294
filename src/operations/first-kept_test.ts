import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { catalogue } from "../catalogue.ts";
import { Gate, OPEN_PORTS } from "../contract/gate.ts";
import { buildSnapshot, type NodeDescription } from "../desktop/build.ts";
import type { Application, SnapshotOptions, VerifyManagedOptions } from "../desktop/desktop.ts";
import { FakeDesktop } from "../desktop/locator/_desktop.ts";
import { editor } from "../desktop/selector/_fixture.ts";
import type { Snapshot } from "../desktop/snapshot.ts";

/** A desktop that keeps a mirror, which is what the test says: right, or behind. */
class Mirroring extends FakeDesktop {
  mirror: NodeDescription;
  readonly looks: string[] = [];

  constructor(tree: NodeDescription, mirror = tree) {
    super(editor, tree);
    this.mirror = mirror;
  }
  override snapshot(application: Application, options: SnapshotOptions = {}): Promise<Snapshot> {
    const { root, source = "application" } = options;
    this.looks.push(root ? "one" : source);
    if (source === "held" || source === "remembered") {
      const origin = { mirror: { generation: 1, afresh: 0, proven: 5 } };
      return Promise.resolve(buildSnapshot(this.mirror, application, origin));
    }
    if (root === undefined) return super.snapshot(application);
    const found = nodeAt(this.tree, root.path);
    return found
      ? Promise.resolve(buildSnapshot({ ...found, children: [] }, application))
      : Promise.reject(new BackstepError("stale", "Cannot read: no such element"));
  }
}

function nodeAt(node: NodeDescription, path: string): NodeDescription | undefined {
  if (node.path === path) return node;
  for (const child of node.children ?? []) {
    const found = nodeAt(child, path);
    if (found) return found;
  }
  return undefined;
}

const button = (name: string, path: string, more: Partial<NodeDescription> = {}): NodeDescription => ({
  role: "pushButton",
  name,
  path,
  rect: { x: 10, y: 10, width: 80, height: 20 },
  states: ["enabled", "sensitive", "showing", "visible"],
  ...more,
});
const tree = (...children: NodeDescription[]): NodeDescription => ({
  role: "application",
  name: "editor",
  path: "/0",
  children: [{ role: "frame", name: "Editor", path: "/1", states: ["showing", "visible"], children }],
});

const Found = z.looseObject({
  found: z.boolean(),
  count: z.int(),
  elements: z.array(
    z.looseObject({ name: z.string(), path: z.string(), position: z.array(z.int()).optional() }),
  ),
});

async function find(desktop: Mirroring, target: unknown) {
  const none = () => Promise.reject(new Error("nothing is launched here"));
  const gate = new Gate({
    operations: catalogue,
    session: {
      kind: "simulated",
      label: "fake",
      desktop,
      launcher: { catalogue: none, launch: none, quit: none, list: () => Promise.resolve([]) },
      home: undefined,
      id: undefined,
      close: () => Promise.resolve(),
    },
    folder: tmpdir(),
    ports: OPEN_PORTS,
  });
  const { output } = await gate.dispatch({ operation: "find", input: { target } });
  return { ...Found.parse(output), looks: desktop.looks };
}

Deno.test("what is kept answers, and only the element is read afresh", async () => {
  const moved = { rect: { x: 30, y: 40, width: 80, height: 20 } };
  const desktop = new Mirroring(
    tree(button("Save", "/2", moved), button("Load", "/3")),
    tree(button("Save", "/2"), button("Load", "/3")),
  );
  const { found, count, elements, looks } = await find(desktop, 'button[name="Save"]');
  assert.deepEqual([found, count, elements[0]?.name, elements[0]?.position], [true, 1, "Save", [30, 40]]);
  assert.match(elements[0]?.path ?? "", /^macos:\/\/ui\/.*AXButton\[@AXTitle="Save"\]$/);
  assert.deepEqual(looks, ["remembered", "one"]);
});

Deno.test("of several the first is answered, with their number", async () => {
  const desktop = new Mirroring(tree(button("Save", "/2"), button("Save", "/3"), button("Load", "/4")));
  const { count, elements, looks } = await find(desktop, "button");
  assert.deepEqual([count, elements.length, elements[0]?.name], [3, 1, "Save"]);
  assert.deepEqual(looks, ["remembered", "one"]);
});

for (
  const [what, kept, target] of [
    ["nothing that is kept matches", tree(button("Load", "/3")), 'button[name="Save"]'],
    ["the element is another by now", tree(button("Open", "/2")), 'button[name="Open"]'],
    ["the element is gone", tree(button("Old", "/9")), 'button[name="Old"]'],
    ["a later way to read the query finds it", tree(button("Save as", "/2")), "save"],
    ["one of several is asked", tree(button("Save", "/2")), { selector: "button", nth: 1 }],
    ["a text is asked, which is not kept", tree(button("Save", "/2")), 'button[value="x"]'],
  ] as const
) {
  Deno.test(`the application itself is asked where ${what}`, async () => {
    const desktop = new Mirroring(tree(button("Save", "/2"), button("Load", "/3")), kept);
    const { looks } = await find(desktop, target);
    assert.equal(looks.at(-1), "application");
  });
}

/** A mirror of an application whose lists manage what they hold: that is not kept current, and asked for. */
class WithLists extends Mirroring {
  readonly verified: boolean[] = [];
  /** Paths of what does not show any more. */
  hidden: readonly string[] = [];

  verifyManaged(
    kept: Snapshot,
    _roles: readonly number[],
    { showing = false }: VerifyManagedOptions = {},
  ): Promise<Snapshot> {
    this.verified.push(showing);
    const states = kept.columns.states.slice();
    for (let row = 0; row < kept.size; row++) if (this.hidden.includes(kept.path(row))) states[2 * row] = 0;
    return Promise.resolve(kept.with({ states }));
  }
}

const files = (...children: NodeDescription[]): NodeDescription => ({
  role: "treeTable",
  name: "Files",
  path: "/5",
  states: ["showing", "visible", "managesDescendants"],
  children,
});
const HIDDEN = { states: ["enabled", "sensitive", "visible"] } as const;

Deno.test("where one shows that matches, only lists that may show are asked; else each is", async () => {
  const save = 'role:AXButton title:"Save"';
  const shows = new WithLists(tree(files(button("Save", "/6", HIDDEN)), button("Save", "/2")));
  const { count, elements, looks } = await find(shows, save);
  assert.deepEqual([count, elements[0]?.position, looks], [2, [10, 10], ["remembered", "one"]]);
  assert.deepEqual(shows.verified, [true]);
  const hidden = new WithLists(tree(files(button("Other", "/6", HIDDEN)), button("Save", "/2", HIDDEN)));
  await find(hidden, save);
  assert.deepEqual(hidden.verified, [false]);
});

Deno.test("where what was kept as showing shows no longer, the application itself is asked", async () => {
  const desktop = new WithLists(tree(files(button("Save", "/6")), button("Save", "/2", HIDDEN)));
  desktop.hidden = ["/6"];
  const { looks } = await find(desktop, 'role:AXButton title:"Save"');
  assert.deepEqual([desktop.verified, looks.at(-1)], [[true], "application"]);
});

Deno.test("an element that holds others is told by them: the application is asked", async () => {
  const list: NodeDescription = {
    role: "list",
    name: "Names",
    path: "/2",
    states: ["showing", "visible"],
    children: [{ role: "listItem", name: "Anna", path: "/3", states: ["showing", "visible", "selected"] }],
  };
  const { elements, looks } = await find(new Mirroring(tree(list)), "list");
  assert.deepEqual([elements[0]?.name, looks.at(-1)], ["Names", "application"]);
});
