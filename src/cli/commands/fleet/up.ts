import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { EmbeddedPostgres } from "../../../fleet/embedded/postgres.ts";
import { Database } from "../../../fleet/database/database.ts";
import { readFleetUrl } from "../../../fleet/database/place.ts";
import { fleetSecret } from "../../../fleet/evidence/fleet-key.ts";
import { ownUrlFile } from "../../../fleet/find-place.ts";
import { migrate } from "../../../fleet/migrate.ts";
import { stateFolder } from "../../../session/lease.ts";
import type { Arguments } from "../../command.ts";
import type { Io } from "../../io.ts";

/** Where root's database lies: another account, which runs it, cannot enter root's own folders. */
const OF_ROOT = "/var/lib/backstep/fleet";

function folderOf(args: Arguments): string {
  const given = args.string("data");
  if (given !== undefined) return resolve(given);
  return process.getuid?.() === 0 ? OF_ROOT : join(stateFolder(), "fleet", "postgres");
}

/** `backstep fleet up`: a database of this machine, which goes on after this. */
export async function up(args: Arguments, io: Io): Promise<number> {
  const folder = folderOf(args);
  const postgres = new EmbeddedPostgres({ folder });
  const started = await postgres.start();
  const { url } = postgres;
  const database = await Database.open(readFleetUrl(url), { name: "backstep up" });
  let applied: readonly string[];
  try {
    applied = await migrate(database);
  } finally {
    await database.close();
  }
  const file = ownUrlFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${url}\n`, { mode: 0o600 });
  fleetSecret();
  io.json({ folder, pid: postgres.pid ?? null, started, applied, urlFile: file });
  io.text(
    `PostgreSQL ${started ? "started" : "runs already"} in ${folder}, on a socket there\n` +
      `Its URL is in ${file}, where the other commands of \`backstep fleet\` find it\n` +
      "Work on it:  backstep fleet worker\nStop it:     backstep fleet down\n",
  );
  return 0;
}

/** `backstep fleet down`. */
export async function down(args: Arguments, io: Io): Promise<number> {
  const folder = folderOf(args);
  const postgres = new EmbeddedPostgres({ folder });
  const ran = await postgres.runs();
  await postgres.stop();
  rmSync(ownUrlFile(), { force: true });
  io.json({ folder, stopped: ran });
  io.text(ran ? `Stopped; what is in ${folder} stays\n` : "It does not run\n");
  return 0;
}
