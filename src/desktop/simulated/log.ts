import type { Json } from "../../base/error.ts";

/** One thing of the world that became another. */
export interface Change {
  /** Id of the application; "" for the screen, the clipboard and files. */
  readonly app: string;
  /** Key of the widget, path of the file, or "". */
  readonly element: string;
  /** "text", "value", "checked", "chosen", "name", "visible", "sensitive", "file", "clipboard", "window"… */
  readonly what: string;
  /** Null: there was none. */
  readonly before: Json;
  /** Null: there is none any more. */
  readonly after: Json;
}

/** Who did something: our caller, a person, the application by itself, or the simulator. */
export type Actor = "caller" | "person" | "application" | "simulator";

/** One thing that happened, with everything it changed: what is true, whatever the caller was told. */
export interface LogEntry {
  /** Counts from 1. */
  readonly n: number;
  /** Who did it. */
  readonly by: Actor;
  /** "act", "typeText", "pressKeys", "pointer", "window", "writeClipboard", "launch", "quit", "fault"… */
  readonly did: string;
  /** Id of the application it was done to; "" for the desktop itself. */
  readonly app: string;
  /** Key of the widget it was done to; "" where there is none. */
  readonly element: string;
  /** The action, the text, the fault… */
  readonly detail: Json;
  /** What the caller was told: "ok", an error code, or "" where nobody asked. */
  reported: string;
  /** What it changed, in order; empty when nothing. */
  readonly changes: Change[];
}

/** What an entry begins with. */
export type Happening = Pick<LogEntry, "by" | "did"> & Partial<Pick<LogEntry, "app" | "element" | "detail">>;

/**
 * What really happened to a simulated world, in order, without times: the same seed and the same calls write the
 * same log. Tests judge the engine by it, and never by the tree.
 */
export class Log {
  readonly entries: LogEntry[] = [];
  #current: LogEntry | undefined;

  /** Runs something that may change the world as one entry; `told` is what it answers or its error's code. */
  during<T>(happening: Happening, perform: () => T): T {
    const entry = this.add(happening);
    const outer = this.#current;
    this.#current = entry;
    try {
      return perform();
    } finally {
      this.#current = outer;
    }
  }

  /** Adds an entry that changes nothing as yet. */
  add(happening: Happening): LogEntry {
    const { by, did, app = "", element = "", detail = null } = happening;
    const entry: LogEntry = {
      n: this.entries.length + 1,
      by,
      did,
      app,
      element,
      detail,
      reported: "",
      changes: [],
    };
    this.entries.push(entry);
    return entry;
  }

  /** Notes a change under whatever is happening now. */
  changed(app: string, element: string, what: string, before: Json, after: Json): void {
    const entry = this.#current ?? this.add({ by: "application", did: "change", app, element });
    entry.changes.push({ app, element, what, before, after });
  }

  /** All changes of the world so far, in order. */
  changes(): Change[] {
    return this.entries.flatMap((entry) => entry.changes);
  }
}
