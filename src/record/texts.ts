import { toBackstepError } from "../base/error.ts";
import { contentOf } from "../desktop/content.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { Role } from "../desktop/roles.ts";
import type { Observer } from "./observer.ts";
import type { Address } from "./reported.ts";

/** Milliseconds that a reading may take. */
const READS = 1_000;
/** Errors of what is gone, hangs or tells no text: then nothing is known of it. */
const UNREAD: ReadonlySet<string> = new Set(["stale", "app_gone", "timeout", "not_found", "refused"]);

/** What stands in the fields that got the keyboard, before anything is typed there. A password field is never read. */
export class Texts {
  readonly #desktop: Desktop;
  readonly #observer: Observer;
  readonly #texts = new Map<string, string>();

  constructor(desktop: Desktop, observer: Observer) {
    this.#desktop = desktop;
    this.#observer = observer;
  }

  /** Reads what got the keyboard. */
  async note(focus: Address | undefined): Promise<void> {
    if (focus === undefined) return;
    const key = keyOf(focus);
    const snapshot = this.#observer.looks.latest(focus.bus)?.snapshot;
    const row = snapshot?.rowOf(focus) ?? -1;
    this.#texts.delete(key);
    if (snapshot === undefined || row < 0 || this.#observer.secret.has(key)) return;
    if (snapshot.role(row) === Role.passwordText || !snapshot.has(row, "editable")) return;
    try {
      const reading = await this.#desktop.read(snapshot.element(row), { timeout: READS });
      if (reading.role === Role.passwordText || this.#observer.secret.has(key)) return;
      const text = contentOf(reading);
      if (text !== undefined) this.#texts.set(key, text);
    } catch (error) {
      if (!UNREAD.has(toBackstepError(error).code)) throw error;
    }
  }

  /** What stood there; undefined: nobody read it. */
  of(address: Address): string | undefined {
    return this.#texts.get(keyOf(address));
  }

  /** A step says what stands there now. */
  is(address: Address, text: string): void {
    this.#texts.set(keyOf(address), text);
  }
}

function keyOf({ bus, path }: Address): string {
  return `${bus} ${path}`;
}
