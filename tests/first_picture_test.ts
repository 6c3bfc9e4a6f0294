// A window is in the tree before it has drawn anything.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Stand } from "./_dialogs.ts";

const PAINTS = fileURLToPath(new URL("fixtures/late/paints.py", import.meta.url));
const Text = z.looseObject({ text: z.string() });

for (const display of ["x11", "wayland"] as const) {
  Deno.test(`the first picture of a window shows what it draws first, on ${display}`, async () => {
    await using stand = await Stand.open(display);
    await stand.do("launch", { app: "/usr/bin/python3", args: [PAINTS] });
    const { text } = Text.parse(await stand.do("read-text", { app: "paints.py" }));
    assert.equal(text, "Painted");
  });
}

Deno.test("a window that draws nothing is pictured in the end", async () => {
  await using stand = await Stand.open();
  await stand.do("launch", { app: "/usr/bin/python3", args: [PAINTS, "never"] });
  assert.equal(Text.parse(await stand.do("read-text", { app: "paints.py" })).text, "");
});
