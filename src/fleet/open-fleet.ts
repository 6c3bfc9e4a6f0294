import { Database } from "./database/database.ts";
import type { FleetPlace } from "./database/place.ts";
import { requireSchema } from "./migrate.ts";
import { openQueue } from "./queue/boss.ts";
import type { Fleet } from "./queue/fleet.ts";

/** How a fleet is opened. */
export interface OpenOptions {
  /** Who this is, for the database's own lists: "backstep worker ada". */
  readonly name: string;
  /** Is a worker, which looks for leases that ran out. Default: no. */
  readonly works?: boolean;
  readonly connections?: number;
  /** Told what cannot be done in the background; it goes on. */
  readonly failed?: (error: unknown) => void;
}

/** A fleet that is open, and what closes it. */
export interface OpenFleet extends Fleet {
  close(): Promise<void>;
}

/** Connects to a fleet's database, and makes its tables where it has none. Throws `usage`, `io`, `refused`, `invalid`. */
export async function openFleet(
  place: FleetPlace,
  { name, works = false, connections, failed }: OpenOptions,
): Promise<OpenFleet> {
  const database = await Database.open(place, {
    name,
    ...(connections === undefined ? {} : { connections }),
  });
  try {
    await requireSchema(database);
    const boss = await openQueue(database, { works, ...(failed ? { failed } : {}) });
    return {
      database,
      boss,
      async close() {
        await boss.stop({ graceful: false, close: false });
        await database.close();
      },
    };
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
}
