import { randomBytes } from "node:crypto";
import { BackstepError } from "../../base/error.ts";
import type { Elements, ReferencedElement } from "../../contract/elements.ts";
import { isSame } from "../../desktop/identity.ts";

/** References that one client may hold; the one that was used the longest ago is forgotten. */
const MOST_REFERENCES = 10_000;

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
  readonly #last = new Map<string, ReferencedElement>();
  /** The reference of what was last seen at an address. */
  readonly #at = new Map<string, string>();

  constructor(most = MOST_REFERENCES) {
    this.#most = most;
  }

  keep(existing: ReferencedElement): string {
    const address = addressOf(existing);
    const before = this.#at.get(address);
    const seen = before === undefined ? undefined : this.#last.get(before);
    if (before !== undefined && seen && isSame(seen.element.fingerprint, existing.element.fingerprint)) {
      this.#use(before, existing);
      return before;
    }
    const reference = this.#fresh();
    this.#use(reference, existing);
    this.#at.set(address, reference);
    this.#forget();
    return reference;
  }

  get(reference: string): ReferencedElement {
    const existing = this.#last.get(reference);
    if (existing) {
      this.#use(reference, existing);
      return existing;
    }
    throw new BackstepError("not_found", `Cannot use ${reference}: it stands for no element`, {
      hint: "Find the element again: references belong to one session, and old ones are dropped.",
      details: { reference: reference.slice(0, 40) },
    });
  }

  /** How many there are. */
  get size(): number {
    return this.#last.size;
  }

  #use(reference: string, existing: ReferencedElement): void {
    this.#last.delete(reference);
    this.#last.set(reference, existing);
  }

  #fresh(): string {
    for (;;) {
      const reference = `el-${randomBytes(5).toString("hex")}`;
      if (!this.#last.has(reference)) return reference;
    }
  }

  #forget(): void {
    for (const [reference, existing] of this.#last) {
      if (this.#last.size <= this.#most) return;
      this.#last.delete(reference);
      const address = addressOf(existing);
      if (this.#at.get(address) === reference) this.#at.delete(address);
    }
  }
}

function addressOf({ element }: ReferencedElement): string {
  return `${element.bus} ${element.path}`;
}
