import type { Json } from "../../base/error.ts";
import type { ForeignInput } from "../desktop.ts";
import type { Application } from "../element.ts";
import type { InputEvent } from "../input-events.ts";
import { ApplicationHost } from "./application-host.ts";
import type { OwnDescription } from "./application.ts";
import { FaultBook } from "./fault-book.ts";
import type { Fault, Interference } from "./faults.ts";
import type { Log } from "./log.ts";
import { World } from "./world.ts";

/** How a simulated desktop is to be. */
export interface SimulatedDesktopOptions {
  /** Everything that can be launched. */
  readonly catalogue: readonly OwnDescription[];
  /** Of everything that is left to chance; default 1. */
  readonly seed?: number;
  /** "virtual": what waits jumps ahead instead. Default "real". */
  readonly clock?: "real" | "virtual";
}

/** What a simulated desktop has beyond what every desktop has: its truth, its applications and its faults. */
export class Machine {
  protected readonly shared: World;
  protected readonly faults: FaultBook;
  readonly #host: ApplicationHost;

  constructor(options: SimulatedDesktopOptions) {
    this.shared = new World(options.seed ?? 1, options.clock === "virtual");
    this.faults = new FaultBook(this.shared);
    this.#host = new ApplicationHost(this.shared, options.catalogue, (widget) => this.faults.built(widget));
  }

  /** What really happened, in order. */
  get log(): Log {
    return this.shared.log;
  }
  /** The files of the simulated machine: path to content. */
  get files(): ReadonlyMap<string, string> {
    return this.shared.files;
  }
  /** All that is real, as plain JSON, whatever the tree says. */
  world(): { readonly [key: string]: Json } {
    return this.shared.toJSON();
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
    return this.faults.add(fault);
  }
  /** A person changes a widget, now. */
  person(app: string, element: string, set: Interference): void {
    this.#host.person(app, element, set);
  }
  /** A person uses keyboard or pointer, now and for so many milliseconds; by itself that changes nothing. */
  touch(input: Partial<ForeignInput>, milliseconds = 0): void {
    this.shared.people.touch(input, milliseconds);
  }
  /** Reports to recordings that a person did this; by itself that changes nothing. */
  feed(event: InputEvent): void {
    this.shared.people.feed(event);
  }
  /** Writes a file of the simulated machine, as somebody else would; undefined removes it. */
  writeFile(path: string, content: string | undefined): void {
    const happening = { by: "person" as const, did: "writeFile", element: path };
    this.log.during(happening, () => this.shared.writeFile(path, content));
  }
  /** Lets so many milliseconds of a virtual clock pass, and what is due in them happen. */
  advance(milliseconds: number): void {
    const end = this.shared.clock.now() + milliseconds;
    for (;;) {
      const left = end - this.shared.clock.now();
      this.shared.clock.advance(Math.min(left, this.shared.schedule.next() ?? left));
      this.shared.schedule.run();
      if (this.shared.clock.now() >= end) return;
    }
  }
}
