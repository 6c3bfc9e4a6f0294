import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { before } from "../base/within-deadline.ts";
import { XConnection } from "./connection.ts";

/**
 * Talks with a display for a few requests; the authority file is what lets us in. Rejects with `no_desktop` or `timeout`;
 * `doing` says what could not be done.
 */
export async function onDisplay<T>(
  { display, authority, doing, deadline }: {
    readonly display: string;
    readonly authority: string | undefined;
    readonly doing: string;
    readonly deadline: Deadline;
  },
  talk: (connection: XConnection) => Promise<T>,
): Promise<T> {
  const connection = await XConnection.open(display, authority, deadline, doing);
  try {
    return await before(talk(connection), deadline, doing);
  } catch (error) {
    if (error instanceof BackstepError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BackstepError("no_desktop", `Cannot ${doing}: ${why}`, { cause: error });
  } finally {
    connection.close();
  }
}
