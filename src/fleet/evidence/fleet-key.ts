import { Buffer } from "node:buffer";
import { hkdfSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { BackstepError } from "../../base/error.ts";
import { isMap } from "../../base/json.ts";
import { Encryption } from "../../engine/journal/encryption.ts";
import { readSecretFile } from "../../engine/secrets/secret-file.ts";
import { stateFolder } from "../../session/lease.ts";

/** The secret that opens the evidence of a fleet: workers and who reports have it, the database never does. */
export const KEY_VARIABLE = "BACKSTEP_FLEET_KEY";
/** Characters of it, at least. */
const SHORTEST = 32;

/**
 * Encrypts the keys of runs, so that their evidence can lie in a database that cannot open it. Whoever has the same secret
 * decrypts them.
 */
export class FleetKey {
  readonly #encryption: Encryption;

  constructor(secret: string) {
    if (secret.length < SHORTEST) {
      throw new BackstepError(
        "usage",
        `Cannot use ${KEY_VARIABLE}: it has fewer than ${SHORTEST} characters`,
        { hint: "`backstep fleet key` makes one." },
      );
    }
    const key = hkdfSync("sha256", secret, "", "backstep fleet evidence", 32);
    this.#encryption = Encryption.of(new Uint8Array(key));
  }

  /** A run's key as it may be stored. */
  encrypt(run: string, key: Uint8Array): string {
    return this.#encryption.encrypt({ run, key: Buffer.from(key).toString("base64") });
  }

  /** The key of a run. Throws `io` where another secret encrypted it, or it is another run's. */
  decrypt(run: string, encrypted: string): Uint8Array {
    let found: ReturnType<Encryption["decrypt"]>;
    try {
      found = this.#encryption.decrypt(encrypted);
    } catch (cause) {
      throw new BackstepError(
        "io",
        `Cannot open the evidence of run ${run}: another ${KEY_VARIABLE} encrypted it`,
        {
          cause,
          hint: "All machines of a fleet need the same one: `backstep fleet key` prints it.",
        },
      );
    }
    if (isMap(found) && found["run"] === run && typeof found["key"] === "string") {
      return Buffer.from(found["key"], "base64");
    }
    throw new BackstepError("io", `Cannot open the evidence of run ${run}: its key is another run's`);
  }
}

/** Where the secret lies that no environment variable gives. */
export function keyFile(state: string = stateFolder()): string {
  return join(state, "fleet-key");
}

/** The fleet's key, from the environment or from this machine's file; undefined: there is none. Throws `usage`. */
export function findFleetKey(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  state: string = stateFolder(environment),
): FleetKey | undefined {
  const given = environment[KEY_VARIABLE];
  if (given) return new FleetKey(given);
  const file = keyFile(state);
  return existsSync(file) ? new FleetKey(readSecretFile(KEY_VARIABLE, file)) : undefined;
}

/** The secret itself, for other machines; where there is none, one is made in this machine's file (0600). Throws `io`. */
export function fleetSecret(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  state: string = stateFolder(environment),
): { readonly secret: string; readonly file: string | undefined; readonly made: boolean } {
  const given = environment[KEY_VARIABLE];
  if (given) return { secret: given, file: undefined, made: false };
  const file = keyFile(state);
  if (existsSync(file)) return { secret: readSecretFile(KEY_VARIABLE, file), file, made: false };
  const secret = randomBytes(32).toString("base64url");
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    // Another process made it meanwhile.
    if (existsSync(file)) return { secret: readSecretFile(KEY_VARIABLE, file), file, made: false };
    throw new BackstepError("io", `Cannot write the fleet's key to ${file}`, { cause });
  }
  return { secret, file, made: true };
}
