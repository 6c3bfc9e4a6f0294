import { toBackstepError } from "../../../base/error.ts";
import { findFleetPlace } from "../../../fleet/find-place.ts";
import { type OpenFleet, openFleet } from "../../../fleet/open-fleet.ts";
import type { Arguments } from "../../command.ts";
import type { Io } from "../../io.ts";

/** Opens the fleet that a command line means, for as long as something is done with it. */
export async function withFleet<T>(
  args: Arguments,
  io: Io,
  action: (fleet: OpenFleet) => Promise<T>,
): Promise<T> {
  const fleet = await openFleet(findFleetPlace(args.string("fleet")), {
    name: "backstep",
    failed: failedTo(io),
  });
  try {
    return await action(fleet);
  } finally {
    await fleet.close();
  }
}

/** Says what went wrong and is waited for, once in a row. */
export function failedTo(io: Io): (error: unknown) => void {
  let last = "";
  return (error) => {
    const { message } = toBackstepError(error);
    if (message !== last) io.note(message);
    last = message;
  };
}
