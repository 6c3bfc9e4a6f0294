import { BackstepError } from "../../base/error.ts";
import type { Elements, ReferencedElement } from "../../contract/elements.ts";

/** Elements that a reference is kept of; the oldest goes first. */
const MOST = 1_000;

/** Names for the elements that a page acts on: an act is about the element that was chosen, whatever a selector would find. */
export class References implements Elements {
  readonly #kept = new Map<string, ReferencedElement>();
  #count = 0;

  keep(existing: ReferencedElement): string {
    const reference = `el-${(++this.#count).toString(36).padStart(8, "0")}`;
    this.#kept.set(reference, existing);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest);
    return reference;
  }

  get(reference: string): ReferencedElement {
    const existing = this.#kept.get(reference);
    if (existing) return existing;
    throw new BackstepError("not_found", `Cannot use ${reference.slice(0, 40)}: it stands for no element`, {
      hint: "Choose the element again.",
    });
  }
}
