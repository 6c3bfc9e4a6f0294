import { type Call, cancelled } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import type { Desktop, DesktopEvent, Hit, Said, Watch, Window } from "../desktop.ts";
import type { Application, ElementRef, Reading } from "../element.ts";
import type { Snapshot } from "../snapshot.ts";

/** A desktop of one tree for the tests of this folder: it can only be read. */
export class FakeDesktop implements Desktop {
  readonly kind = "simulated";
  readonly mode = "focus";
  readonly label = "fake";
  readonly capabilities = {
    accessibility: true,
    input: false,
    pictures: false,
    clipboard: false,
    windows: true,
  };
  apps: Application[];
  tree: NodeDescription;
  stack: Window[] = [];
  said: Said | undefined;
  at: Hit | undefined;
  /** How often the tree and single elements were read. */
  readonly reads = { snapshots: 0, elements: 0 };
  /** What happens just after the so-manieth snapshot or list of applications was answered. */
  after: (count: number) => void = () => {};
  /** What happens before an element is read. */
  beforeRead: () => void = () => {};
  readonly watches = new Set<FakeWatch>();
  /** What ended each wait, in order. */
  readonly woken: ("event" | "timeout")[] = [];

  constructor(application: Application, tree: NodeDescription) {
    this.apps = [application];
    this.tree = tree;
  }

  /** Changes the tree; silently where an application would have dropped the event. */
  become(tree: NodeDescription, silently = false): void {
    this.tree = tree;
    if (!silently) { for (const watch of this.watches) watch.notify(); }
  }

  applications(): Promise<Application[]> {
    const answer = [...this.apps];
    this.#count();
    return Promise.resolve(answer);
  }
  snapshot(application: Application): Promise<Snapshot> {
    if (!this.apps.some((app) => app.bus === application.bus)) {
      return Promise.reject(new BackstepError("app_gone", "Cannot read: it is gone"));
    }
    const snapshot = buildSnapshot(this.tree, application);
    this.#count();
    return Promise.resolve(snapshot);
  }
  #count(): void {
    this.after(++this.reads.snapshots);
  }
  read(element: ElementRef): Promise<Reading> {
    this.reads.elements++;
    this.beforeRead();
    const [application] = this.apps;
    if (application === undefined) {
      return Promise.reject(new BackstepError("app_gone", "Cannot read: it is gone"));
    }
    const snapshot = buildSnapshot(this.tree, application);
    const row = snapshot.rowOf(element);
    if (row < 0) return Promise.reject(new BackstepError("stale", "Cannot read: no such element"));
    return Promise.resolve({
      role: snapshot.role(row),
      name: snapshot.name(row),
      description: snapshot.description(row),
      id: snapshot.id(row),
      statesLow: snapshot.statesLow(row),
      statesHigh: snapshot.statesHigh(row),
      interfaces: 0,
      rect: snapshot.rect(row),
      text: snapshot.text(row),
      textCut: false,
      caret: -1,
      textSelection: undefined,
      value: undefined,
      selectedChildren: undefined,
      actions: [],
      attributes: {},
      childCount: 0,
    });
  }
  elementAt(): Promise<Hit | undefined> {
    return Promise.resolve(this.at);
  }
  saidAt(): Said | undefined {
    return this.said;
  }
  windows(): Promise<Window[]> {
    return Promise.resolve(this.stack);
  }
  watch(): Watch {
    const watch = new FakeWatch(() => this.watches.delete(watch), this.woken);
    this.watches.add(watch);
    return watch;
  }

  act: Desktop["act"] = unsupported;
  typeText = unsupported;
  pressKeys = unsupported;
  pointer = unsupported;
  releaseInput = unsupported;
  screenshot = unsupported;
  window: Desktop["window"] = unsupported;
  readClipboard = unsupported;
  writeClipboard = unsupported;
  close = unsupported;
}

function unsupported(): Promise<never> {
  return Promise.reject(new BackstepError("unsupported", "Cannot do this: the fake desktop is for reading"));
}

/** A subscription that the test notifies. */
class FakeWatch implements Watch {
  #pending = false;
  #wake: (() => void) | undefined;
  readonly #closed: () => void;

  readonly #woken: ("event" | "timeout")[];

  constructor(closed: () => void, woken: ("event" | "timeout")[]) {
    this.#closed = closed;
    this.#woken = woken;
  }
  notify(): void {
    this.#pending = true;
    this.#wake?.();
  }
  next(call: Call): Promise<"event" | "timeout"> {
    return new Promise((resolve, reject) => {
      if (call.signal?.aborted) return reject(cancelled("wait", call.signal.reason));
      const finish = (outcome: () => void) => {
        clearTimeout(timer);
        call.signal?.removeEventListener("abort", abort);
        this.#wake = undefined;
        outcome();
      };
      const event = () => {
        this.#pending = false;
        this.#woken.push("event");
        finish(() => resolve("event"));
      };
      const abort = () => finish(() => reject(cancelled("wait", call.signal?.reason)));
      const timer = setTimeout(() => {
        this.#woken.push("timeout");
        finish(() => resolve("timeout"));
      }, call.timeout ?? 0);
      this.#wake = event;
      call.signal?.addEventListener("abort", abort, { once: true });
      if (this.#pending) event();
    });
  }
  take(): readonly DesktopEvent[] {
    this.#pending = false;
    return [];
  }
  close(): void {
    this.#closed();
  }
}
