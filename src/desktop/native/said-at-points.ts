import { defined } from "../../base/defined.ts";
import type { Hit, Said } from "../desktop.ts";
import type { Application } from "../element.ts";
import { embedderOf } from "../embedded.ts";
import { type Begun, RecentReadings } from "../recent-readings.ts";

/** What applications said in this step to lie at points of the screen: until something is sent, or a window moves. */
export class SaidAtPoints {
  readonly #said = new RecentReadings<Said>();

  /** To be called before an application is asked. */
  begin(): Begun {
    return this.#said.begin();
  }

  /** It has answered. */
  keep(application: Application, x: number, y: number, hit: Hit | undefined, begun: Begun): void {
    this.#said.keep(pointOf(application, x, y), { at: performance.now(), ...defined({ hit }) }, begun);
  }

  /** See `Desktop.saidAt`. */
  of(application: Application, x: number, y: number): Said | undefined {
    return this.#said.of(pointOf(application, x, y));
  }

  sent(): void {
    this.#said.sent();
  }
}

function pointOf(
  application: Application,
  x: number,
  y: number,
): { readonly bus: string; readonly path: string } {
  return { bus: embedderOf(application).bus, path: `${Math.round(x)},${Math.round(y)}` };
}
