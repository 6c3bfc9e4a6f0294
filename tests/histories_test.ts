import assert from "node:assert/strict";
import { tellMany } from "../scripts/histories/many.ts";
import { storyText } from "../scripts/histories/story.ts";

/** The same 5,000 every time, in two files that run at once. */
const BASE = 1;

Deno.test("5,000 random histories break no law", async () => {
  const { found, histories, milliseconds } = await tellMany(BASE, 5_000);
  const why = found && `${storyText(found.smallest)}\n${JSON.stringify(found.breaches, null, 1)}`;
  assert.equal(found, undefined, why);
  console.log(`${histories} histories from seed ${BASE} in ${Math.round(milliseconds / 1000)} s`);
});
