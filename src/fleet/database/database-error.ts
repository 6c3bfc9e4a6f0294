import { BackstepError } from "../../base/error.ts";
import type { FleetPlace } from "./place.ts";

/** What an error of `pg` or of the network carries. */
function codeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** The network's errors of a database that is not reached, or no more. */
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT|EACCES)/;
/** PostgreSQL's: connection errors, and a server that shuts down, starts or has no connection left. */
const LOST = /^(08|57P0[1-4]|53300)/;
/** What `pg` says without a code. */
const LOST_WORDS =
  /connection terminated|not queryable|connection ended|timeout exceeded when trying to connect|query read timeout|socket hang up|server closed/i;
/** Another transaction came in between: the same again may succeed. */
const AGAIN = /^(40001|40P01|55P03)/;

/** Is it a fault of the connection, or of the moment, so that the same may succeed later? */
export function mayPass(thrown: unknown): boolean {
  const inner = thrown instanceof BackstepError ? thrown.cause : thrown;
  const code = codeOf(inner);
  if (code !== undefined && (NETWORK.test(code) || LOST.test(code) || AGAIN.test(code))) return true;
  if (inner instanceof AggregateError) return inner.errors.some(mayPass);
  return inner instanceof Error && LOST_WORDS.test(inner.message);
}

/** What went wrong in the database, as an error of this project: what to do about it, and no value of a statement. */
export function databaseError(doing: string, place: FleetPlace, thrown: unknown): BackstepError {
  if (thrown instanceof BackstepError) return thrown;
  const cause = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  const code = codeOf(cause) ?? "";
  const said = (cause instanceof Error ? cause.message : String(cause)).slice(0, 300);
  const error = (kind: "io" | "refused" | "usage" | "invalid" | "internal", why: string, hint?: string) =>
    new BackstepError(kind, `Cannot ${doing} in the fleet's database ${place.words}: ${why}`, {
      cause: thrown,
      ...(hint === undefined ? {} : { hint }),
      details: code === "" ? {} : { code },
    });
  if (code === "3D000") {
    return error(
      "usage",
      `there is no database ${JSON.stringify(place.database)}`,
      "Make it with createdb, or correct the URL.",
    );
  }
  if (code === "28P01" || code === "28000") {
    return error(
      "refused",
      "it refuses this user or password",
      "Correct the user and the password in the URL.",
    );
  }
  if (code === "42501") {
    return error(
      "refused",
      `the user ${place.user ?? "of the URL"} has not the rights (${said})`,
      `Let an administrator grant them: GRANT CREATE ON DATABASE ${place.database} TO …, or run \`backstep fleet migrate\` as the owner.`,
    );
  }
  if (code === "42P01" || code === "3F000") {
    return error("invalid", "Backstep's tables are not there", "Make them with: backstep fleet migrate");
  }
  if (/certificate|self.signed|SSL|TLS|ERR_TLS/i.test(`${said} ${code}`)) {
    return error(
      "refused",
      said,
      "Name the authority with sslrootcert=FILE, or, on a trusted network, sslmode=disable.",
    );
  }
  if (mayPass(cause)) {
    return error(
      "io",
      said === "" ? "it is not reached" : said,
      "Is it running, and is the URL right? `backstep fleet up` starts one on this machine.",
    );
  }
  return error("internal", said);
}
