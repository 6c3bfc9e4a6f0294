import { readFileSync } from "node:fs";
import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { TlsOptions } from "./pg-types.d.ts";

/** Where a fleet's database is, and how it is reached. */
export interface FleetPlace {
  /** A host, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user?: string;
  /** Undefined: as PGPASSWORD or ~/.pgpass say, or none. */
  readonly password?: string;
  readonly tls: false | TlsOptions;
  /** The schema of Backstep's tables; the queue's is `<schema>_queue`. */
  readonly schema: string;
  /** For people, without the password: "postgres://ada@db.example:5432/fleet". */
  readonly words: string;
}

/** Where a URL comes from, in messages. */
const VARIABLE = "BACKSTEP_FLEET_URL";
const PARAMETERS = ["schema", "host", "sslmode", "sslrootcert", "sslcert", "sslkey"];
const MODES = ["disable", "require", "verify-ca", "verify-full"] as const;

/**
 * Reads the URL of a fleet's database: `postgres://user:password@host:5432/name?sslmode=verify-full&schema=backstep`, or
 * `postgres:///name?host=/run/postgresql` for a socket. TLS is verified unless the URL says otherwise; on this machine
 * there is none. The password is in no error.
 *
 * @throws {BackstepError} `usage` where it is no such URL, or names a file that cannot be read.
 */
export function readFleetUrl(text: string, source: string = VARIABLE): FleetPlace {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refused(source, "it is no URL");
  }
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") {
    throw refused(source, `it begins with ${JSON.stringify(url.protocol.slice(0, 20))}, not postgres:`);
  }
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    throw refused(
      source,
      `it has a parameter ${JSON.stringify(unknown)}; there are ${PARAMETERS.join(", ")}`,
    );
  }
  const host = url.searchParams.get("host") ?? url.hostname.replace(/^\[|\]$/g, "");
  const database = decode(url.pathname.slice(1), source);
  if (host === "") throw refused(source, "it names no host");
  if (database === "" || database.includes("/")) throw refused(source, "it names no database");
  const port = url.port === "" ? 5432 : Number(url.port);
  const schema = url.searchParams.get("schema") ?? "backstep";
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(schema)) {
    throw refused(source, "its schema is not made of small letters, digits and _");
  }
  const user = decode(url.username, source) || undefined;
  const password = decode(url.password, source) || undefined;
  const shown = host.startsWith("/") ? "" : host.includes(":") ? `[${host}]` : host;
  const where = host.startsWith("/") ? ` (socket in ${host})` : "";
  return {
    host,
    port,
    database,
    ...defined({ user, password }),
    tls: tlsOf(url, host, source),
    schema,
    words: `postgres://${user === undefined ? "" : `${user}@`}${shown}${
      shown ? `:${port}` : ""
    }/${database}${where}`,
  };
}

/** Whether a host is this machine: what is sent to it passes no network. */
export function isHere(host: string): boolean {
  return host.startsWith("/") || host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);
}

function tlsOf(url: URL, host: string, source: string): false | TlsOptions {
  const said = url.searchParams.get("sslmode") ?? (isHere(host) ? "disable" : "verify-full");
  const mode = MODES.find((one) => one === said);
  if (mode === undefined) throw refused(source, `its sslmode is none of ${MODES.join(", ")}`);
  if (mode === "disable") return false;
  const file = (name: string) => {
    const path = url.searchParams.get(name);
    if (path === null) return undefined;
    try {
      return readFileSync(path, "utf8");
    } catch (cause) {
      throw new BackstepError("usage", `Cannot use the ${name} of ${source}: ${path} cannot be read`, {
        cause,
      });
    }
  };
  return {
    rejectUnauthorized: mode !== "require",
    ...(mode === "verify-ca" ? { checkServerIdentity: () => undefined } : {}),
    ...defined({ ca: file("sslrootcert"), cert: file("sslcert"), key: file("sslkey") }),
  };
}

function decode(text: string, source: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused(source, "a % in it is not followed by two digits");
  }
}

function refused(source: string, why: string): BackstepError {
  return new BackstepError("usage", `Cannot use the fleet's database from ${source}: ${why}`, {
    hint:
      "It looks like postgres://user:password@host:5432/name. `backstep fleet up` makes one on this machine.",
  });
}
