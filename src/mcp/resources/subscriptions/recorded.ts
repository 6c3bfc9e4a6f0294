import type { Application, Desktop } from "../../../desktop/desktop.ts";
import type { Insight } from "../axterminator/insight.ts";

/** What is recorded of, and with what. */
export interface Recorded {
  readonly desktop: Desktop;
  readonly application: Application;
  readonly insight: Insight | undefined;
}
