import type { ElementRef, Reading } from "./element.ts";

/** Milliseconds for which a reading that was made does for who asks for a recent one. */
const RECENT = 100;
/** Readings kept, and elements of which it is known that something was reported; more, and all are forgotten. */
const MOST = 256;

/** Where an element is. */
type Address = Pick<ElementRef, "bus" | "path">;

/** When a reading was begun. */
export interface Begun {
  /** What had been sent by then. */
  readonly sent: number;
  /** What had been reported by then. */
  readonly reported: number;
}

/**
 * The readings of the last moment, each for as long as nothing was sent to anybody and its application reported nothing of it:
 * who verified an element and who keeps how it was share one.
 */
export class RecentReadings<R = Reading> {
  readonly #kept = new Map<string, { readonly reading: R; readonly at: number }>();
  /** When something was reported of an element, by its address. */
  readonly #reported = new Map<string, number>();
  #sent = 0;
  #count = 0;

  /** To be called before a reading is asked for. */
  begin(): Begun {
    return { sent: this.#sent, reported: this.#count };
  }

  /** A reading came. It is not kept where anything may have changed meanwhile. */
  keep({ bus, path }: Address, reading: R, begun: Begun): void {
    const key = keyOf(bus, path);
    if (begun.sent !== this.#sent || (this.#reported.get(key) ?? 0) > begun.reported) return;
    if (this.#kept.size >= MOST) this.#kept.clear();
    this.#kept.set(key, { reading, at: performance.now() });
  }

  /** What was read of an element a moment ago, while that stands; undefined: it is to be read. */
  of({ bus, path }: Address): R | undefined {
    const kept = this.#kept.get(keyOf(bus, path));
    return kept !== undefined && performance.now() - kept.at <= RECENT ? kept.reading : undefined;
  }

  /** Something is sent, or was: whatever it is, anything may read otherwise now. */
  sent(): void {
    this.#sent++;
    this.#kept.clear();
    this.#reported.clear();
  }

  /** An application reported something of an element, or that it is gone. */
  reported(bus: string, path: string): void {
    const key = keyOf(bus, path);
    this.#kept.delete(key);
    if (this.#reported.size >= MOST) this.sent();
    this.#reported.set(key, ++this.#count);
  }
}

function keyOf(bus: string, path: string): string {
  return `${bus} ${path}`;
}
