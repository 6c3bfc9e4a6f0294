import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { MUTANTS as ATTACKS } from "../attack/mutants.ts";
import { MUTANTS as HISTORIES } from "./mutants.ts";

Deno.test("every bug that proves a judge still finds the one place where it is seeded", () => {
  const lost = [...HISTORIES, ...ATTACKS].flatMap(({ bug, file, from }) => {
    const places = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").split(from).length - 1;
    return places === 1 ? [] : [`${bug}: ${places} places in ${file}`];
  });
  assert.deepEqual(lost, []);
});
