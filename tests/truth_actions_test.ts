// Every accessible action of the fixtures is done, and clicked beside it: what the code takes for a click must do no more
// than a click, and docs/reference/action-names.md must say what was measured.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { measure } from "../scripts/action-names/measure.ts";
import { lineOf } from "../scripts/action-names/page.ts";
import { missingFor, Stage, TOOLKITS } from "../scripts/action-names/stage.ts";

const page = readFileSync(new URL("../docs/reference/action-names.md", import.meta.url), "utf8").split("\n");

/** What happened, whoever it happened to: a page's row tells of a click as its own or as its cell's. */
const kinds = (actions: readonly string[]) => new Set(actions.map((action) => action.split(" ")[0]));

for (const toolkit of TOOLKITS) {
  const missing = missingFor(toolkit);
  const name = `an action that is taken for a click does no more than one: ${toolkit}`;
  Deno.test({
    name: missing === undefined ? name : `${name}: not run, ${missing} is not installed`,
    ignore: missing !== undefined,
  }, async () => {
    await using stage = await Stage.open(toolkit);
    const measured = await measure(stage);
    const clicks = measured.filter(({ meaning }) => meaning === "click");
    assert.ok(clicks.length >= 3, "the driver is dead");
    for (const one of clicks) {
      const { did, clicked } = one;
      assert.ok(did, `${lineOf(one)} was not tried`);
      if (clicked === undefined) continue;
      const more = [...kinds(did)].filter((kind) => !kinds(clicked).has(kind));
      assert.deepEqual(more, [], lineOf(one));
    }
    const unsaid = measured.map(lineOf).filter((line) => !page.includes(line));
    assert.deepEqual(
      unsaid,
      [],
      "docs/reference/action-names.md says otherwise: deno run -A scripts/action-names.ts",
    );
  });
}
