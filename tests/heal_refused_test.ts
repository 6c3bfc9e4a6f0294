import assert from "node:assert/strict";
import { join } from "node:path";
import { accountOf, orderFile, ran, STEPS } from "./_heal.ts";
import { withPlace } from "./cli/program.ts";

Deno.test("nothing is tried where nobody can tell: removed, a twin, names swapped, a destructive word, an assertion that nothing matches", () =>
  withPlace(async (place) => {
    const account = join(place.work, "account.jsonl");
    const file = place.file("order.yaml", orderFile(account, STEPS));
    assert.equal((await ran(place, file, [])).status, "passed");
    const cases: readonly (readonly [string, readonly string[], string])[] = [
      ["removed", ["-Customer"], "absent"],
      ["twin", ["Customer=Customer name", "+Customer"], "tie"],
      ["swapped", ["Customer=Delivery address now", "Delivery address=Customer now"], "unlike"],
      ["destructive", ["Express delivery=Delete express delivery"], "destructive"],
    ];
    for (const [what, changes, refused] of cases) {
      const result = await ran(place, file, changes, "--heal");
      assert.equal(result.exit, 1, what);
      assert.equal(result.suggestion?.patch, undefined, what);
      assert.equal(result.refused, refused, what);
      const control = what === "destructive" ? "Express delivery" : "Customer";
      assert.deepEqual(accountOf(account, control), [], `${what}: nothing was tried on it`);
    }
    const negative = place.file(
      "negative.yaml",
      orderFile(
        account,
        `  - assert: { target: 'label[name="Nothing done"]', exists: false, timeout: 1s }\n`,
      ),
    );
    const gone = await ran(place, negative, [], "--heal");
    assert.equal(gone.exit, 1);
    assert.deepEqual([gone.suggestion, gone.refused], [undefined, undefined]);
  }));

Deno.test("an assertion is proved by what it asserts, and one that asks for existence alone is not", () =>
  withPlace(async (place) => {
    const account = join(place.work, "account.jsonl");
    const renamed = ["Gift wrapping=Gift wrapping (free)"];
    const box = `'checkbox[name="Gift wrapping"]'`;
    const cases = [
      [`  - assert: { target: ${box}, checked: false, timeout: 1s }\n`, "proved"],
      [`  - assert: { target: ${box}, timeout: 1s }\n`, "unproved"],
      [`  - wait: { target: ${box}, for: enabled, timeout: 1s }\n`, "proved"],
    ] as const;
    for (const [k, [steps, verdict]] of cases.entries()) {
      const file = place.file(`looks-${k}.yaml`, orderFile(account, steps));
      assert.equal((await ran(place, file, [])).status, "passed");
      const healed = await ran(place, file, renamed, "--heal");
      assert.equal(healed.exit, 1);
      assert.equal(healed.suggestion?.proof?.verdict, verdict, steps + JSON.stringify(healed));
      assert.deepEqual(accountOf(account, "Gift wrapping"), []);
    }
  }));
