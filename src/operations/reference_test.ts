import assert from "node:assert/strict";
import { z } from "zod";
import { ElementReferences } from "../mcp/session/element-references.ts";
import { fixture } from "./_context.ts";

const Found = z.looseObject({
  found: z.boolean(),
  count: z.int(),
  elements: z.array(z.looseObject({ name: z.string(), ref: z.string().optional(), path: z.string() })),
});

async function refOf(desk: ReturnType<typeof fixture>, target: string): Promise<string> {
  return Found.parse(await desk.run("find", { target })).elements[0]?.ref ?? "";
}

Deno.test("find tells no reference where nobody could use it again", async () => {
  await using desk = fixture(["sim.settings"]);
  assert.equal(await refOf(desk, 'textfield[name="Name"]'), "");
  assert.equal((await desk.fail("click", { target: "el-3f9c1a" })).code, "not_found");
});

Deno.test("a reference is a selector wherever one is taken, and stays the same across looks and acts", async () => {
  await using desk = fixture(["sim.settings"], { elements: new ElementReferences() });
  const ref = await refOf(desk, 'textfield[name="Name"]');
  await desk.run("set", { target: ref, value: "Grace" });
  await desk.run("type", { into: { selector: ref, app: "sim.settings" }, text: "!" });
  assert.equal(await refOf(desk, ref), ref);
  await desk.run("assert", { target: ref, value: "Grace!", timeout: 100 });
  const { value } = z.looseObject({ value: z.string() }).parse(await desk.run("value", { target: ref }));
  assert.equal(value, "Grace!");
  const window = await refOf(desk, "window");
  await desk.run("assert", { target: { selector: "slider", within: window }, exists: true, timeout: 100 });
  await desk.run("click", { target: { selector: 'radio[name="Dark"]', within: window } });
  const several = await desk.fail("click", { target: { selector: "radio", within: window } });
  assert.equal(several.code, "ambiguous");
});

Deno.test("a reference of another application is refused, and one that nobody was told is not found", async () => {
  await using desk = fixture(["sim.settings", "sim.list"], { elements: new ElementReferences() });
  const found = await desk.run("find", { target: { selector: "slider", app: "sim.settings" } });
  const ref = Found.parse(found).elements[0]?.ref ?? "";
  const error = await desk.fail("value", { target: { selector: ref, app: "sim.list" } });
  assert.equal(error.code, "invalid");
  assert.match(error.message, /sim\.settings|Settings/);
  assert.equal((await desk.fail("click", { target: "el-zzzzzz" })).code, "not_found");
});

Deno.test("a reference refuses once its address answers for another element", async () => {
  await using desk = fixture(["sim.settings"], {
    elements: new ElementReferences(),
    faults: [{ fault: "recycle", element: "wifi", as: { name: "Bluetooth" }, when: { call: "act" } }],
  });
  const ref = await refOf(desk, "switch");
  assert.equal((await desk.fail("click", { target: ref })).code, "stale");
  assert.equal((await desk.fail("click", { target: ref })).code, "stale");
  assert.equal((await desk.fail("find", { target: ref })).code, "stale");
  const fresh = await refOf(desk, "switch");
  assert.notEqual(fresh, ref);
});

Deno.test("a reference to a row of a list refuses once the row shows another item", async () => {
  await using desk = fixture(["sim.list-recycling"], { elements: new ElementReferences() });
  const ref = await refOf(desk, 'listitem[name="Row 3"]');
  await desk.run("set", { target: "scrollbar", value: 2_400 });
  assert.equal((await desk.fail("click", { target: ref })).code, "stale");
  const other = await refOf(desk, 'listitem[name="Row 103"]');
  assert.notEqual(other, ref);
  await desk.run("assert", { target: ref, exists: false, timeout: 100 });
});

Deno.test("a reference refuses once its application has ended, and is gone for assertions", async () => {
  await using desk = fixture(["sim.settings", "sim.list"], { elements: new ElementReferences() });
  const found = await desk.run("find", { target: { selector: "slider", app: "sim.settings" } });
  const ref = Found.parse(found).elements[0]?.ref ?? "";
  await desk.run("quit", { app: "sim.settings" });
  const error = await desk.fail("value", { target: ref });
  assert.equal(error.code, "stale");
  assert.match(error.message, /does not run any more/);
});
