import type { Action } from "../desktop.ts";
import type { Application, ElementRef, Reading } from "../element.ts";
import { Role, type RoleName } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { hasState, State, type StateName } from "../states.ts";
import type { SimulatedDesktop } from "./simulated-desktop.ts";

/** Short words for tests that use a desktop through its interface only. */
export class Driver {
  readonly desktop: SimulatedDesktop;

  constructor(desktop: SimulatedDesktop) {
    this.desktop = desktop;
  }

  async app(): Promise<Application> {
    const app = (await this.desktop.applications()).at(-1);
    if (!app) throw new Error("nothing runs");
    return app;
  }

  async tree(): Promise<Snapshot> {
    return await this.desktop.snapshot(await this.app());
  }

  /** The one element of this role and name; undefined: there is none. */
  async look(role: RoleName, name: string): Promise<ElementRef | undefined> {
    const tree = await this.tree();
    for (let row = 0; row < tree.size; row++) {
      if (tree.role(row) === Role[role] && tree.name(row) === name) return tree.element(row);
    }
    return undefined;
  }

  async find(role: RoleName, name: string): Promise<ElementRef> {
    const element = await this.look(role, name);
    if (!element) throw new Error(`no ${role} "${name}"`);
    return element;
  }

  async act(role: RoleName, name: string, action: Action): Promise<void> {
    await this.desktop.act(await this.find(role, name), action);
  }

  async press(name: string, role: RoleName = "pushButton"): Promise<void> {
    await this.act(role, name, { do: "action", name: "" });
  }

  async read(role: RoleName, name: string): Promise<Reading> {
    return await this.desktop.read(await this.find(role, name));
  }

  /** A click in the middle of it. */
  async click(role: RoleName, name: string, count: 1 | 2 | 3 = 1): Promise<void> {
    const { rect } = await this.read(role, name);
    if (!rect) throw new Error(`${role} "${name}" is not on the screen`);
    const x = Math.floor(rect.x + rect.width / 2), y = Math.floor(rect.y + rect.height / 2);
    await this.desktop.pointer({ do: "click", x, y, button: "left", count });
  }
}

/** Does a reading have this state? */
export function has(reading: Reading, state: StateName): boolean {
  return hasState(reading.statesLow, reading.statesHigh, State[state]);
}
