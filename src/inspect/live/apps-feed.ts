import { toBackstepError } from "../../base/error.ts";
import type { Desktop } from "../../desktop/desktop.ts";

/** Milliseconds after which the list is read again although nothing told of a change. */
const SELDOM = 3_000;
/** Events by which an application may have come or gone. */
const COMES = /^window:(create|destroy|activate)|^object:children-changed/;

/** An application as pages list it. */
export interface ListedApp {
  readonly bus: string;
  readonly name: string;
  readonly pid: number;
  readonly toolkit: string;
  /** It does not answer. */
  readonly silent?: true;
}

/** The applications of a desktop, listed while somebody looks. */
export class AppsFeed {
  readonly #desktop: Desktop;
  readonly #tell: (list: readonly ListedApp[]) => void;
  #running: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #last = "";

  constructor(desktop: Desktop, tell: (list: readonly ListedApp[]) => void) {
    this.#desktop = desktop;
    this.#tell = tell;
  }

  start(): void {
    this.#last = "";
    if (this.#running) return;
    const stop = new AbortController();
    this.#running = { stop, done: this.#run(stop.signal) };
  }

  async pause(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.stop.abort();
    await running?.done;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const watch = this.#desktop.watch();
    let due = -Infinity;
    let came = true;
    try {
      while (!signal.aborted) {
        if (came || this.#last === "" || performance.now() > due) {
          await this.#list(signal);
          due = performance.now() + SELDOM;
        }
        const answer = await watch.next({ timeout: 500, signal });
        came = answer === "lost" || watch.take().some(({ kind }) => COMES.test(kind));
      }
    } catch (thrown) {
      // Who looks finds the list as it was; the picture says what is wrong with the desktop.
      if (toBackstepError(thrown).code === "internal") throw thrown;
    } finally {
      watch.close();
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const list = (await this.#desktop.applications({ timeout: 5_000, signal })).map((
      { bus, name, pid, toolkit, silent },
    ): ListedApp => ({ bus, name, pid, toolkit, ...(silent ? { silent } : {}) }));
    const text = JSON.stringify(list);
    if (text === this.#last) return;
    this.#last = text;
    this.#tell(list);
  }
}
