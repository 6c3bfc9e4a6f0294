import { type Call, cancelled } from "../../base/call.ts";
import { BackstepError, type Json, toBackstepError } from "../../base/error.ts";
import type { Deed } from "../desktop.ts";
import type { FaultBook, Site } from "./fault-book.ts";
import { type CallFault, isDeed } from "./faults.ts";
import type { LogEntry } from "./log.ts";
import { Misfortune } from "./misfortune.ts";
import type { World } from "./world.ts";

/** One call to the desktop, as it was made. */
export interface Doing<T> extends Site {
  /** For messages: "act on button \"Save\"". */
  readonly what: string;
  /** For the log. */
  readonly detail?: Json;
  /** What is checked even where nothing is done: is it still the element that was meant? */
  readonly check?: () => void;
  readonly perform: (deed: Deed | undefined) => T;
  /** What a deed answers that is accepted and not done; for calls that are no deeds it is never asked for. */
  readonly accepted?: T;
  /** Goes through the window system and not to the application: a hung one keeps it for later. */
  readonly queued?: boolean;
  /** Does not need the application at all: that it hangs is no matter. */
  readonly aside?: boolean;
}

/**
 * The way of every call: count it, let what is due happen, ask the faults, do it, log it. Without a fault nothing is
 * waited for: the promise is resolved before it is answered.
 */
export class Calls {
  readonly #world: World;
  readonly #faults: FaultBook;
  readonly #misfortune: Misfortune;
  readonly #entries = new WeakMap<object, LogEntry>();
  #closed = false;

  constructor(world: World, faults: FaultBook) {
    this.#world = world;
    this.#faults = faults;
    this.#misfortune = new Misfortune(world, <T>(doing: Doing<T>, deed?: Deed) => this.#perform(doing, deed));
  }

  run<T>(call: Call | undefined, describe: () => Doing<T>): Promise<T> {
    let doing: Doing<T> | undefined;
    try {
      if (this.#closed) {
        throw new BackstepError("no_desktop", "Cannot reach the simulated desktop: it was closed");
      }
      if (call?.signal?.aborted) {
        const { message, cause } = cancelled("reach the simulated desktop", call.signal.reason);
        throw new BackstepError("cancelled", message, { cause, details: { outcome: "not_sent" } });
      }
      this.#world.schedule.call();
      doing = describe();
      const faults = this.#faults.any ? this.#faults.strike(doing) : [];
      if (faults.length > 0 || this.#misfortune.holds(doing)) return this.#unlucky(doing, call, faults);
      return Promise.resolve(this.#perform(doing, doing.deed));
    } catch (error) {
      return Promise.reject(toBackstepError(error));
    } finally {
      if (doing?.app && (doing.call === "read" || doing.call === "snapshot")) this.#faults.read(doing.app);
    }
  }

  close(): void {
    this.#closed = true;
  }

  /** Does it, and logs what it changed and what it answered. */
  #perform<T>(doing: Doing<T>, deed: Deed | undefined): T {
    if (!isDeed(doing.call)) return doing.perform(deed);
    const { log } = this.#world;
    const n = log.entries.length;
    const told = (code: string) => {
      const entry = log.entries[n];
      if (!entry) return;
      entry.told = code;
      this.#entries.set(doing, entry);
    };
    try {
      const answer = log.during(happening(doing), () => doing.perform(deed));
      told("ok");
      return answer;
    } catch (error) {
      told(toBackstepError(error).code);
      throw error;
    }
  }

  /** The way of a call that a fault strikes. What the caller was told is written where the deed is. */
  async #unlucky<T>(doing: Doing<T>, call: Call | undefined, faults: readonly CallFault[]): Promise<T> {
    let told = "ok";
    try {
      return await this.#misfortune.suffer(doing, call, faults);
    } catch (error) {
      told = toBackstepError(error).code;
      throw error;
    } finally {
      if (isDeed(doing.call)) {
        const entry = this.#entries.get(doing) ?? this.#world.log.add(happening(doing));
        entry.told = told;
      }
    }
  }
}

/** What the log says of a call. */
export function happening<T>(doing: Doing<T>) {
  return {
    by: "caller" as const,
    did: doing.call,
    app: doing.app?.id ?? "",
    element: doing.widget?.key ?? "",
    detail: doing.detail ?? (doing.deed ? { ...doing.deed } : null),
  };
}
