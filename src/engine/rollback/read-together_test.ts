import assert from "node:assert/strict";
import type { Participant } from "../../contract/participant.ts";
import type { Desktop } from "../../desktop/desktop.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import { readTogether } from "./read-together.ts";

const NOTHING = { properties: {} };

/** A participant that reads by looking at its application's whole tree, and writes down when. */
function byTree(label: string, looks: string[], moves?: true): Participant {
  return {
    kind: "test",
    key: label,
    label,
    ...(moves ? { moves } : {}),
    async capture(desktop, call) {
      looks.push(`${label} begins`);
      const [application] = await desktop.applications(call);
      assert.ok(application);
      const { size } = await desktop.snapshot(application, { ...call, fields: ["text", "id"] });
      assert.ok(size > 5);
      const element = (await desktop.snapshot(application, { ...call, fields: ["id", "text"] })).element(1);
      if (moves) await desktop.act(element, { do: "scrollTo" }, call).catch(() => undefined);
      looks.push(label);
      return NOTHING;
    },
    restore: () => Promise.resolve("none"),
    describe: () => null,
  };
}

/** A desktop whose trees and lists of applications are counted. */
function counted(): { readonly desktop: Desktop; readonly asked: { trees: number; applications: number } } {
  const desktop = simulate({ applications: ["sim.settings"] });
  const asked = { trees: 0, applications: 0 };
  const { snapshot, applications } = desktop;
  desktop.snapshot = (...about) => (asked.trees++, snapshot.apply(desktop, about));
  desktop.applications = (...about) => (asked.applications++, applications.apply(desktop, about));
  return { desktop, asked };
}

Deno.test("participants of one application are read from one tree, in the order in which they were named", async () => {
  const { desktop, asked } = counted();
  const looks: string[] = [];
  const all = ["a", "b", "c"].map((label) => byTree(label, looks));
  const read = await readTogether(all, (one) => one, desktop, async (one, look) => {
    await one.capture(look, {});
    return one.label;
  });
  assert.deepEqual(read, ["a", "b", "c"]);
  assert.deepEqual(asked, { trees: 1, applications: 1 });
  await desktop.close();
});

Deno.test("what is moved to be read is read after the others, and alone", async () => {
  const { desktop, asked } = counted();
  const looks: string[] = [];
  const all = [byTree("cell", looks, true), byTree("text", looks), byTree("other cell", looks, true)];
  const read = await readTogether(all, (one) => one, desktop, async (one, look) => {
    await one.capture(look, {});
    return one.label;
  });
  assert.deepEqual(read, ["cell", "text", "other cell"]);
  assert.deepEqual(looks, [
    "text begins",
    "text",
    "cell begins",
    "cell",
    "other cell begins",
    "other cell",
  ]);
  assert.equal(asked.trees, 5, "one for what is read together, and each look of the others");
  await desktop.close();
});

Deno.test("what one of them cannot read is its own failure", async () => {
  const { desktop } = counted();
  const looks: string[] = [];
  const gone: Participant = { ...byTree("gone", looks), capture: () => Promise.reject(new Error("gone")) };
  const read = await readTogether(
    [gone, byTree("there", looks)],
    (one) => one,
    desktop,
    async (one, look) => {
      return await one.capture(look, {}).then(() => "read", (why) => String(why));
    },
  );
  assert.deepEqual(read, ["Error: gone", "read"]);
  await desktop.close();
});
