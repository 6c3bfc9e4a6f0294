import type { Call } from "../../../base/call.ts";
import type { Application, Desktop, SnapshotField, SnapshotSource } from "../../../desktop/desktop.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";
import type { Timers } from "./timers.ts";

/** Milliseconds for which one look serves several who want it. */
const SERVES = 250;
/** Milliseconds that one look may take. */
const LOOK = 10_000;

interface Look {
  readonly began: number;
  readonly snapshot: Promise<Snapshot>;
}

/** How much is looked at. */
export interface LookOptions {
  readonly fields: readonly SnapshotField[];
  readonly source: SnapshotSource;
  /** No event asked for it: one that is a moment old will do. */
  readonly polled: boolean;
}

/** Looks at the whole tree of one application: those who look for the same reason at the same time look once. */
export class Looks {
  readonly #desktop: () => Desktop;
  readonly #application: Application;
  readonly #timers: Timers;
  readonly #last = new Map<string, Look>();
  #heardAt = -Infinity;

  constructor(desktop: () => Desktop, application: Application, timers: Timers) {
    this.#desktop = desktop;
    this.#application = application;
    this.#timers = timers;
  }

  /** Something happened: what was looked at before is old. */
  heard(): void {
    this.#heardAt = this.#timers.now();
  }

  async tree({ fields, source, polled }: LookOptions, { signal }: Call): Promise<Snapshot> {
    const key = `${source} ${fields.join()}`;
    const now = this.#timers.now();
    let look = this.#last.get(key);
    if (look === undefined || now - look.began > SERVES || (!polled && look.began <= this.#heardAt)) {
      // It is not any one's: who leaves does not take it from the others.
      const snapshot = this.#desktop().snapshot(this.#application, { timeout: LOOK, fields, source });
      look = { began: now, snapshot };
      this.#last.set(key, look);
      const own = look;
      const forget = () => void (this.#last.get(key) === own && this.#last.delete(key));
      snapshot.then(() => this.#timers.after(SERVES, forget), forget);
    }
    const seen = await look.snapshot;
    signal?.throwIfAborted();
    return seen;
  }
}
