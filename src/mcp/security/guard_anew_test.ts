import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import type { ApplicationDescription } from "../../desktop/simulated/describe.ts";
import type { Fault } from "../../desktop/simulated/faults.ts";
import { guarded, type GuardedFixture, type GuardedOptions } from "./_guarded.ts";

const YES = { action: "accept", content: { confirm: true } } as const;
const ACCEPTS: GuardedOptions = { answer: () => YES };
/** The button goes before the call that would press it. */
const anew = (name?: string): Fault => ({
  fault: "replace",
  element: "delete",
  when: { call: "act" },
  ...(name === undefined ? {} : { as: { name } }),
});
const click = (fixture: GuardedFixture, query: string) => fixture.tool("ax_click", { app: "Store", query });
/** A shop whose one button has an id. */
const SHOP: ApplicationDescription = {
  id: "test.shop",
  name: "Shop",
  windows: [{
    key: "main",
    title: "Shop",
    children: [{ kind: "button", key: "delete", id: "delete", name: "Delete All Data" }],
  }],
};
const lines = ({ audit }: GuardedFixture) =>
  existsSync(audit) ? readFileSync(audit, "utf8").split("\n").filter(Boolean).length : 0;

Deno.test("a person's word holds for the same button made anew: they are asked once, it is pressed once", async () => {
  // In safe mode a line says that it begins, and one how it came out.
  for (const [mode, written] of [["normal", 1], ["safe", 2]] as const) {
    await guarded({ ...ACCEPTS, security: `mode = "${mode}"` }, async (fixture) => {
      await fixture.tool("ax_connect", { app: "Store" });
      fixture.desktop.inject(anew());
      const { isError } = await click(fixture, 'button[name="Delete All Data"]');
      deepEqual([isError ?? false, fixture.asked.length, fixture.pressed], [false, 1, ["delete"]]);
      equal(lines(fixture), written, mode);
    });
  }
});

Deno.test("a button that is called otherwise when it is made anew is asked for again, and a no stops it", async () => {
  let asked = 0;
  const answer = () => ++asked === 1 ? YES : { action: "decline" } as const;
  await guarded({ answer, applications: [SHOP] }, async (fixture) => {
    await fixture.tool("ax_connect", { app: "Shop" });
    fixture.desktop.inject(anew("Erase the disk"));
    ok((await fixture.tool("ax_click", { app: "Shop", query: "[id=delete]" })).isError);
    deepEqual(fixture.asked.map(({ message }) => /'[^']*'/.exec(message)?.[0]), [
      "'Delete All Data'",
      "'Erase the disk'",
    ]);
    equal(JSON.stringify(fixture.desktop.log.entries).includes('"pressed"'), false);
  });
});

Deno.test("another button in its place is not acted on, and nobody is asked about that", async () => {
  await guarded(ACCEPTS, async (fixture) => {
    await fixture.tool("ax_connect", { app: "Store" });
    fixture.desktop.inject(anew("Erase the disk"));
    const result = await click(fixture, "button:nth(2)");
    ok(result.isError);
    match(
      JSON.stringify(result.content),
      /another element is in its place; it went before anything was sent/,
    );
    deepEqual([fixture.asked.length, fixture.pressed], [1, []]);
  });
});

Deno.test("a reference is the one element that was given: one made anew in its place is not acted on", async () => {
  await guarded(ACCEPTS, async (fixture) => {
    await fixture.tool("ax_connect", { app: "Store" });
    const found = await fixture.tool("ax_find", { app: "Store", query: 'button[name="Open"]' });
    const reference = /el-[0-9a-z]{6,}/.exec(JSON.stringify(found))?.[0] ?? "";
    fixture.desktop.inject({ fault: "replace", element: "open", when: { call: "act" } });
    const result = await click(fixture, reference);
    ok(result.isError);
    match(JSON.stringify(result.content), /ElementStale/);
    doesNotMatch(JSON.stringify(result.content), /looked for again/);
    deepEqual(fixture.pressed, []);
  });
});
