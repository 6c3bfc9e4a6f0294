import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestTry } from "../../report/reporter.ts";
import type { FleetKey } from "../evidence/fleet-key.ts";
import { storeRun } from "../evidence/store.ts";
import type { RunOptionsRow } from "../jobs/spec.ts";
import type { Fleet } from "../queue/fleet.ts";
import type { Taken } from "../queue/take.ts";

/** Stores the journal and evidence of a try before it ends, for reports. What cannot be stored is told: the try counts all the same. */
export async function keepEvidence(
  { folder, state, run }: TestTry,
  taken: Taken,
  { keep }: Pick<RunOptionsRow, "keep">,
  { fleet, key, failed }: {
    readonly fleet: Fleet;
    readonly key: FleetKey | undefined;
    readonly failed: (error: unknown) => void;
  },
): Promise<void> {
  // Of a file that could not be read, or had no desktop, there is none.
  if (!existsSync(join(folder, "journal.jsonl"))) return;
  const keepUntil = keep === undefined ? undefined : new Date(Date.now() + keep);
  try {
    await storeRun(fleet.database, taken, { state, run, key, keepUntil });
  } catch (thrown) {
    failed(thrown);
  }
}
