import { BackstepError, type Json, type Place } from "../base/error.ts";
import { defined } from "../base/defined.ts";

/** One fault of a workflow file. */
export interface Fault {
  readonly place: Place;
  readonly message: string;
  readonly hint?: string;
}

/** No more faults than these are reported at once. */
const MOST_FAULTS = 20;

/** Collects the faults of a file and of the files it runs, so that a person mends them in one go. */
export class Faults {
  readonly #faults: Fault[] = [];
  readonly #seen = new Set<string>();

  /** Notes a fault. Messages are cut at 300 characters, since they may quote what the file says. */
  add(place: Place, message: string, hint?: string): void {
    const key = `${place.file}\n${place.line}:${place.column}\n${message}`;
    if (this.#seen.has(key) || this.#faults.length >= 10 * MOST_FAULTS) return;
    this.#seen.add(key);
    this.#faults.push({ place, message: cut(message), ...(hint === undefined ? {} : { hint: cut(hint) }) });
  }

  /** Notes an error that was thrown for a fault of the file; throws on whatever is none. */
  addThrown(thrown: unknown, fallback: Place): void {
    if (!(thrown instanceof BackstepError)) throw thrown;
    this.add(thrown.place ?? fallback, thrown.message, thrown.hint);
  }

  get count(): number {
    return this.#faults.length;
  }

  /** Throws one error for all faults, in the order they stand; `first` names the file whose faults come first. */
  throwIfAny(first: string): void {
    if (this.#faults.length === 0) return;
    const rank = (fault: Fault) => fault.place.file === first ? "" : fault.place.file;
    const sorted = [...this.#faults].sort((a, b) =>
      rank(a).localeCompare(rank(b)) || a.place.line - b.place.line || a.place.column - b.place.column
    );
    const [main] = sorted;
    if (!main) return;
    const faults: Json = sorted.slice(0, MOST_FAULTS).map((fault) => ({
      place: { ...fault.place },
      message: fault.message,
      ...defined({ hint: fault.hint }),
    }));
    throw new BackstepError("workflow", main.message, {
      place: main.place,
      ...defined({ hint: main.hint }),
      details: { faults, total: sorted.length },
    });
  }
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
