import { BackstepError } from "../../../base/error.ts";
import { WORKER_CHANGED } from "../../../fleet/channels.ts";
import { notify } from "../../../fleet/database/listen.ts";
import { drainWorkers, liveWorkers } from "../../../fleet/watch/status.ts";
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
    const unknown = names.filter((name) => !drained.includes(name));
    if (unknown.length > 0) {
      const there = (await liveWorkers(fleet)).map(({ name, state }) => `${name} (${state})`);
      throw new BackstepError("not_found", `Cannot drain ${unknown.join(", ")}: no such worker takes jobs`, {
        hint: `${there.length > 0 ? `There is ${there.join(", ")}.` : "There is no worker."}${
          drained.length > 0 ? ` Drained: ${drained.join(", ")}.` : ""
        }`,
      });
    }
    io.json({ drained });
    io.text(
      drained.length === 0
        ? "There is no worker.\n"
        : drained.map((name) => `${name}: takes no more jobs, and ends when its own are done\n`).join(""),
    );
    return 0;
  });
}
