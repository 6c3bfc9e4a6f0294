import type { Json } from "../../base/error.ts";
import type { Desktop, ForeignInput } from "../desktop.ts";
import type { Application } from "../element.ts";
import type { InputEvent } from "../input-events.ts";
import type { Fault, Interference } from "./faults.ts";
import type { Change, LogEntry } from "./log.ts";

/**
 * A desktop in memory, with what real ones do not have: its truth, its applications and its faults. Without faults
 * every call is done before it answers, in microseconds.
 *
 * What really happened is in `log` and `world()`; what an accessibility client is told may differ.
 */
export interface SimulatedDesktop extends Desktop {
  /** Always "simulated". */
  readonly kind: "simulated";
  /** What really happened, in order. */
  readonly log: SimulatedLog;
  /** The files of the simulated machine: path to content. */
  readonly files: ReadonlyMap<string, string>;
  /** All that is real, as plain JSON, whatever the tree says. */
  world(): { readonly [key: string]: Json };
  /** Starts an application, or raises it when it runs. Error: `app_not_found`. */
  launch(id: string): Application;
  /** Closes an application's windows as a person would, or ends it by `force`. Errors: `app_not_running`, `quit_blocked`. */
  quit(id: string, options?: { readonly force?: boolean }): void;
  /** Everything that can be launched. */
  catalogue(): { readonly id: string; readonly name: string }[];
  /** Lays a fault; the answer takes it away again. */
  inject(fault: Fault): () => void;
  /** A person changes a widget of an application, now. Error: `usage` when there is none of this key. */
  person(app: string, element: string, set: Interference): void;
  /** A person uses keyboard or pointer, now and for so many milliseconds (default 0); by itself that changes nothing. */
  touch(input: Partial<ForeignInput>, milliseconds?: number): void;
  /** Reports to recordings (`recordInput`) that a person did this; by itself that changes nothing. */
  feed(event: InputEvent): void;
  /** Writes a file of the simulated machine, as somebody else would; undefined removes it. */
  writeFile(path: string, content: string | undefined): void;
  /** Lets so many milliseconds of a virtual clock pass, and what is due in them happen. */
  advance(milliseconds: number): void;
}

/** What really happened to a simulated world, in order, without times: the same seed and calls write the same log. */
export interface SimulatedLog {
  /** Everything that happened so far; grows. */
  readonly entries: readonly LogEntry[];
  /** All changes of the world so far, in order. */
  changes(): Change[];
}
