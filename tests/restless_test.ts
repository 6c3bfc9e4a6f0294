// Programs whose windows never rest: reading them ends none, and each click is one. Judged by what they count themselves.
import assert from "node:assert/strict";
import { canStart, endure, RESTLESS } from "./_restless.ts";

for (const name of Object.keys(RESTLESS)) {
  Deno.test({
    name: `a program in which things come and go is read and clicked: ${name}`,
    ignore: !canStart(name),
    async fn() {
      const { looks, clicks, counted, errors } = await endure(name, 4_000);
      assert.deepEqual(errors, []);
      assert.equal(counted, clicks, "each click is counted once");
      assert.ok(looks >= 4 && clicks > 0, `${looks} looks, ${clicks} clicks`);
    },
  });
}
