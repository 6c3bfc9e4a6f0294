import { cancelRun } from "../../../fleet/stop-run.ts";
import { findRun } from "../../../fleet/watch/summary.ts";
import { usage } from "../../arguments.ts";
import type { Arguments, Command } from "../../command.ts";
import type { Io } from "../../io.ts";
import { withFleet } from "./with-fleet.ts";

/** `backstep fleet cancel <run>`. */
export async function cancel(
  command: Command,
  run: string | undefined,
  args: Arguments,
  io: Io,
): Promise<number> {
  if (run === undefined) throw usage(command, "cancel needs the id or the key of a run");
  return await withFleet(args, io, async (fleet) => {
    const found = await findRun(fleet, run);
    const { left, running } = await cancelRun(fleet, found.id);
    io.json({ run: found.id, left, running });
    io.text(`${found.id}: ${left} not begun, and left; ${running} told to stop and to roll back\n`);
    return 0;
  });
}
