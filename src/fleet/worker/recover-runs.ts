import process from "node:process";
import { toBackstepError } from "../../base/error.ts";
import { catalogue } from "../../catalogue.ts";
import { openRuns } from "../../engine/journal/runs.ts";
import { recoverRun } from "../../engine/recovery/recover.ts";
import { loadWorkflow } from "../../workflow/load.ts";

/** Rolls back every run of a state folder that was cut off; what cannot be is told, and keeps no other from it. */
export async function recoverRuns(state: string, note: (message: string) => void): Promise<void> {
  const environment = (name: string) => process.env[name];
  for (const run of openRuns(state)) {
    try {
      const { workflow, verdict, reason } = await recoverRun({
        run,
        state,
        operations: catalogue,
        way: "rollback",
        surroundings: { env: environment, secret: environment },
        load: (file, { folder }) => loadWorkflow(file, { operations: catalogue, root: folder }),
      });
      note(`Run ${run} of ${workflow} was cut off: ${verdict}${reason === undefined ? "" : ` (${reason})`}`);
    } catch (thrown) {
      note(`Run ${run} was cut off, and cannot be recovered: ${toBackstepError(thrown).message}`);
    }
  }
}
