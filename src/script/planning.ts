import type { Place } from "../base/error.ts";
import { type PlanStanding, type PlanWalk, transactionName } from "../engine/plan/plan-walk.ts";
import type { OperationStep, Step } from "../engine/model/step.ts";
import { type Doer, unknownAnswer } from "./doer.ts";

/** Steps after which a program is not followed any further: it may go round for ever. */
const MOST = 500;

/** What follows in a program is not known: it asked for an answer that only a run has. */
class PlanEnds extends Error {
  override readonly name = "PlanEnds";
}

/** Follows a program without doing anything, as far as it does not ask for an answer. */
export class Planning implements Doer {
  readonly #walk: PlanWalk;
  #at: PlanStanding;
  #prefix: string;
  #count = 0;
  #steps = 0;
  /** Why it ends, also where the program caught that. */
  ends: string | undefined;

  constructor(prefix: string, at: PlanStanding, walk: PlanWalk) {
    this.#prefix = prefix;
    this.#at = at;
    this.#walk = walk;
  }

  async step(step: OperationStep, app: string | undefined): Promise<unknown> {
    const path = this.#next();
    await this.#walk.step(step, path, app === undefined ? this.#at : { ...this.#at, app });
    return unknownAnswer((what) =>
      this.#end(
        `it asks for ${what} of the answer of step ${path}; what follows is not known before that is done`,
      )
    );
  }

  async transaction<R>(name: string, inside: () => Promise<R>): Promise<R> {
    const path = this.#next();
    this.#walk.holds(path, "transaction", transactionName(name), this.#at);
    const around = { at: this.#at, prefix: this.#prefix, count: this.#count };
    [this.#at, this.#prefix, this.#count] = [{ ...this.#at, inTransaction: true }, `${path}.`, 0];
    try {
      return await inside();
    } finally {
      [this.#at, this.#prefix, this.#count] = [around.at, around.prefix, around.count];
    }
  }

  savepoint(name: string, place: Place): Promise<void> {
    return this.#mark({ kind: "savepoint", savepoint: name, place });
  }

  rollbackTo(name: string, place: Place): Promise<void> {
    return this.#mark({ kind: "rollback_to", savepoint: name, place });
  }

  async reject(reason: string, place: Place): Promise<never> {
    await this.#mark({ kind: "reject", reason, place });
    return this.#end("it rejects the work there");
  }

  #mark(step: Step): Promise<void> {
    return this.#walk.step(step, this.#next(), this.#at);
  }

  #next(): string {
    if (this.ends !== undefined) throw new PlanEnds(this.ends);
    if (++this.#steps > MOST) this.#end(`it makes more than ${MOST} steps`);
    return `${this.#prefix}${++this.#count}`;
  }

  #end(why: string): never {
    this.ends ??= why;
    throw new PlanEnds(why);
  }
}
