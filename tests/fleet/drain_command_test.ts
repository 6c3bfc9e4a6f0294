import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { asMap } from "../../src/base/json.ts";
import { PASSES } from "../../src/testing/_suite.ts";
import { type Running, withPlace } from "../cli/program.ts";
import { withPostgres } from "./_fleet.ts";

/** It takes ten seconds, in which two commands start on a busy machine, too, and ends as it says. */
const SLOW = `expect: { status: failed }
${PASSES}  - assert: { target: 'button[name="Nowhere"]', timeout: 10s }
`;

/** Resolves when a worker's log says something; rejects when the worker ends without it. */
async function logs({ child, finished }: Running, words: RegExp): Promise<void> {
  let said = "";
  let over = false;
  const end = finished.then(() => over = true);
  child.stderr?.on("data", (text: string) => said += text);
  while (!words.test(said)) {
    if (over) throw new Error(`it ended without ${words}: ${said}`);
    await Promise.race([once(child.stderr ?? child, "data"), end]);
  }
}

Deno.test("fleet drain: what a worker does is done, what waits is left to others, and an unknown name is an error", () =>
  withPlace((place) =>
    withPostgres(async (postgres) => {
      mkdirSync(join(place.work, ".git"));
      place.file("a.yaml", SLOW);
      for (const name of ["b", "c"]) place.file(`${name}.yaml`, PASSES);
      const env = { BACKSTEP_FLEET_URL: postgres.url };
      const run = (...args: string[]) => place.run(["fleet", ...args], { env });
      assert.equal((await run("submit", "a.yaml", "b.yaml", "c.yaml")).code, 0);
      const worker = place.start(["fleet", "worker", "--name", "ada", "--desktops", "1"], { env });
      await logs(worker, /begins/);

      const wrong = await run("drain", "eve");
      assert.equal(wrong.code, 1);
      assert.match(wrong.err, /Cannot drain eve: no such worker takes jobs\n.*There is ada \(active\)/);
      const drained = await run("drain", "ada");
      assert.equal(drained.code, 0, drained.err);
      assert.match(drained.out, /^ada: takes no more jobs, and ends when its own are done$/m);
      assert.equal((await worker.finished).code, 0);

      const counted = async () => {
        const { passed, waiting } = asMap(
          asMap(JSON.parse((await run("report", "--format", "json")).out))["run"],
        );
        return { passed, waiting };
      };
      assert.deepEqual(await counted(), { passed: 1, waiting: 2 });
      assert.match(
        (await run("report")).out,
        /No worker has the labels .*; 2 files wait|No worker takes jobs; 2 files wait/,
      );
      assert.equal((await run("worker", "--name", "bob", "--once")).code, 0);
      assert.deepEqual(await counted(), { passed: 3, waiting: 0 });
    })
  ));
