import { type Hit, isSameEnd } from "./hit.ts";
import type { Clock } from "../limits.ts";

/** Milliseconds that a person's no holds, and how many are kept. */
const HOLDS = 600_000;
const MOST = 200;

/**
 * What a person has said no to, and by which way: the same end by another way is refused without asking again.
 *
 * @example
 * ```ts
 * import { Refusals } from "./refusals.ts";
 * const refusals = new Refusals(() => 0);
 * const mark = { bus: ":1.5", path: "/a", words: "delete", around: "" };
 * const hit = { kind: "destructive", doing: "click", name: "Delete", app: "Files", apart: [], mark } as const;
 * refusals.add(hit, "ax_click");
 * if (!refusals.has({ ...hit, mark: { ...mark, path: "/menu" } }, "ax_click_at")) throw new Error();
 * ```
 */
export class Refusals {
  readonly #now: Clock;
  #kept: { readonly hit: Hit; readonly way: string; readonly until: number }[] = [];

  constructor(now: Clock = () => performance.now()) {
    this.#now = now;
  }

  /** A person said no. */
  add(hit: Hit, way: string): void {
    this.#forget();
    this.#kept.push({ hit, way, until: this.#now() + HOLDS });
    if (this.#kept.length > MOST) this.#kept.shift();
  }

  /** Was this refused by another way? By the same one a person can be asked again. */
  has(hit: Hit, way: string): boolean {
    this.#forget();
    return this.#kept.some((one) => one.way !== way && isSameEnd(one.hit, hit));
  }

  #forget(): void {
    const now = this.#now();
    this.#kept = this.#kept.filter(({ until }) => until > now);
  }
}
