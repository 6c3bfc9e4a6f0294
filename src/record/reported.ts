import type { DesktopEvent } from "../desktop/desktop.ts";
import { meaningOf } from "./event-meaning.ts";

/** Changes that are remembered: of each application, and texts that changed. */
const REMEMBERED = 256;
/** Changes of the focus that are remembered. */
const FOCUSES = 16;

/** An element by its address. */
export interface Address {
  readonly bus: string;
  readonly path: string;
}

/** A state that an element got, and when. */
interface Report {
  readonly path: string;
  readonly at: number;
}

/** What applications reported lately: what got the keyboard, what was checked or chosen, and whose text changed. */
export class Reported {
  #focuses: (Address & { readonly at: number })[] = [];
  readonly #states = new Map<string, Report[]>();
  readonly #edited = new Map<string, number>();

  /** Notes an event that came now; true: it gave the keyboard to its element. */
  note(
    { bus, path, kind, detail1 }: Pick<DesktopEvent, "bus" | "path" | "kind" | "detail1">,
    now: number,
  ): boolean {
    const on = detail1 !== 0;
    if (kind.startsWith("object:text-changed")) {
      if (this.#edited.size >= REMEMBERED) this.#edited.clear();
      this.#edited.set(`${bus} ${path}`, now);
    }
    if (on && meaningOf({ kind }, false).state) {
      const states = this.#states.get(bus) ?? [];
      states.push({ path, at: now });
      states.splice(0, Math.max(0, states.length - REMEMBERED));
      this.#states.set(bus, states);
    }
    const focused = on && kind === "object:state-changed:focused";
    if (focused) {
      this.#focuses.push({ bus, path, at: now });
      this.#focuses.splice(0, Math.max(0, this.#focuses.length - FOCUSES));
    }
    return focused;
  }

  /** What got the keyboard last; `before`: had it then, since a key may have given it to something else by now. */
  focus(before = Infinity): (Address & { readonly at: number }) | undefined {
    return this.#focuses.findLast(({ at }) => at <= before) ?? this.#focuses.at(0);
  }

  /** Elements that got the focus, were checked or chosen between two moments. */
  states(bus: string, from: number, until: number): string[] {
    const states = this.#states.get(bus) ?? [];
    return states.filter(({ at }) => at >= from && at <= until).map(({ path }) => path);
  }

  /** When an element told last that its text changed, in milliseconds of `performance.now()`. */
  edited({ bus, path }: Address): number {
    return this.#edited.get(`${bus} ${path}`) ?? -Infinity;
  }

  /** The paths of elements of an application that told since then that their text changed. */
  editedSince(bus: string, since: number): string[] {
    return [...this.#edited].flatMap(([key, at]) =>
      at >= since && key.startsWith(`${bus} `) ? [key.slice(bus.length + 1)] : []
    );
  }

  /** An application is gone. */
  forget(bus: string): void {
    this.#focuses = this.#focuses.filter((focus) => focus.bus !== bus);
    this.#states.delete(bus);
  }
}
