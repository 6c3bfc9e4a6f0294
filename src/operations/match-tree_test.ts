import assert from "node:assert/strict";
import { bench } from "./_bench.ts";

Deno.test("try", async () => {
  await using desk = bench(["sim.settings"]);
  const out = await desk.run("tree", { notation: true });
  console.log((out as any).notation);
  const e = await desk.fail("match-tree", {
    target: "window",
    timeout: 50,
    matches: `- window "Settings":
  - textfield "Nam": "Bob"
  - button "Apply" [disabled]
  - checkbox "Play sounds" [checked]
  - button "Nowhere"
  - combobox "Theme"`,
  });
  console.log(e.message, "\n", e.details?.diff, "\n", e.hint);
});
