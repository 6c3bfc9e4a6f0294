import { instead } from "../src/desktop/_instead.ts";
import type { Application, Desktop, SnapshotOptions } from "../src/desktop/desktop.ts";

/** The same desktop, which notes each time that a whole application is read. */
export function noting(desktop: Desktop, whole: string[]): Desktop {
  const snapshot = async (application: Application, options: SnapshotOptions = {}) => {
    const seen = await desktop.snapshot(application, options);
    if (options.root === undefined && seen.origin.source === "application") {
      whole.push(options.source ?? "application");
    }
    return seen;
  };
  return instead(desktop, { snapshot });
}
