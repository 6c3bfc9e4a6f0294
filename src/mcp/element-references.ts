import { randomBytes } from "node:crypto";
import { BackstepError } from "../base/error.ts";
import type { Elements, KnownElement } from "../contract/elements.ts";
import { isSame } from "../desktop/identity.ts";

/** References that one client may hold; the one that was used the longest ago is forgotten. */
export const MOST_REFERENCES = 10_000;

/**
 * The references of one client. An element keeps its reference while the same element answers at its address; what
 * another element has taken over gets a new one, and the old reference stays that of the element that is gone.
 *
 * @example
 * ```ts
 * import { ElementReferences } from "./element-references.ts";
 * const references = new ElementReferences();
 * const application = { bus: ":1.5", name: "editor", pid: 7, toolkit: "gtk", toolkitVersion: "" };
 * const element = { bus: ":1.5", path: "/7", generation: 1, fingerprint: { role: 43, name: "Save", id: "" } };
 * const reference = references.keep({ application, element });
 * if (references.get(reference).element.path !== "/7") throw new Error();
 * ```
 */
export class ElementReferences implements Elements {
  readonly #most: number;
  /** The one that was used the longest ago first. */
  readonly #known = new Map<string, KnownElement>();
  /** The reference of what was last seen at an address. */
  readonly #at = new Map<string, string>();

  constructor(most = MOST_REFERENCES) {
    this.#most = most;
  }

  keep(known: KnownElement): string {
    const address = addressOf(known);
    const before = this.#at.get(address);
    const seen = before === undefined ? undefined : this.#known.get(before);
    if (before !== undefined && seen && isSame(seen.element.fingerprint, known.element.fingerprint)) {
      this.#use(before, known);
      return before;
    }
    const reference = this.#fresh();
    this.#use(reference, known);
    this.#at.set(address, reference);
    this.#forget();
    return reference;
  }

  get(reference: string): KnownElement {
    const known = this.#known.get(reference);
    if (known) {
      this.#use(reference, known);
      return known;
    }
    throw new BackstepError("not_found", `Cannot use ${reference}: it stands for no element`, {
      hint: "Find the element again: references belong to one session, and old ones are forgotten.",
      details: { reference: reference.slice(0, 40) },
    });
  }

  /** How many there are. */
  get size(): number {
    return this.#known.size;
  }

  #use(reference: string, known: KnownElement): void {
    this.#known.delete(reference);
    this.#known.set(reference, known);
  }

  #fresh(): string {
    for (;;) {
      const reference = `el-${randomBytes(5).toString("hex")}`;
      if (!this.#known.has(reference)) return reference;
    }
  }

  #forget(): void {
    for (const [reference, known] of this.#known) {
      if (this.#known.size <= this.#most) return;
      this.#known.delete(reference);
      const address = addressOf(known);
      if (this.#at.get(address) === reference) this.#at.delete(address);
    }
  }
}

function addressOf({ element }: KnownElement): string {
  return `${element.bus} ${element.path}`;
}
