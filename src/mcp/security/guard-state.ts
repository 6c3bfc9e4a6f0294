import type { Act } from "../../contract/gate.ts";
import type { Hit } from "../../policy/judgement/hit.ts";
import type { SendJudge } from "../../policy/judgement/send-judge.ts";

/** Hits of one act that are kept for what is written down. */
const MOST = 50;

/** What is known of an act that was let through. */
export class Admitted {
  /** Flags that it is written down with. */
  readonly flags = new Set<string>();
  /** What a person has agreed to. */
  agreed: readonly Hit[] = [];
  /** Nobody is asked: what would need a word is warned of. */
  unasked = false;
  /** How it is written down, where it was stopped when it was sent. */
  result: string | undefined;
  /** Made when the first call is sent. */
  judge: SendJudge | undefined;
  readonly #hits: Hit[] = [];

  /** What was hit, the last ones. */
  get hits(): readonly Hit[] {
    return this.#hits;
  }

  add(hits: readonly Hit[]): void {
    this.#hits.push(...hits);
    this.#hits.splice(0, this.#hits.length - MOST);
  }
}

const admitted = new WeakMap<Act["resolved"], Admitted>();

/** What is known of an act; undefined: it was not judged. */
export function admittedOf({ resolved }: Act): Admitted | undefined {
  return admitted.get(resolved);
}

/** Begins to keep what is known of an act. */
export function admitAct({ resolved }: Act): Admitted {
  const made = new Admitted();
  admitted.set(resolved, made);
  return made;
}
