import type { Json } from "../base/error.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { FULL } from "../operations/target.ts";
import { kindOf } from "../operations/kind.ts";
import { valueOf } from "../operations/value-of.ts";
import type { Look } from "./look.ts";

/** Milliseconds of the look that reads texts. */
const READS = 5_000;

/** What an assertion says of an element: its value where it has one beside its name, else that it exists. A secret has none. */
export async function shownOf(
  desktop: Desktop,
  { application, snapshot }: Look,
  row: number,
  secret: ReadonlySet<string>,
): Promise<Readonly<Record<string, Json>>> {
  const exists = { exists: true };
  if (secret.has(`${application.bus} ${snapshot.path(row)}`) || kindOf(snapshot, row) === "secure") {
    return exists;
  }
  const now = await desktop.snapshot(application, { timeout: READS, fields: FULL });
  const there = now.rowOf(snapshot.element(row));
  if (there < 0 || ["secure", "other"].includes(kindOf(now, there))) return exists;
  const value = valueOf(now, there);
  return value === null || value === now.name(there) ? exists : { value };
}
