import { deepEqual, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";

Deno.test("every test that the threat model names is there", () => {
  const root = new URL("../../../", import.meta.url);
  const page = readFileSync(new URL("docs/explanation/threat-model.md", root), "utf8").replaceAll(
    /\s+/g,
    " ",
  );
  const named = [...page.matchAll(/`((?:src|tests)\/[\w/.-]+_test\.ts)`: "([^"]+)"/g)];
  ok(named.length > 25);
  const missing = named.flatMap(([, file = "", name = ""]) =>
    // A call that is too long for a line is broken after its bracket.
    readFileSync(new URL(file, root), "utf8").replaceAll(/Deno\.test\(\s+"/g, 'Deno.test("')
        .includes(`Deno.test("${name}"`)
      ? []
      : [`${file}: ${name}`]
  );
  deepEqual(missing, []);
});
