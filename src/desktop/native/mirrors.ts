import type { Bytes } from "../../ffi/binding.ts";
import type { Snapshot } from "../snapshot.ts";

/** What the mirrors need of the core's session. */
export interface MirrorSource {
  /** The generation of an application's mirror while it is current, else 0; costs no I/O. */
  peek(bus: Bytes): number;
  /** The provider's generation, as `ElementRef` has it. */
  generation(): number;
}

const encoder = new TextEncoder();
/** Applications of which a decoded tree is kept. */
const MOST = 16;

interface Held {
  readonly snapshot: Snapshot;
  readonly generation: number;
  /** Its ids were asked for. */
  readonly ids: boolean;
}

/** Decoded snapshots of the core's mirrors, one an application, each kept for as long as its generation stands. */
export class Mirrors {
  readonly #source: MirrorSource;
  readonly #held = new Map<string, Held>();
  readonly #names = new Map<string, Bytes>();

  constructor(source: MirrorSource) {
    this.#source = source;
  }

  /** What is held and current; undefined: the core must be asked. */
  current(bus: string, ids: boolean): Snapshot | undefined {
    const held = this.#of(bus, ids);
    if (held === undefined) return undefined;
    const now = this.#source.generation();
    return this.#source.peek(this.#name(bus)) === held.generation ? this.#at(bus, held, now) : undefined;
  }

  /** The generation of what is held, to be told to the core; 0: nothing is. */
  existing(bus: string, ids: boolean): number {
    return this.#of(bus, ids)?.generation ?? 0;
  }

  /** The core says that what is held stands. */
  confirmed(bus: string, ids: boolean, generation: number): Snapshot | undefined {
    const held = this.#of(bus, ids);
    return held && this.#at(bus, held, generation);
  }

  /** A snapshot came; it is kept when it is a mirror's and has nothing that goes by without an event. */
  learn(snapshot: Snapshot, ids: boolean): void {
    const { application: { bus }, mirror } = snapshot.origin;
    if (mirror === undefined || mirror.generation === 0) return;
    const { rect, text, value, actions, attributes, selected } = snapshot.columns;
    if ([rect, text, value, actions, attributes, selected].some((column) => column.length > 0)) return;
    this.#held.delete(bus);
    this.#held.set(bus, { snapshot, generation: mirror.generation, ids });
    const [oldest] = this.#held.keys();
    if (this.#held.size > MOST && oldest !== undefined) this.forget(oldest);
  }

  /** The application left. */
  forget(bus: string): void {
    this.#held.delete(bus);
    this.#names.delete(bus);
  }

  #of(bus: string, ids: boolean): Held | undefined {
    const held = this.#held.get(bus);
    return held && (held.ids || !ids) ? held : undefined;
  }

  /** Elements found in it are as young as the look that confirmed it. */
  #at(bus: string, held: Held, generation: number): Snapshot {
    const snapshot = held.snapshot.at(generation);
    if (snapshot !== held.snapshot) this.#held.set(bus, { ...held, snapshot });
    return snapshot;
  }

  #name(bus: string): Bytes {
    let name = this.#names.get(bus);
    if (name === undefined) this.#names.set(bus, name = encoder.encode(bus));
    return name;
  }
}
