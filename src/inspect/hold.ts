import type { Act, PolicyPort } from "../contract/gate.ts";
import type { Part } from "./routes.ts";

/** What pages are told of the run on their desktop. */
export interface HoldState {
  /** A person has taken over: the run waits before its next act. */
  readonly held: boolean;
  /** What it waits to do, or did last. */
  readonly step: string;
  /** It has come to where it waits. */
  readonly waits: boolean;
}

/**
 * Lets a person take over a desktop while a run goes on there, and hand it back: the run waits before its next act. A part of
 * the page, and a judge of the run's acts.
 */
export class Hold implements Part, PolicyPort {
  readonly #tell: (event: string, data: unknown) => void;
  readonly #signal: AbortSignal;
  #held: boolean;
  #step = "";
  #waits = false;
  #handedBack = Promise.withResolvers<void>();

  /** `held`: from the start on. `signal` fires: nobody waits any more. */
  constructor(tell: (event: string, data: unknown) => void, held: boolean, signal: AbortSignal) {
    this.#tell = tell;
    this.#held = held;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#handedBack.resolve(), { once: true });
  }

  readonly questions = {
    "take-over": () => this.#set(true),
    "hand-back": () => this.#set(false),
  };

  hello() {
    return { pause: this.#state() };
  }

  /** Called before each act of the run. */
  async admit({ operation, resolved }: Act): Promise<void> {
    if (operation.hints.readOnly && resolved.effect === "read") return;
    this.#step = `${operation.name} ${resolved.subject ?? ""}`.trim();
    while (this.#held && !this.#signal.aborted) {
      this.#waits = true;
      this.#tell("pause", this.#state());
      await this.#handedBack.promise;
    }
    this.#waits = false;
    this.#tell("pause", this.#state());
  }

  #set(held: boolean): HoldState {
    if (this.#held !== held) {
      this.#held = held;
      if (!held) {
        this.#handedBack.resolve();
        if (!this.#signal.aborted) this.#handedBack = Promise.withResolvers();
      }
      this.#tell("pause", this.#state());
    }
    return this.#state();
  }

  #state(): HoldState {
    return { held: this.#held, step: this.#step, waits: this.#waits };
  }
}
