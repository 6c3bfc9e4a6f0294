import type { Call } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { WindowManager } from "../wm/model.ts";
import { openWindowManager } from "../wm/open.ts";

/** The window manager of one session: connected when it is first asked for, closed with the session. */
export class OwnWindowManager {
  readonly #environment: Readonly<Record<string, string>>;
  #opening: Promise<WindowManager | undefined> | undefined;
  #closed = false;

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  /** Undefined: none answers yet. Rejects with `no_desktop` where the session was closed. */
  get(call?: Call): Promise<WindowManager | undefined> {
    if (this.#closed) {
      return Promise.reject(
        new BackstepError("no_desktop", "Cannot reach the window manager: the session was closed"),
      );
    }
    const opening = this.#opening ??= this.#open(call);
    const again = () => {
      if (this.#opening === opening) this.#opening = undefined;
    };
    // What did not answer may answer the next time.
    opening.then((manager) => manager === undefined ? again() : undefined, again);
    return opening;
  }

  close(): void {
    this.#closed = true;
    this.#opening?.then((manager) => manager?.close(), () => {});
  }

  async #open(call?: Call): Promise<WindowManager | undefined> {
    const manager = await openWindowManager(this.#environment, call);
    if (this.#closed) manager?.close();
    return manager;
  }
}
