import { type Call, cancelled } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { Action } from "../desktop.ts";
import type { Doing } from "./doing.ts";
import type { FaultBook } from "./fault-book.ts";
import { type CallFault, isAction } from "./faults.ts";
import type { LogEntry } from "./log.ts";
import { FaultInjection } from "./fault-injection.ts";
import type { World } from "./world.ts";

/**
 * The way of every call: count it, let what is due happen, ask the faults, do it, log it. Without a fault nothing is
 * waited for: the promise is resolved before it is answered.
 */
export class Calls {
  readonly #world: World;
  readonly #faults: FaultBook;
  readonly #injection: FaultInjection;
  readonly #entries = new WeakMap<object, LogEntry>();
  #closed = false;

  constructor(world: World, faults: FaultBook) {
    this.#world = world;
    this.#faults = faults;
    this.#injection = new FaultInjection(
      world,
      <T>(doing: Doing<T>, action?: Action) => this.#perform(doing, action),
    );
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
      if (faults.length > 0 || this.#injection.holds(doing)) return this.#unlucky(doing, call, faults);
      return Promise.resolve(this.#perform(doing, doing.action));
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
  #perform<T>(doing: Doing<T>, action: Action | undefined): T {
    if (!isAction(doing.call)) return doing.perform(action);
    const { log } = this.#world;
    const n = log.entries.length;
    const reported = (code: string) => {
      const entry = log.entries[n];
      if (!entry) return;
      entry.reported = code;
      this.#entries.set(doing, entry);
    };
    try {
      const answer = log.during(happening(doing), () => doing.perform(action));
      reported("ok");
      return answer;
    } catch (error) {
      reported(toBackstepError(error).code);
      throw error;
    }
  }

  /** The way of a call that a fault strikes. What the caller was told is written where the action is. */
  async #unlucky<T>(doing: Doing<T>, call: Call | undefined, faults: readonly CallFault[]): Promise<T> {
    let reported = "ok";
    try {
      return await this.#injection.suffer(doing, call, faults);
    } catch (error) {
      reported = toBackstepError(error).code;
      throw error;
    } finally {
      if (isAction(doing.call)) {
        const entry = this.#entries.get(doing) ?? this.#world.log.add(happening(doing));
        entry.reported = reported;
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
    detail: doing.detail ?? (doing.action ? { ...doing.action } : null),
  };
}
