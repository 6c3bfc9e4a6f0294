import type { RunEvent } from "../../contract/events.ts";

/** Who is told what happens. */
export interface Reporting {
  readonly emit: (event: RunEvent) => void;
}
