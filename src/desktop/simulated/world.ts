import { BackstepError, type Json } from "../../base/error.ts";
import type { Rect } from "../element.ts";
import { type Clock, makeClock } from "./clock.ts";
import { Log } from "./log.ts";
import { seeded } from "../../base/random.ts";
import { Schedule } from "./schedule.ts";
import { People } from "./people.ts";
import { Events } from "./watch.ts";
import type { RunningApplication, SimulatedWindow, Widget } from "./widget.ts";

/** Everything that simulated applications share: screen, clipboard, files, time, and the log of what happened. */
export class World {
  readonly width = 1280;
  readonly height = 800;
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly events: Events;
  readonly people: People;
  readonly log = new Log();
  readonly random: () => number;
  /** The running applications, in the order of their start. */
  readonly running: RunningApplication[] = [];
  /** Bottom to top. */
  readonly stack: SimulatedWindow[] = [];
  readonly files = new Map<string, string>();
  clipboard: string | undefined;
  #serial = 0;
  #windows = 0;

  constructor(seed: number, virtual: boolean) {
    this.clock = makeClock(virtual);
    this.schedule = new Schedule(this.clock);
    this.events = new Events(this.clock, this.schedule);
    this.people = new People(this.clock, this.schedule);
    this.random = seeded(seed);
  }

  /** The number of a new application. */
  nextSerial(): number {
    return ++this.#serial;
  }

  /** The number of a new window. */
  nextWindow(): number {
    return ++this.#windows;
  }

  /** The window that gets the keys. */
  active(): SimulatedWindow | undefined {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const window = this.stack[i];
      if (window && !window.minimised) return window;
    }
    return undefined;
  }

  /** The widget that gets the keys. */
  focused(): Widget | undefined {
    return this.active()?.focus;
  }

  /** A modal window of the same application that keeps this one from being used. */
  blockedBy(window: SimulatedWindow): SimulatedWindow | undefined {
    const above = this.stack.slice(this.stack.indexOf(window) + 1);
    return above.find((other) => other.app === window.app && other.modal && !other.minimised);
  }

  /** Does something that may change which window is active and which widget focused, and tells of the change. */
  restack(change: () => void): void {
    const before = this.active();
    const focus = before?.focus;
    change();
    const after = this.active();
    if (before !== after) {
      if (before) this.tell(before.widget, "window:deactivate", 0, before.widget.name);
      if (after) this.tell(after.widget, "window:activate", 0, after.widget.name);
      this.log.changed("", "", "active window", before ? nameOf(before) : null, after ? nameOf(after) : null);
    }
    if (focus !== after?.focus) {
      if (focus) this.tell(focus, "object:state-changed:focused", 0);
      if (after?.focus) this.tell(after.focus, "object:state-changed:focused", 1);
    }
    before?.app.touch();
    after?.app.touch();
  }

  raise(window: SimulatedWindow): void {
    const modal = this.blockedBy(window);
    this.restack(() => {
      window.minimised = false;
      for (const top of modal ? [window, modal] : [window]) {
        this.stack.splice(this.stack.indexOf(top), 1);
        this.stack.push(top);
      }
    });
    window.app.dirty();
  }

  place(window: SimulatedWindow, rect: Partial<Rect>): void {
    const before = { x: window.x, y: window.y, width: window.width, height: window.height };
    const after = { ...before, ...rect };
    Object.assign(window, after);
    window.app.dirty();
    this.log.changed(window.app.id, window.key, "place", before, after);
    const resized = before.width !== after.width || before.height !== after.height;
    if (resized) this.tell(window.widget, "object:bounds-changed");
  }

  writeClipboard(text: string | undefined): void {
    const before = this.clipboard;
    if (before === text) return;
    this.clipboard = text;
    this.log.changed("", "", "clipboard", before ?? null, text ?? null);
  }

  writeFile(path: string, content: string | undefined): void {
    const before = this.files.get(path);
    if (content === undefined) this.files.delete(path);
    else this.files.set(path, content);
    this.log.changed("", path, "file", before ?? null, content ?? null);
  }

  tell(widget: Widget, kind: string, detail1 = 0, text = "", detail2 = 0): void {
    if (this.events.wanted) this.events.emit(widget.app.bus, widget.path, kind, detail1, detail2, text);
  }

  application(bus: string): RunningApplication {
    const app = this.running.find((one) => one.bus === bus);
    if (app === undefined) {
      throw new BackstepError("app_gone", `Cannot reach the application ${bus}: it left the bus`, {
        hint: "Launch it again.",
        details: { bus, running: this.running.map((one) => one.id) },
      });
    }
    return app;
  }

  /** All that is real, as plain JSON: independent of what the accessibility tree answers. */
  toJSON(): { readonly [key: string]: Json } {
    const focus = this.focused();
    return {
      applications: Object.fromEntries(this.running.map((app) => [app.id, app.world()])),
      windows: this.stack.map((window) => ({
        application: window.app.id,
        window: window.key,
        title: window.widget.name,
        minimised: window.minimised,
        rect: { x: window.x, y: window.y, width: window.width, height: window.height },
      })),
      focus: focus ? `${focus.app.id}#${focus.key}` : null,
      clipboard: this.clipboard ?? null,
      files: Object.fromEntries([...this.files].sort(([a], [b]) => a < b ? -1 : 1)),
    };
  }
}

function nameOf(window: SimulatedWindow): string {
  return `${window.app.id}#${window.key}`;
}
