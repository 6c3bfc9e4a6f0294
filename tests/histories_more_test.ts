import assert from "node:assert/strict";
import { makeStory } from "../scripts/histories/make.ts";
import { live, memoryFolder } from "../scripts/histories/live.ts";
import { tellMany } from "../scripts/histories/many.ts";
import { MUTANTS, tryMutant } from "../scripts/histories/mutants.ts";
import { storyText } from "../scripts/histories/story.ts";

Deno.test("1,000 more random histories, from seed 5001, break no law", async () => {
  const { found } = await tellMany(5_001, 1_000);
  const why = found && `${storyText(found.smallest)}\n${JSON.stringify(found.breaches, null, 1)}`;
  assert.equal(found, undefined, why);
});

Deno.test("the same seed is the same history", async () => {
  const folder = memoryFolder();
  try {
    for (let seed = 1; seed <= 40; seed++) {
      const [one, two] = [await live(makeStory(seed), folder.path), await live(makeStory(seed), folder.path)];
      assert.deepEqual(one.log, two.log, `seed ${seed}`);
      assert.equal(one.result?.rollback.verdict, two.result?.rollback.verdict);
    }
  } finally {
    folder.remove();
  }
});

// The others are tried by `deno task histories --mutants`.
for (const mutant of MUTANTS.slice(0, 3)) {
  Deno.test(`a seeded bug breaks a law: ${mutant.bug}`, async () => {
    const { noticed, said } = await tryMutant(mutant, { count: 2_000, seed: 1 });
    assert.ok(noticed, said);
  });
}
