import { BackstepError } from "../../../base/error.ts";
import type { Application, Desktop, DesktopEvent, Window } from "../../../desktop/desktop.ts";
import { isGtk } from "../../../desktop/toolkits.ts";
import type { Heard } from "./desktop-events.ts";
import type { Timers } from "./timers.ts";

/** Milliseconds between two glances at the window system. */
const EVERY = 120;
/** Milliseconds that one may take. */
const TIMEOUT = 2_000;
/** What a change of an application's windows is heard as. */
const KIND = "window:property-change";

/** Does it say by events when its windows are called otherwise? Qt does not, nor does Chromium of its own windows. */
export function tellsOfTitles(application: Application): boolean {
  return isGtk(application);
}

interface Watched {
  readonly application: Application;
  readonly heard: (heard: Heard) => void;
  last: string | undefined;
}

/**
 * Notices by the window system what applications do not tell of their windows: titles, which one is active, which there
 * are. One look for all of them, which costs the applications nothing; none while nobody listens.
 */
export class WindowPoll {
  readonly #desktop: () => Desktop;
  readonly #timers: Timers;
  readonly #watched = new Set<Watched>();
  #cancel: (() => void) | undefined;

  constructor(desktop: () => Desktop, timers: Timers) {
    this.#desktop = desktop;
    this.#timers = timers;
  }

  /** Hears of an application's windows from now on; answers how to stop. */
  listen(application: Application, heard: (heard: Heard) => void): () => void {
    const watched: Watched = { application, heard, last: undefined };
    this.#watched.add(watched);
    this.#cancel ??= this.#timers.after(0, () => this.#look());
    return () => {
      this.#watched.delete(watched);
      if (this.#watched.size > 0) return;
      this.#cancel?.();
      this.#cancel = undefined;
    };
  }

  #look(): void {
    const again = () => {
      if (this.#watched.size > 0) this.#cancel = this.#timers.after(EVERY, () => this.#look());
    };
    const desktop = this.#desktop();
    if (!desktop.capabilities.windows) return again();
    desktop.windows({ timeout: TIMEOUT }).then((windows) => {
      for (const watched of [...this.#watched]) compare(watched, windows);
    }, (error: unknown) => {
      // What is not told now is looked for with the next glance.
      if (!(error instanceof BackstepError)) throw error;
    }).finally(again);
  }
}

function compare(watched: Watched, windows: readonly Window[]): void {
  const { bus, pid } = watched.application;
  const now = JSON.stringify(
    windows.filter((one) => one.pid === pid).map(({ id, title, active }) => [id, title, active]).sort(),
  );
  if (watched.last === now) return;
  // The first time too: what changed before it was seen by nobody.
  watched.last = now;
  const event: DesktopEvent = { bus, path: "", kind: KIND, detail1: 0, detail2: 0, text: "" };
  watched.heard([event]);
}
