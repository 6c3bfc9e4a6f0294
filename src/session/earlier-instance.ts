import type { Deadline } from "../base/call.ts";
import type { Application, Desktop } from "../desktop/desktop.ts";
import { look } from "./windows-of.ts";

/** Milliseconds that a program gets to show a window of its own after the earlier instance has changed its windows. */
const OWN = 2_000;

/** The instances of an application that ran before it was launched once more, and whether they took over what was launched. */
export class EarlierInstance {
  readonly #desktop: Desktop;
  readonly #instances: readonly Application[];
  #before = new Map<number, string>();
  #changed: { readonly instance: Application; readonly at: number } | undefined;

  constructor(desktop: Desktop, instances: readonly Application[]) {
    this.#desktop = desktop;
    this.#instances = desktop.capabilities.windows ? instances : [];
  }

  /** The one that had a window; undefined: none had, or several. */
  get only(): Application | undefined {
    const shown = this.#instances.filter(({ pid }) => this.#before.get(pid));
    return shown.length === 1 ? shown[0] : undefined;
  }

  /** Remembers its windows, before the launch. */
  async begin(deadline: Deadline): Promise<void> {
    if (this.#instances.length > 0) this.#before = await this.#titles(deadline);
  }

  /** The instance whose windows have changed, once the program had its time to show one of its own; undefined: none yet. */
  async hasChanged(deadline: Deadline): Promise<Application | undefined> {
    if (this.#instances.length === 0) return undefined;
    if (this.#changed === undefined) {
      const now = await this.#titles(deadline);
      const instance = this.#instances.find(({ pid }) => now.get(pid) !== this.#before.get(pid));
      if (instance !== undefined) this.#changed = { instance, at: performance.now() };
    }
    const changed = this.#changed;
    return changed !== undefined && performance.now() - changed.at > OWN ? changed.instance : undefined;
  }

  /** By process, which windows it has under which titles. Which one is active says nothing: the next one takes that. */
  async #titles(deadline: Deadline): Promise<Map<number, string>> {
    const windows = (await this.#desktop.windows(look(deadline))).filter(({ popup }) => !popup);
    return new Map(this.#instances.map(({ pid }) => [
      pid,
      windows.filter((window) => window.pid === pid).map(({ id, title }) => `${id} ${title}`).sort().join(
        "\n",
      ),
    ]));
  }
}
