import assert from "node:assert/strict";
import { z } from "zod";
import { Deadline } from "../src/base/call.ts";
import { catalogue } from "../src/catalogue.ts";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { PATIENCE, withFixture } from "./_fixture.ts";
import { noting } from "./_noting.ts";
import { ROOT } from "./cli/program.ts";

const Found = z.looseObject({
  found: z.boolean(),
  count: z.int(),
  kept: z.boolean(),
  elements: z.array(z.looseObject({ visible: z.boolean(), path: z.string() })),
});
const BELOW = 'button[name="Below"]';
const CHOOSE = 'button[name="Choose"]';

Deno.test("what a list of GTK 3 has that manages its descendants is told without reading the tree, and as it is", () =>
  withFixture("managed/gtk3.py", async ({ session, desktop, shows }) => {
    await shows("Rows: 0");
    const whole: string[] = [];
    const gate = new Gate({
      operations: catalogue,
      session: {
        kind: session.kind,
        label: session.label,
        desktop: noting(desktop, whole),
        launcher: session.launcher,
        home: session.home,
        id: session.id,
        close: () => session.close(),
      },
      folder: ROOT,
      ports: OPEN_PORTS,
    });
    const output = async (target: string) =>
      Found.parse((await gate.dispatch({ operation: "find", input: { target } })).output);
    const find = async (target: string) => {
      const { found, count, kept } = await output(target);
      return { found, count, kept, reads: whole.splice(0).length };
    };
    /** The same once the application has come to rest, which while it is being shown says little of what changes. */
    const settled = async (target: string) => {
      const { last } = await untilDeadline(
        desktop,
        () => find(target),
        ({ kept }) => kept,
        Deadline.after(PATIENCE),
      );
      return last;
    };
    let pressed = 0;
    const press = async (name: string) => {
      await gate.dispatch({ operation: "click", input: { target: `button[name="${name}"]` } });
      // The application's own count says that it did it.
      await shows(`Rows: ${++pressed}`);
      whole.splice(0);
    };
    const { found, count } = await find(CHOOSE);
    assert.deepEqual([found, count], [true, 2]);
    assert.deepEqual(await settled(CHOOSE), { found: true, count: 2, kept: true, reads: 0 });
    assert.deepEqual(await find('button[name="Nowhere"]'), { found: false, count: 0, kept: true, reads: 0 });

    await press("Add");
    assert.equal((await find(CHOOSE)).count, 3);
    assert.deepEqual(await settled(CHOOSE), { found: true, count: 3, kept: true, reads: 0 });
    await press("Drop");
    assert.equal((await find(CHOOSE)).count, 2);
    await press("Rename");
    assert.equal((await find(CHOOSE)).count, 1);
    assert.equal((await find('button[name="Other"]')).found, true);
    assert.deepEqual(await settled('button[name="Other"]'), { found: true, count: 1, kept: true, reads: 0 });

    // What comes to show is the first that shows, whatever it was named meanwhile.
    const inList = async () => {
      const { count, elements: [first] } = await output(BELOW);
      return {
        count,
        visible: first?.visible,
        inList: /AXList\b|AXOutline\b|AXTable\b/.test(first?.path ?? ""),
      };
    };
    await press("Hide");
    assert.deepEqual(await inList(), { count: 1, visible: true, inList: false });
    await press("Follow");
    assert.equal((await inList()).inList, false);
    await press("Show");
    assert.deepEqual(await inList(), { count: 2, visible: true, inList: true });
    await press("Follow");
    assert.deepEqual(await inList(), { count: 3, visible: true, inList: true });
    assert.equal((await find('button[name="Hide"]')).count, 3);
  }));
