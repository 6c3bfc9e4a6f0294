import assert from "node:assert/strict";
import { z } from "zod";
import { fixture } from "./_context.ts";

const Listed = z.looseObject({
  windows: z.array(z.looseObject({
    index: z.int(),
    title: z.string(),
    position: z.tuple([z.int(), z.int()]),
    size: z.tuple([z.int(), z.int()]),
    focused: z.boolean(),
    minimized: z.boolean(),
  })),
});

Deno.test("windows are listed with their places, the one in front first", async () => {
  await using desk = fixture(["sim.settings", "sim.list"]);
  const { windows } = Listed.parse(await desk.run("list-windows", { app: "sim.list" }));
  const [only] = await desk.desktop.windows().then((all) => all.filter(({ title }) => title === "List"));
  assert.ok(only);
  assert.deepEqual(windows, [{
    index: 0,
    title: "List",
    position: [only.rect.x, only.rect.y],
    size: [only.rect.width, only.rect.height],
    focused: only.active,
    minimized: false,
  }]);
  await desk.run("window", { do: "minimise", app: "sim.list" });
  const after = Listed.parse(await desk.run("list-windows", { app: "sim.list" }));
  assert.equal(after.windows[0]?.minimized, true);
});

Deno.test("the windows of an application that does not run cannot be listed", async () => {
  await using desk = fixture(["sim.settings"]);
  assert.equal((await desk.fail("list-windows", { app: "gedit" })).code, "app_not_running");
});
