import { simulatedApplications } from "./applications/catalogue.ts";
import type { ApplicationDescription } from "./describe.ts";
import type { Fault } from "./faults.ts";
import { InMemoryDesktop } from "./in-memory.ts";
import type { SimulatedDesktop } from "./simulated-desktop.ts";

/** What a simulated desktop begins with. */
export interface SimulateOptions {
  /** Started at once, in this order: ids of the catalogue, or descriptions of one's own. Default: none. */
  readonly applications?: readonly (string | ApplicationDescription)[];
  /** Laid before the applications start. Default: none. */
  readonly faults?: readonly Fault[];
  /** Of everything that is left to chance; default 1. */
  readonly seed?: number;
  /** "virtual": what waits jumps ahead instead, so that a hanging application costs no time. Default "real". */
  readonly clock?: "real" | "virtual";
}

/**
 * A new simulated desktop. Faults are laid before the applications start, so that what they build can be late.
 *
 * @example
 * ```ts
 * import { simulate } from "./simulate.ts";
 * const desktop = simulate({ applications: ["sim.calculator"] });
 * await desktop.typeText("6*7=");
 * if (!JSON.stringify(desktop.world()).includes("42")) throw new Error();
 * await desktop.close();
 * ```
 */
export function simulate(options: SimulateOptions = {}): SimulatedDesktop {
  const { applications = [], faults = [], seed = 1, clock = "real" } = options;
  const own = applications.filter((one) => typeof one !== "string");
  const desktop = new InMemoryDesktop({ catalogue: [...simulatedApplications, ...own], seed, clock });
  for (const fault of faults) desktop.inject(fault);
  for (const one of applications) desktop.launch(typeof one === "string" ? one : one.id);
  return desktop;
}
