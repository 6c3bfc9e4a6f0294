import type { Encryption } from "./encryption.ts";
import type { Journal } from "./journal.ts";

/** Where a run is written down, and with what it is encrypted. */
export interface Journaling {
  readonly journal: Journal;
  readonly encryption: Encryption;
}
