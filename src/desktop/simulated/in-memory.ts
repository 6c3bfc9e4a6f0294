import { type Call, cancelled } from "../../base/call.ts";
import type { Json } from "../../base/error.ts";
import type {
  Action,
  Area,
  Capabilities,
  Frame,
  Gesture,
  InputWatch,
  SnapshotOptions,
  Watch,
  Window,
  WindowAction,
} from "../desktop.ts";
import type { Application, ElementRef, Reading } from "../element.ts";
import type { InputRecording } from "../input-events.ts";
import type { Snapshot } from "../snapshot.ts";
import { Calls } from "./calls.ts";
import type { Doing } from "./doing.ts";
import { snapshotOf } from "./columns.ts";
import { applyAction } from "./do-action.ts";
import { chordOf, pressChord, typeCharacter } from "./keyboard.ts";
import { locate, locateUnchanged } from "./locate.ts";
import { Machine, type SimulatedDesktopOptions } from "./machine.ts";
import { picture } from "./picture.ts";
import { applyGesture, hit } from "./pointer.ts";
import type { SimulatedDesktop } from "./simulated-desktop.ts";
import { inTree, readingOf, spendMask } from "./view.ts";
import { applyWindowAction, windowsOf } from "./windows.ts";
import type { World } from "./world.ts";

/**
 * A desktop in memory: applications as data, a screen, a keyboard with a focus, a pointer, a clipboard and files; as
 * nasty as it is told to be. Without faults every call is done before it answers, in microseconds.
 *
 * What really happened is in `log` and `world()`; what an accessibility client is told may differ.
 */
export class InMemoryDesktop extends Machine implements SimulatedDesktop {
  readonly kind = "simulated";
  readonly mode = "focus";
  readonly label = "simulated";
  readonly virtualTime: boolean;
  readonly capabilities: Capabilities = {
    accessibility: true,
    input: true,
    pictures: true,
    clipboard: true,
    windows: true,
  };
  readonly #calls: Calls;

  constructor(options: SimulatedDesktopOptions) {
    super(options);
    this.virtualTime = this.shared.clock.virtual;
    this.#calls = new Calls(this.shared, this.faults);
  }

  applications(call?: Call): Promise<Application[]> {
    return this.#calls.run(call, () => ({
      call: "applications",
      what: "list the applications",
      perform: () => this.shared.running.map((app) => app.application),
    }));
  }

  snapshot(application: Application, options: SnapshotOptions = {}): Promise<Snapshot> {
    return this.#calls.run(options, () => {
      const app = this.shared.application(application.bus);
      return {
        call: "snapshot",
        app,
        what: `read the tree of ${app.id}`,
        perform: () => {
          if (options.root) locate(this.shared, options.root, "read the tree below it");
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
        const widget = locate(this.shared, element, "read it");
        const reading = readingOf(widget);
        spendMask(widget);
        return reading;
      },
    }));
  }

  act(element: ElementRef, action: Action, call?: Call): Promise<undefined> {
    const what = `${action.do} on "${element.fingerprint.name.slice(0, 60)}"`;
    return this.#calls.run(call, (): Doing<undefined> => ({
      ...this.#at(element),
      call: "act",
      what,
      action,
      accepted: undefined,
      check: () => void locateUnchanged(this.shared, element, what),
      perform: (now = action) => void applyAction(locateUnchanged(this.shared, element, what), now),
    }));
  }

  elementAt(
    application: Application,
    x: number,
    y: number,
    call?: Call,
  ): Promise<{ bus: string; path: string } | undefined> {
    return this.#calls.run(call, () => {
      const app = this.shared.application(application.bus);
      return {
        call: "elementAt",
        app,
        what: `ask ${app.id} what lies at ${x},${y}`,
        perform: () => {
          const widget = hit(this.shared, x, y)?.widget;
          return widget?.app === app && inTree(widget) ? { bus: app.bus, path: widget.path } : undefined;
        },
      };
    });
  }

  typeText(text: string, call?: Call): Promise<void> {
    return this.#input(call, "typeText", "type text", text, (widget) => ({
      action: { do: "insertText", at: widget?.caret ?? 0, text },
      perform: (action) => {
        const now = action?.do === "insertText" ? action.text : text;
        for (const character of now) typeCharacter(this.shared, character);
      },
    }));
  }

  pressKeys(keys: readonly string[], call?: Call): Promise<void> {
    return this.#input(call, "pressKeys", `press ${keys.join("+")}`, [...keys], () => {
      const chord = chordOf(keys);
      return { perform: () => pressChord(this.shared, chord) };
    });
  }

  pointer(gesture: Gesture, call?: Call): Promise<void> {
    return this.#calls.run(call, (): Doing<void> => {
      const target = hit(this.shared, gesture.x, gesture.y);
      return {
        call: "pointer",
        app: target?.widget.app,
        widget: target?.widget,
        what: `${gesture.do} at ${gesture.x},${gesture.y}`,
        detail: { ...gesture },
        accepted: undefined,
        queued: true,
        perform: () => void applyGesture(this.shared, gesture),
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
      perform: () => picture(this.shared, area),
    }));
  }

  windows(call?: Call): Promise<Window[]> {
    return this.#calls.run(call, () => ({
      call: "windows",
      what: "list the windows",
      perform: () => windowsOf(this.shared),
    }));
  }

  window(id: number, action: WindowAction, call?: Call): Promise<void> {
    return this.#calls.run(call, (): Doing<void> => {
      const window = this.shared.stack.find((one) => one.id === id);
      return {
        call: "window",
        app: window?.app,
        widget: window?.widget,
        what: `${action.do} window ${id}`,
        detail: { ...action },
        accepted: undefined,
        // Only closing asks the application; the rest is the window manager's.
        ...(action.do === "close" ? { queued: true } : { aside: true }),
        perform: () => applyWindowAction(this.shared, id, action),
      };
    });
  }

  readClipboard(call?: Call): Promise<string | undefined> {
    return this.#calls.run(call, () => ({
      call: "readClipboard",
      what: "read the clipboard",
      perform: () => this.shared.clipboard,
    }));
  }

  writeClipboard(text: string | undefined, call?: Call): Promise<void> {
    return this.#calls.run(call, (): Doing<void> => ({
      call: "writeClipboard",
      what: "write the clipboard",
      detail: text ?? null,
      accepted: undefined,
      perform: () => this.shared.writeClipboard(text),
    }));
  }

  watch(application?: Application): Watch {
    return this.shared.events.watch(application?.bus);
  }

  watchInput(): Promise<InputWatch> {
    return Promise.resolve(this.shared.people.watch());
  }

  recordInput(): Promise<InputRecording> {
    return Promise.resolve(this.shared.people.record());
  }

  async idle(milliseconds: number, call?: Call): Promise<void> {
    const { clock } = this.shared;
    if (!clock.virtual) return await clock.sleep(milliseconds, call?.signal);
    if (call?.signal?.aborted) throw cancelled("wait", call.signal.reason);
    this.advance(milliseconds);
  }

  async close(): Promise<void> {
    this.#calls.close();
    this.shared.events.close();
    this.shared.clock.stop();
    await Promise.resolve();
  }

  #at(element: ElementRef) {
    const app = this.shared.application(element.bus);
    return { app, widget: app.at(element.path) };
  }

  /** Keys go to whoever has the focus. */
  #input(
    call: Call | undefined,
    name: "typeText" | "pressKeys",
    what: string,
    detail: Json,
    rest: (focused: ReturnType<World["focused"]>) => Pick<Doing<void>, "perform" | "action">,
  ): Promise<void> {
    return this.#calls.run(call, (): Doing<void> => {
      const widget = this.shared.focused();
      return {
        call: name,
        app: this.shared.active()?.app,
        widget,
        what,
        detail,
        accepted: undefined,
        queued: true,
        ...rest(widget),
      };
    });
  }
}
