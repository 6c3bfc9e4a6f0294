import type { Call } from "../../../base/call.ts";
import { BackstepError, type Json } from "../../../base/error.ts";
import type { DesktopEvent } from "../../../desktop/desktop.ts";
import { brief } from "../axterminator/brief.ts";
import type { Heard } from "./desktop-events.ts";
import { ElementHappenings } from "./element-events.ts";
import { isFocus } from "./last-tree.ts";
import type { Recorded } from "./recorded.ts";
import { elementText, lookAt } from "./read-at.ts";
import { Ring } from "./event-ring.ts";
import { concernsToplevels, type Toplevel, toplevelsOf } from "./toplevels.ts";
import type { Part } from "./topic.ts";

/** Milliseconds in which changes of the tree count as one. */
const STRUCTURE = 500;
/** Milliseconds that finding out what a dialog is for may take. */
const PATTERN = 1_000;

/** Turns the events of one application into happenings that somebody can read. */
export class Recorder {
  /** Windows and focus are told at once, what its elements do after them. */
  readonly parts: readonly Part[];
  readonly #of: Recorded;
  readonly #ring = new Ring();
  readonly #since = new Date();
  readonly #windows: Windows;
  #finding: Promise<void> = Promise.resolve();

  constructor(of: Recorded) {
    this.#of = of;
    this.#windows = new Windows(of, this.#ring, () => {
      this.#finding = this.#finding.then(() => this.#findPatterns());
    });
    this.parts = [
      this.#windows,
      new ElementHappenings(of, this.#ring, (path) => this.#windows.has(path)),
      structure(this.#ring, this.#windows),
    ];
  }

  /** The last happenings, the oldest first; dialogs with what they are for, as far as that is known. */
  async read(): Promise<{ readonly [key: string]: Json }> {
    await this.#finding;
    await this.#findPatterns();
    return { events: this.#ring.toJSON(), recording_since: this.#since.toISOString() };
  }

  /** A dialog is often not complete when it appears: what it is for is looked for afterwards, while it is there. */
  async #findPatterns(): Promise<void> {
    const { desktop, application, insight } = this.#of;
    const paths = this.#ring.unknownDialogs.filter((path) => this.#windows.has(path));
    if (insight === undefined || paths.length === 0) return;
    try {
      const snapshot = await desktop.snapshot(application, {
        timeout: PATTERN,
        fields: ["id"],
        source: "held",
      });
      for (const row of snapshot.children(0)) {
        const path = snapshot.path(row);
        const pattern = paths.includes(path) ? insight.pattern(snapshot, row) : undefined;
        if (pattern !== undefined) this.#ring.learn(path, pattern);
      }
    } catch (error) {
      // Then it is not known; that the dialog appeared is.
      if (!(error instanceof BackstepError)) throw error;
    }
  }
}

/** Windows, dialogs, titles and the focus. */
class Windows implements Part {
  readonly debounce = 0;
  readonly #of: Recorded;
  readonly #ring: Ring;
  readonly #dialogCame: () => void;
  #toplevels: ReadonlyMap<string, Toplevel> | undefined;
  #focus: string | undefined;
  #reported: string | undefined;
  #look = false;
  #serial = 0;

  constructor(of: Recorded, ring: Ring, dialogCame: () => void) {
    this.#of = of;
    this.#ring = ring;
    this.#dialogCame = dialogCame;
  }

  /** Is this the path of a window that is there? */
  has(path: string): boolean {
    return this.#toplevels?.has(path) ?? false;
  }

  hear(heard: Heard): void {
    if (heard === "lost") this.#look = true;
    else {
      for (const event of heard) {
        if (this.#concernsToplevels(event)) this.#look = true;
        if (isFocus(event)) this.#focus = event.path;
      }
    }
  }

  concerns(events: readonly DesktopEvent[]): boolean {
    return events.some((event) => isFocus(event) || this.#concernsToplevels(event));
  }

  async digest(call: Call, polled: boolean): Promise<string> {
    const look = this.#look || polled || this.#toplevels === undefined;
    this.#look = false;
    try {
      if (look) await this.#readToplevels(call);
    } catch (error) {
      this.#look = true;
      throw error;
    }
    await this.#lookAtFocus(call);
    return String(this.#serial);
  }

  #concernsToplevels(event: DesktopEvent): boolean {
    return concernsToplevels(event, this.#toplevels ?? new Map());
  }

  async #readToplevels(call: Call): Promise<void> {
    const { desktop, application } = this.#of;
    const now = new Map((await toplevelsOf(desktop, application, call)).map((one) => [one.path, one]));
    const before = this.#toplevels;
    this.#toplevels = now;
    if (before === undefined) return;
    for (const one of before.values()) {
      if (!now.has(one.path) && !one.popup) this.#note("window_closed", one);
    }
    for (const one of now.values()) {
      const earlier = before.get(one.path);
      if (one.popup) continue;
      if (earlier === undefined || earlier.popup) this.#note("window_opened", one);
      else if (earlier.title !== one.title) this.#note("title_changed", one, earlier.title);
      if (one.dialog && !earlier?.dialog) {
        this.#note("dialog_appeared", one);
        this.#dialogCame();
      }
    }
  }

  async #lookAtFocus(call: Call): Promise<void> {
    const path = this.#focus;
    if (path === undefined) return;
    this.#focus = undefined;
    const one = await lookAt(this.#of.desktop, this.#of.application, path, [], call);
    if (one === undefined || !one.has(0, "focused")) return;
    const element = elementText(one);
    const reported = `${path} ${element}`;
    if (reported === this.#reported) return;
    this.#reported = reported;
    this.#serial++;
    this.#ring.note({ type: "focus_changed", element });
  }

  #note(
    type: "window_opened" | "window_closed" | "dialog_appeared" | "title_changed",
    toplevel: Toplevel,
    was?: string,
  ) {
    this.#serial++;
    const before = was === undefined ? {} : { before: brief(was) };
    this.#ring.note({ type, title: brief(toplevel.title), ...before }, toplevel.path);
  }
}

/** That elements came and went, without saying which: the tree says that. */
function structure(ring: Ring, windows: Windows): Part {
  let serial = 0, heard = false;
  const tells = ({ kind, path }: DesktopEvent) =>
    kind.startsWith("object:children-changed:") && !windows.has(path);
  return {
    debounce: STRUCTURE,
    hear(events) {
      if (events !== "lost" && events.some(tells)) heard = true;
    },
    concerns: (events) => events.some(tells),
    digest() {
      if (heard) {
        serial++;
        ring.note({ type: "structure_changed" });
      }
      heard = false;
      return Promise.resolve(String(serial));
    },
  };
}
