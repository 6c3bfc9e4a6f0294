import { closest } from "../../base/closest.ts";
import { BackstepError } from "../../base/error.ts";
import type { Application } from "../element.ts";
import { type OwnDescription, SimulatedApplication } from "./application.ts";
import type { Interference } from "./faults.ts";
import { interfere } from "./pretend.ts";
import type { Widget } from "./widget.ts";
import type { World } from "./world.ts";

/** Starts and ends the applications of a simulated desktop. */
export class ApplicationHost {
  readonly #world: World;
  readonly #catalogue: ReadonlyMap<string, OwnDescription>;
  readonly #built: (widget: Widget) => void;

  constructor(world: World, catalogue: readonly OwnDescription[], built: (widget: Widget) => void) {
    this.#world = world;
    this.#catalogue = new Map(catalogue.map((one) => [one.id, one]));
    this.#built = built;
  }

  catalogue(): { readonly id: string; readonly name: string }[] {
    return [...this.#catalogue.values()].map(({ id, name }) => ({ id, name }));
  }

  launch(id: string): Application {
    const standing = this.#world.running.find((app) => app.id === id);
    if (standing) {
      for (const window of standing.windows.slice(0, 1)) this.#world.raise(window);
      return standing.application;
    }
    const description = this.#catalogue.get(id);
    if (description === undefined) {
      const near = closest(id, this.#catalogue.keys());
      throw new BackstepError(
        "app_not_found",
        `Cannot launch ${id}: there is no such simulated application`,
        {
          hint: near.length > 0
            ? `Did you mean ${near.join(" or ")}?`
            : `There are ${[...this.#catalogue.keys()].join(", ")}.`,
          details: { id, near },
        },
      );
    }
    return this.#world.log.during({ by: "caller", did: "launch", app: id }, () => {
      const app = new SimulatedApplication(description, this.#world, this.#built);
      this.#world.running.push(app);
      this.#world.log.changed(id, "", "running", false, true);
      return app.application;
    });
  }

  quit(id: string, force: boolean): void {
    const app = this.#world.running.find((one) => one.id === id);
    if (app === undefined) {
      throw new BackstepError("app_not_running", `Cannot quit ${id}: it does not run`, {
        details: { running: this.#world.running.map((one) => one.id) },
      });
    }
    this.#world.log.during({ by: "caller", did: "quit", app: id, detail: { force } }, () => {
      if (force) return app.exit();
      for (const window of [...app.windows].reverse()) app.requestClose(window.key);
    });
    if (!this.#world.running.includes(app)) return;
    throw new BackstepError("quit_blocked", `Cannot quit ${id}: it asks something first`, {
      hint: "Answer its dialog, or quit it with force.",
      details: { windows: app.windows.map((window) => window.widget.name.slice(0, 80)) },
    });
  }

  person(app: string, element: string, set: Interference): void {
    const widget = this.#world.running.find((one) => one.id === app)?.get(element);
    if (widget === undefined) {
      throw new BackstepError("usage", `Cannot change "${element}" of ${app} by hand: there is none`);
    }
    this.#world.log.during({ by: "person", did: "interfere", app, element }, () => interfere(widget, set));
  }
}
