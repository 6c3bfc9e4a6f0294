import { WORKER_CHANGED } from "../../../fleet/channels.ts";
import { notify } from "../../../fleet/database/listen.ts";
import { drainWorkers } from "../../../fleet/watch/status.ts";
import { usage } from "../../arguments.ts";
import type { Arguments, Command } from "../../command.ts";
import type { Io } from "../../io.ts";
import { withFleet } from "./with-fleet.ts";

/** `backstep fleet drain <names…>|--all`. */
export async function drain(
  command: Command,
  names: readonly string[],
  args: Arguments,
  io: Io,
): Promise<number> {
  if ((names.length === 0) !== args.boolean("all")) {
    throw usage(command, "drain needs the names of workers, or --all");
  }
  return await withFleet(args, io, async (fleet) => {
    const drained = await drainWorkers(fleet, names);
    await notify(fleet.database, WORKER_CHANGED);
    io.json({ drained });
    io.text(
      drained.length === 0
        ? "There is no such worker.\n"
        : `${drained.join(", ")}: ends when what it does is done\n`,
    );
    return drained.length === 0 && names.length > 0 ? 1 : 0;
  });
}
