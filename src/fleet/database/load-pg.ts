import { optional } from "../../base/optional.ts";

/** What the npm package does not bring by itself: only a fleet takes it. */
export const FLEET_PACKAGES: readonly string[] = ["pg", "pg-boss"];

/** The client of PostgreSQL. Throws `missing` where it is not installed. */
export async function loadPg() {
  const { default: pg } = await optional("use a fleet", FLEET_PACKAGES, () => import("./pg.ts"));
  return pg;
}
