import type { Refreshed, StateBits } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { MOVED } from "../moved.ts";
import { RecentReadings } from "../recent-readings.ts";
import { ListedApplications } from "./listed-applications.ts";
import { RecentTree } from "./recent-tree.ts";
import { SaidAtPoints } from "./said-at-points.ts";
import type { SharedWindows } from "./shared-windows.ts";

/** Events after which windows may stand otherwise; where one lies may have changed by the last. */
const MOVES_WINDOWS =
  /^(?:window:|object:(?:children-changed|state-changed:(?:active|defunct|iconified|modal|showing|visible)))/;

/** An element that is being read since something was done to it. */
interface Along {
  readonly bus: string;
  readonly path: string;
  readonly kept: Promise<void>;
}

/**
 * What was asked a moment ago and serves the same step: until something is sent to anybody, or an application reports something of
 * it.
 */
export class SharedWithinStep {
  readonly readings = new RecentReadings();
  /** Those that do not say where their element lies. */
  readonly unplaced = new RecentReadings();
  readonly states = new RecentReadings<StateBits>();
  /** Where elements lie that were asked for. */
  readonly places = new RecentReadings<Refreshed>();
  readonly hits = new SaidAtPoints();
  readonly tree = new RecentTree();
  readonly applications = new ListedApplications();
  readonly windows: SharedWindows;
  #along: Along | undefined;

  constructor(windows: SharedWindows) {
    this.windows = windows;
  }

  /** Something is sent, or was. */
  sent(): void {
    this.#along = undefined;
    for (const recent of [...this.#ofElements, this.hits]) recent.sent();
    this.tree.sent();
    this.windows.forget();
  }

  /** An application, or the registry of all of them, reported something. */
  reported(bus: string, path: string, event: string): void {
    this.applications.reported(bus, path, event);
    this.#ofElement(bus, path);
    this.tree.reported(bus);
    if (MOVES_WINDOWS.test(event)) {
      this.windows.forget();
      this.hits.sent();
    } else if (MOVED.test(event)) this.windows.moved();
  }

  /** A child of what reported it is gone. */
  removed(bus: string, path: string): void {
    this.#ofElement(bus, path);
  }

  /** Reads an element, but for its place, for who asks for a recent reading of it. */
  readAlong({ bus, path }: ElementRef, read: () => Promise<Reading>): void {
    const begun = this.unplaced.begin();
    const kept = read().then((now) => {
      if (now.content === undefined) this.unplaced.keep({ bus, path }, now, begun);
    }, () => {
      // Whoever needs it asks again, and hears why it cannot be read.
    });
    this.#along = { bus, path, kept };
  }

  /** Until what is being read of an element is there; undefined: it is not being read. */
  underWay({ bus, path }: ElementRef): Promise<void> | undefined {
    return this.#along?.bus === bus && this.#along.path === path ? this.#along.kept : undefined;
  }

  #ofElement(bus: string, path: string): void {
    for (const recent of this.#ofElements) recent.reported(bus, path);
  }

  get #ofElements() {
    return [this.readings, this.unplaced, this.states, this.places];
  }
}
