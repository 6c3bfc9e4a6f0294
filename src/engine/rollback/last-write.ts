import { type Deadline, pause } from "../../base/call.ts";
import type { Desktop } from "../../desktop/desktop.ts";

/** Milliseconds from the last write of a rollback to its last read: applications change values back a moment after a write. */
export const AFTER_WRITE = 1_000;

/** When a rollback last wrote something. What it undoes counts as a write: it may be a moment old. */
export class LastWrite {
  #at = performance.now();

  mark(): void {
    this.#at = performance.now();
  }

  /** Waits for what is left of the second, or until the deadline. Throws `cancelled`. */
  async rest(desktop: Desktop, deadline: Deadline): Promise<void> {
    const left = Math.min(AFTER_WRITE - (performance.now() - this.#at), deadline.remaining());
    if (left <= 0) return;
    if (desktop.idle) await desktop.idle(left, deadline.call());
    else await pause(left, deadline.signal);
  }
}
