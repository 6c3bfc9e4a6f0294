import type { Application } from "../desktop/desktop.ts";
import { isAccessible } from "../session/inaccessible.ts";

/** The application as far as it can be looked into: one without an accessibility tree says nothing of what keys reach. */
export function withTree(application: Application | undefined): Application | undefined {
  return application !== undefined && isAccessible(application) ? application : undefined;
}
