import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ROOT, withPlace } from "./cli/program.ts";
import { isInstalled } from "./_installed.ts";
import { PageServer } from "./_page.ts";

const Result = z.object({
  status: z.string(),
  exit: z.number(),
  error: z.looseObject({
    details: z.looseObject({
      suggestion: z.object({ to: z.string(), proof: z.object({ verdict: z.string() }).optional() })
        .optional(),
    }).optional(),
  }).optional(),
});

Deno.test({
  name:
    "a field and a check box of a page in Chromium that are called otherwise are tried, rolled back and patched",
  ignore: !isInstalled("/usr/bin/chromium"),
}, () =>
  withPlace(async (place) => {
    const page = await PageServer.open(join(ROOT, "tests/fixtures/heal"));
    try {
      const file = place.file(
        "order.yaml",
        `name: Order
app: chromium
session: isolated
timeout: 90s
before:
  - launch: { app: chromium, args: ["{{env.PAGE}}"] }
steps:
  - set: { target: 'textfield[name="Customer"]', value: Ada }   # who
    timeout: 5s
  - click: 'checkbox[name="Express delivery"]'
    timeout: 5s
`,
      );
      const ran = async (query: string, ...more: string[]) => {
        const from = page.lines.length;
        const finished = await place.run(["run", file, "--format", "json", ...more], {
          env: { PAGE: `${page.url("page.html")}?${query}` },
          timeout: 150_000,
        });
        const result = Result.parse(JSON.parse(finished.out));
        const accountOf = (of: string) =>
          page.lines.slice(from).filter((line) => line.of === of).map(({ state }) =>
            state["value"] ?? state["checked"]
          );
        return { ...result, accountOf, suggestion: result.error?.details?.suggestion };
      };
      const first = await ran("");
      assert.equal(first.status, "passed", JSON.stringify(first));

      const query = "Customer=Customer+name";
      const field = await ran(query, "--heal");
      assert.deepEqual([field.status, field.exit], ["failed", 1]);
      assert.equal(field.suggestion?.proof?.verdict, "proved", JSON.stringify(field));
      assert.ok(field.accountOf("Customer").includes("Ada"), "it was tried");
      assert.equal(field.accountOf("Customer").at(-1), "", "and rolled back");
      assert.deepEqual(field.accountOf("Express delivery"), []);
      const applied = await place.run(["heal", "apply"]);
      assert.equal(applied.code, 0, applied.err);
      assert.match(
        readFileSync(join(place.work, file), "utf8"),
        /'textfield\[name="Customer name"\]', value: Ada/,
      );

      const box = await ran(`${query}&Express+delivery=Express+delivery+(paid)`, "--heal");
      assert.equal(box.exit, 1);
      assert.equal(box.suggestion?.proof?.verdict, "proved", JSON.stringify(box));
      assert.deepEqual(box.accountOf("Express delivery"), [true, false]);
      assert.equal((await place.run(["heal", "apply"])).code, 0);
      const last = await ran(`${query}&Express+delivery=Express+delivery+(paid)`);
      assert.equal(last.status, "passed", JSON.stringify(last));
    } finally {
      await page.close();
    }
  }));
