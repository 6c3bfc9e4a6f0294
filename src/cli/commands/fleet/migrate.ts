import { findFleetPlace } from "../../../fleet/find-place.ts";
import { Database } from "../../../fleet/database/database.ts";
import { migrate } from "../../../fleet/migrate.ts";
import type { Arguments } from "../../command.ts";
import type { Io } from "../../io.ts";

/** `backstep fleet migrate`. */
export async function migrateSchema(args: Arguments, io: Io): Promise<number> {
  const place = findFleetPlace(args.string("fleet"));
  const database = await Database.open(place, { name: "backstep migrate" });
  try {
    const applied = await migrate(database);
    io.json({ database: place.words, applied });
    io.text(
      applied.length === 0 ? "It is up to date.\n" : `${applied.map((one) => `applied ${one}`).join("\n")}\n`,
    );
    return 0;
  } finally {
    await database.close();
  }
}
