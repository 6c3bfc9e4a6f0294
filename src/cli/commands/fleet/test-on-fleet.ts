import process from "node:process";
import { cancelRun } from "../../../fleet/stop-run.ts";
import { submit } from "../../../fleet/submit.ts";
import { findRun } from "../../../fleet/watch/summary.ts";
import { toBackstepError } from "../../../base/error.ts";
import { historyFile, keepHistory } from "../../../testing/history.ts";
import { usage } from "../../arguments.ts";
import type { Arguments, Command } from "../../command.ts";
import type { Io } from "../../io.ts";
import { interrupts } from "../../signals.ts";
import { type Preparation, suiteOf } from "../test/prepare.ts";
import { submissionOf } from "./submit.ts";
import { watchRun } from "./watch.ts";
import { withFleet } from "./with-fleet.ts";

/** Options of `test` that only mean something where the files run here. */
const HERE = ["workers", "shard", "shuffle", "global-timeout", "list", "heal", "only-changed", "env-file"];

/** `backstep test --fleet`: submits, watches and reports, with the exit code of `test`. */
export async function testOnFleet(
  command: Command,
  raw: Arguments,
  preparation: Preparation,
  io: Io,
): Promise<number> {
  const misplaced = HERE.find((name) => raw.given(name));
  if (misplaced !== undefined) throw usage(command, `--${misplaced} is not for --fleet`);
  const plan = suiteOf(command, raw, preparation, {
    shard: undefined,
    shuffle: undefined,
    lastFailed: raw.boolean("last-failed"),
  });
  const stop = interrupts((which) =>
    io.note(
      which === "first"
        ? "Interrupted: the run is cancelled, and what runs is rolled back by its workers. Once more leaves them to it."
        : "Interrupted again: the workers go on rolling back.",
    )
  );
  try {
    const submission = await submissionOf(command, plan, preparation.args, raw, stop.stop);
    stop.stop.throwIfAborted();
    return await withFleet(raw, io, async (fleet) => {
      const { run } = await submit(fleet, submission);
      io.note(`Run ${run}; follow it elsewhere: backstep fleet watch ${run}`);
      let cancelling: Promise<unknown> = Promise.resolve();
      const cancel = () => {
        cancelling = cancelRun(fleet, run).catch((thrown: unknown) =>
          io.note(toBackstepError(thrown).message)
        );
      };
      stop.stop.addEventListener("abort", cancel, { once: true });
      if (stop.stop.aborted) cancel();
      const summary = await watchRun(fleet, await findRun(fleet, run), raw, io, stop.hardStop);
      await cancelling;
      if (summary === undefined) return 130;
      try {
        keepHistory(historyFile(process.cwd()), summary);
      } catch (thrown) {
        // It only makes the next one faster: what was tested counts.
        io.note(toBackstepError(thrown).message);
      }
      return summary.exit;
    });
  } finally {
    stop.release();
  }
}
