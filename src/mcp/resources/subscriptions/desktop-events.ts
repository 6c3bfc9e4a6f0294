import type { Application, Desktop, DesktopEvent, Watch } from "../../../desktop/desktop.ts";
import type { Timers } from "./timers.ts";

/** Events in the order of their coming; "lost": some were dropped on the way, so that everything must be looked at. */
export type Heard = readonly DesktopEvent[] | "lost";

/** Milliseconds between two looks at a simulated desktop: what waits there may make its clock jump. */
const SIMULATED = 10;
/** Milliseconds of one wait. */
const WAIT = 60_000;

interface Listener {
  readonly heard: (heard: Heard) => void;
  /** Nothing will be heard any more. */
  readonly over: () => void;
}

/** One watch of one application, or of all, shared by everybody who listens; it stands while somebody does. */
export class DesktopEvents {
  readonly #desktop: () => Desktop;
  readonly #application: Application | undefined;
  readonly #timers: Timers;
  readonly #listeners = new Set<Listener>();
  #stop: (() => void) | undefined;

  /** `desktop` is asked each time a watch begins: a session can replace its own. */
  constructor(desktop: () => Desktop, application: Application | undefined, timers: Timers) {
    this.#desktop = desktop;
    this.#application = application;
    this.#timers = timers;
  }

  /** Is there a watch? */
  get open(): boolean {
    return this.#stop !== undefined;
  }

  /** Listens from now on; answers how to stop. */
  listen(heard: (heard: Heard) => void, over: () => void = () => {}): () => void {
    const listener = { heard, over };
    this.#listeners.add(listener);
    if (this.#stop === undefined) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  #start(): void {
    const desktop = this.#desktop();
    const watch = desktop.watch(this.#application);
    const finished = new AbortController();
    this.#stop = () => {
      finished.abort();
      watch.close();
    };
    const over = () => {
      if (finished.signal.aborted) return;
      this.#stop = undefined;
      watch.close();
      for (const listener of [...this.#listeners]) listener.over();
    };
    this.#follow(watch, desktop.kind === "simulated", finished.signal).catch(over);
  }

  /** Rejects when the watch has ended by itself: the connection broke, or was closed. */
  async #follow(watch: Watch, polls: boolean, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const what = polls ? await this.#poll(watch, signal) : await watch.next({ timeout: WAIT });
      if (signal.aborted) return;
      if (what === "timeout") continue;
      const events = watch.take();
      const heard = what === "lost" ? what : events;
      for (const listener of [...this.#listeners]) listener.heard(heard);
    }
  }

  async #poll(watch: Watch, signal: AbortSignal): Promise<"event" | "lost" | "timeout"> {
    await new Promise<void>((resolve) => {
      const done = () => {
        cancel();
        signal.removeEventListener("abort", done);
        resolve();
      };
      const cancel = this.#timers.after(SIMULATED, done);
      signal.addEventListener("abort", done, { once: true });
    });
    return signal.aborted ? "timeout" : await watch.next({ timeout: 0 });
  }
}
