import type { Call } from "../../base/call.ts";
import type { Json } from "../../base/error.ts";
import type {
  Application,
  Area,
  Capabilities,
  Deed,
  Desktop,
  ElementRef,
  Frame,
  Gesture,
  Reading,
  SnapshotOptions,
  Watch,
  Window,
  WindowDeed,
} from "../desktop.ts";
import type { Snapshot } from "../snapshot.ts";
import { ApplicationHost } from "./application-host.ts";
import { Calls, type Doing } from "./calls.ts";
import { lengthOf } from "./characters.ts";
import { snapshotOf } from "./columns.ts";
import { applyDeed } from "./deeds.ts";
import type { ApplicationDescription } from "./describe.ts";
import { FaultBook } from "./fault-book.ts";
import type { Fault, Interference } from "./faults.ts";
import { chordOf, pressChord, typeCharacter } from "./keyboard.ts";
import { locate, locateUnchanged } from "./locate.ts";
import type { Log } from "./log.ts";
import { picture } from "./picture.ts";
import { applyGesture, hit } from "./pointer.ts";
import { inTree, readingOf, spendMask } from "./view.ts";
import { applyWindowDeed, windowsOf } from "./windows.ts";
import { World } from "./world.ts";

/** How a simulated desktop is to be. */
export interface SimulatedDesktopOptions {
  /** Everything that can be launched. */
  readonly catalogue: readonly ApplicationDescription[];
  /** Of everything that is left to chance; default 1. */
  readonly seed?: number;
  /** "virtual": what waits jumps ahead instead. Default "real". */
  readonly clock?: "real" | "virtual";
}

/**
 * A desktop in memory: applications as data, a screen, a keyboard with a focus, a pointer, a clipboard and files; as
 * nasty as it is told to be. Without faults every call is done before it answers, in microseconds.
 *
 * What really happened is in `log` and `world()`; what an accessibility client is told may differ.
 */
export class SimulatedDesktop implements Desktop {
  readonly kind = "simulated";
  readonly label = "simulated";
  readonly capabilities: Capabilities = {
    accessibility: true,
    input: true,
    pictures: true,
    clipboard: true,
    windows: true,
  };
  readonly #world: World;
  readonly #faults: FaultBook;
  readonly #host: ApplicationHost;
  readonly #calls: Calls;

  constructor(options: SimulatedDesktopOptions) {
    this.#world = new World(options.seed ?? 1, options.clock === "virtual");
    this.#faults = new FaultBook(this.#world);
    this.#host = new ApplicationHost(this.#world, options.catalogue, (widget) => this.#faults.built(widget));
    this.#calls = new Calls(this.#world, this.#faults);
  }

  // What only a simulated desktop has.

  /** What really happened, in order. */
  get log(): Log {
    return this.#world.log;
  }
  /** The files of the simulated machine: path to content. */
  get files(): ReadonlyMap<string, string> {
    return this.#world.files;
  }
  /** All that is real, as plain JSON, whatever the tree says. */
  world(): { readonly [key: string]: Json } {
    return this.#world.toJSON();
  }
  /** Starts an application, or raises it when it runs. Error: `app_not_found`. */
  launch(id: string): Application {
    return this.#host.launch(id);
  }
  /** Closes an application's windows as a person would. Errors: `app_not_running`, `quit_blocked`. */
  quit(id: string, options: { readonly force?: boolean } = {}): void {
    this.#host.quit(id, options.force ?? false);
  }
  /** Everything that can be launched. */
  catalogue(): { readonly id: string; readonly name: string }[] {
    return this.#host.catalogue();
  }
  /** Lays a fault; the answer takes it away again. */
  inject(fault: Fault): () => void {
    return this.#faults.add(fault);
  }
  /** A person changes a widget, now. */
  person(app: string, element: string, set: Interference): void {
    this.#host.person(app, element, set);
  }
  /** Writes a file of the simulated machine, as somebody else would; undefined removes it. */
  writeFile(path: string, content: string | undefined): void {
    const happening = { by: "person" as const, did: "writeFile", element: path };
    this.log.during(happening, () => this.#world.writeFile(path, content));
  }
  /** Lets so many milliseconds of a virtual clock pass, and what is due in them happen. */
  advance(milliseconds: number): void {
    const end = this.#world.clock.now() + milliseconds;
    for (;;) {
      const left = end - this.#world.clock.now();
      this.#world.clock.advance(Math.min(left, this.#world.schedule.next() ?? left));
      this.#world.schedule.run();
      if (this.#world.clock.now() >= end) return;
    }
  }

  // What every desktop has.

  applications(call?: Call): Promise<Application[]> {
    return this.#calls.run(call, () => ({
      call: "applications",
      what: "list the applications",
      perform: () => this.#world.running.map((app) => app.application),
    }));
  }

  snapshot(application: Application, options: SnapshotOptions = {}): Promise<Snapshot> {
    return this.#calls.run(options, () => {
      const app = this.#world.application(application.bus);
      return {
        call: "snapshot",
        app,
        what: `read the tree of ${app.id}`,
        perform: () => {
          if (options.root) locate(this.#world, options.root, "read the tree below it");
          const snapshot = snapshotOf(app, options);
          for (const widget of [...app.masked]) spendMask(widget);
          return snapshot;
        },
      };
    });
  }

  read(element: ElementRef, call?: Call): Promise<Reading> {
    return this.#calls.run(call, () => ({
      ...this.#at(element),
      call: "read",
      what: "read an element",
      perform: () => {
        const widget = locate(this.#world, element, "read it");
        const reading = readingOf(widget);
        spendMask(widget);
        return reading;
      },
    }));
  }

  act(element: ElementRef, deed: Deed, call?: Call): Promise<void> {
    const what = `${deed.do} on "${element.fingerprint.name.slice(0, 60)}"`;
    return this.#calls.run(call, (): Doing<void> => ({
      ...this.#at(element),
      call: "act",
      what,
      deed,
      accepted: undefined,
      check: () => void locateUnchanged(this.#world, element, what),
      perform: (now = deed) => applyDeed(locateUnchanged(this.#world, element, what), now),
    }));
  }

  elementAt(
    application: Application,
    x: number,
    y: number,
    call?: Call,
  ): Promise<{ bus: string; path: string } | undefined> {
    return this.#calls.run(call, () => {
      const app = this.#world.application(application.bus);
      return {
        call: "elementAt",
        app,
        what: `ask ${app.id} what lies at ${x},${y}`,
        perform: () => {
          const widget = hit(this.#world, x, y)?.widget;
          return widget?.app === app && inTree(widget) ? { bus: app.bus, path: widget.path } : undefined;
        },
      };
    });
  }

  typeText(text: string, call?: Call): Promise<void> {
    return this.#input(call, "typeText", "type text", text, (widget) => ({
      deed: { do: "insertText", at: widget?.caret ?? 0, text },
      perform: (deed) => {
        const now = deed?.do === "insertText" ? deed.text : text;
        for (const character of now) typeCharacter(this.#world, character);
      },
    }));
  }

  pressKeys(keys: readonly string[], call?: Call): Promise<void> {
    return this.#input(call, "pressKeys", `press ${keys.join("+")}`, [...keys], () => {
      const chord = chordOf(keys);
      return { perform: () => pressChord(this.#world, chord) };
    });
  }

  pointer(gesture: Gesture, call?: Call): Promise<void> {
    return this.#calls.run(call, (): Doing<void> => {
      const target = hit(this.#world, gesture.x, gesture.y);
      return {
        call: "pointer",
        app: target?.widget.app,
        widget: target?.widget,
        what: `${gesture.do} at ${gesture.x},${gesture.y}`,
        detail: { ...gesture },
        accepted: undefined,
        queued: true,
        perform: () => void applyGesture(this.#world, gesture),
      };
    });
  }

  /** Nothing is ever held down here. */
  releaseInput(call?: Call): Promise<void> {
    return this.#calls.run(call, (): Doing<void> => ({
      call: "releaseInput",
      what: "release the keys",
      perform: () => {},
    }));
  }

  screenshot(area: Area, call?: Call): Promise<Frame> {
    return this.#calls.run(call, () => ({
      call: "screenshot",
      what: "take a picture",
      perform: () => picture(this.#world, area),
    }));
  }

  windows(call?: Call): Promise<Window[]> {
    return this.#calls.run(call, () => ({
      call: "windows",
      what: "list the windows",
      perform: () => windowsOf(this.#world),
    }));
  }

  window(id: number, deed: WindowDeed, call?: Call): Promise<void> {
    return this.#calls.run(call, (): Doing<void> => {
      const window = this.#world.stack.find((one) => one.id === id);
      return {
        call: "window",
        app: window?.app,
        widget: window?.widget,
        what: `${deed.do} window ${id}`,
        detail: { ...deed },
        accepted: undefined,
        // Only closing asks the application.
        queued: deed.do === "close",
        perform: () => applyWindowDeed(this.#world, id, deed),
      };
    });
  }

  readClipboard(call?: Call): Promise<string | undefined> {
    return this.#calls.run(call, () => ({
      call: "readClipboard",
      what: "read the clipboard",
      perform: () => this.#world.clipboard,
    }));
  }

  writeClipboard(text: string | undefined, call?: Call): Promise<void> {
    return this.#calls.run(call, (): Doing<void> => ({
      call: "writeClipboard",
      what: "write the clipboard",
      detail: text ?? null,
      accepted: undefined,
      perform: () => this.#world.writeClipboard(text),
    }));
  }

  watch(application?: Application): Watch {
    return this.#world.events.watch(application?.bus);
  }

  async close(): Promise<void> {
    this.#calls.close();
    this.#world.events.close();
    this.#world.clock.stop();
    await Promise.resolve();
  }

  #at(element: ElementRef) {
    const app = this.#world.application(element.bus);
    return { app, widget: app.at(element.path) };
  }

  /** Keys go to whoever has the focus; text in the details of the log is counted where it is secret. */
  #input(
    call: Call | undefined,
    name: "typeText" | "pressKeys",
    what: string,
    detail: Json,
    rest: (focused: ReturnType<World["focused"]>) => Pick<Doing<void>, "perform" | "deed">,
  ): Promise<void> {
    return this.#calls.run(call, (): Doing<void> => {
      const widget = this.#world.focused();
      const secret = widget?.secret === true && typeof detail === "string";
      return {
        call: name,
        app: this.#world.active()?.app,
        widget,
        what,
        detail: secret ? `(${lengthOf(detail)} characters)` : detail,
        accepted: undefined,
        queued: true,
        ...rest(widget),
      };
    });
  }
}
