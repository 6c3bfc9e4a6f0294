import assert from "node:assert/strict";
import { tellMany } from "../scripts/histories/many.ts";
import { storyText } from "../scripts/histories/story.ts";

/** The same 1,000 every time, and 1,000 in another file that runs at once; `deno task nightly` does 10,000. */
const BASE = 1;

Deno.test("1,000 random histories break no law", async () => {
  const { found, histories, milliseconds } = await tellMany(BASE, 1_000);
  const why = found && `${storyText(found.smallest)}\n${JSON.stringify(found.breaches, null, 1)}`;
  assert.equal(found, undefined, why);
  console.log(`${histories} histories from seed ${BASE} in ${Math.round(milliseconds / 1000)} s`);
});
