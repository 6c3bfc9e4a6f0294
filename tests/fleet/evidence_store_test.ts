import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEvidence } from "../../src/engine/evidence/read.ts";
import { settings, trial } from "../../src/engine/run/_trial.ts";
import { FleetKey } from "../../src/fleet/evidence/fleet-key.ts";
import { piecesOf, storedRuns, storeRun } from "../../src/fleet/evidence/store.ts";
import { unpackRun } from "../../src/fleet/evidence/unpack-run.ts";
import { openFleet } from "../../src/fleet/open-fleet.ts";
import { take } from "../../src/fleet/queue/take.ts";
import { tidy } from "../../src/fleet/sweep.ts";
import { queued, withPostgres } from "./_fleet.ts";

const KEY = new FleetKey("a secret that only the machines of the fleet have");

Deno.test("evidence comes out of the database as it went in, once it is complete, for as long as it is kept", async () => {
  const here = mkdtempSync(join(tmpdir(), "bse-"));
  try {
    await withPostgres(async (_, place) => {
      const fleet = await openFleet(place, { name: "a test" });
      const { database } = fleet;
      try {
        const { run: id } = await queued(fleet, [{}, {}]);
        const first = await take(fleet, { worker: randomUUID(), slot: 1, labels: [] });
        const second = await take(fleet, { worker: randomUUID(), slot: 1, labels: [] });
        assert.ok(first && second);
        const steps = `  - set: { target: 'textfield[name="Name"]', value: Grace }`;
        await trial(settings(steps), { evidence: "on" }, async ({ result: { run }, state }) => {
          const kept = { state, run, key: KEY };
          // Stored twice, as by a worker whose answer was lost: it is there once.
          await storeRun(database, first, { ...kept, keepUntil: undefined });
          await storeRun(database, first, { ...kept, keepUntil: undefined });
          await storeRun(database, second, { ...kept, keepUntil: new Date(Date.now() - 1_000) });
          await database.run("update artefact set complete = false where attempt = $1", [second.attempt]);
          const stored = await storedRuns(database, id);
          assert.deepEqual(
            [...stored.values()].map(({ attempt }) => attempt),
            [first.attempt],
            "what is complete",
          );
          const one = stored.get(run);
          assert.ok(one && one.size > 10_000);
          await unpackRun(piecesOf(database, one.artefact), { state: here, run, key: KEY });
          assert.deepEqual(readEvidence(here, run).evidence, readEvidence(state, run).evidence);

          await database.run("update artefact set complete = true");
          await tidy(fleet);
          assert.equal((await storedRuns(database, id)).get(run)?.attempt, first.attempt, "what is kept");
          assert.equal(await database.run("select 1 from artefact"), 1);
          assert.equal(
            await database.run("select 1 from artefact_piece where artefact <> $1", [one.artefact]),
            0,
          );
        });
      } finally {
        await fleet.close();
      }
    });
  } finally {
    rmSync(here, { recursive: true, force: true });
  }
});
