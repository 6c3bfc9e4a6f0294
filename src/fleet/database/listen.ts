import type { Database, Queryable } from "./database.ts";
import { loadPg } from "./load-pg.ts";
import { clientConfig } from "./database.ts";
import type { Client } from "./pg-types.d.ts";
import type { FleetPlace } from "./place.ts";

/** Milliseconds between two tries to connect again. */
const AGAIN = 1_000;

/** Tells everybody who listens, once the statement's transaction is committed. */
export async function notify(database: Database | Queryable, channel: string, payload = ""): Promise<void> {
  await database.run("select pg_notify($1, $2)", [channel, payload]);
}

/** A connection that hears what others tell. */
export interface Listener {
  close(): Promise<void>;
}

/**
 * Hears what is told on some channels, on a connection of its own, and connects again where that is lost: what is told
 * meanwhile is missed, so that whoever listens looks now and then as well. `heard` is told "" after each new connection.
 */
export async function listen(
  place: FleetPlace,
  name: string,
  channels: readonly string[],
  heard: (channel: string, payload: string) => void,
): Promise<Listener> {
  const pg = await loadPg();
  let over = false;
  let client: Client | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lost = (which: Client) => {
    if (over || client !== which) return;
    client = undefined;
    timer = setTimeout(() => void connect(), AGAIN);
    which.end().catch(() => {
      // It is gone already.
    });
  };
  const connect = async (): Promise<void> => {
    if (over) return;
    const next = new pg.Client(clientConfig(place, name));
    client = next;
    next.on("error", () => lost(next));
    next.on("end", () => lost(next));
    next.on("notification", ({ channel, payload = "" }) => heard(channel, payload));
    try {
      await next.connect();
      for (const channel of channels) await next.query(`listen ${channel}`);
      for (const channel of channels) heard(channel, "");
    } catch {
      lost(next); // tried again, for as long as somebody listens
    }
  };
  await connect();
  return {
    async close() {
      over = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end().catch(() => {
        // It is gone already.
      });
    },
  };
}
