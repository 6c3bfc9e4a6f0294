import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { BackstepError } from "../base/error.ts";
import { readSecretFile } from "../engine/secrets/secret-file.ts";
import { stateFolder } from "../session/lease.ts";
import { type FleetPlace, readFleetUrl } from "./database/place.ts";

/** The variable that holds the URL, and the one that names a file with it. */
export const URL_VARIABLE = "BACKSTEP_FLEET_URL";
const FILE_VARIABLE = "BACKSTEP_FLEET_URL_FILE";

/** The file in which `backstep fleet up` writes the URL of this machine's database. */
export function ownUrlFile(state: string = stateFolder()): string {
  return join(state, "fleet", "url");
}

/**
 * Finds the fleet's database: the URL that is given, else BACKSTEP_FLEET_URL, else the file that BACKSTEP_FLEET_URL_FILE
 * names, else what `backstep fleet up` started on this machine. Throws `usage`.
 */
export function findFleetPlace(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): FleetPlace {
  if (given !== undefined && given !== "") return readFleetUrl(given, "--fleet");
  const url = environment[URL_VARIABLE];
  if (url !== undefined && url !== "") return readFleetUrl(url, URL_VARIABLE);
  const file = environment[FILE_VARIABLE];
  if (file !== undefined && file !== "") return readFleetUrl(readSecretFile(URL_VARIABLE, file), file);
  const own = ownUrlFile(stateFolder(environment));
  if (existsSync(own)) return readFleetUrl(readSecretFile(URL_VARIABLE, own), own);
  throw new BackstepError("usage", "Cannot find the fleet's database: no URL is given", {
    hint: `Set ${URL_VARIABLE}, or start a database on this machine: backstep fleet up`,
  });
}
