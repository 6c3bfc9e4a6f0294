import { BackstepError, type Place } from "../base/error.ts";
import { runStep } from "../engine/run/flow.ts";
import { perform } from "../engine/run/perform.ts";
import type { Standing } from "../engine/run/standing.ts";
import { transaction } from "../engine/run/transaction.ts";
import type { RunContext } from "../engine/run/run-context.ts";
import { FlowStopped, stoppedAt } from "../engine/model/flow-stopped.ts";
import { Scope } from "../engine/model/scope.ts";
import type { OperationStep, Step } from "../engine/model/step.ts";
import type { Doer } from "./doer.ts";

/** Runs the steps of a program through the engine, one after another. */
export class Running implements Doer {
  readonly #run: RunContext;
  #at: Omit<Standing, "path">;
  #prefix: string;
  #count = 0;
  #busy: string | undefined;
  #over = false;
  /** What no `catch` of a program makes up for: an interrupt, a rejection, and what is left of a rollback. */
  #fatal: FlowStopped | undefined;
  /** The engine's own account of an error that a program got to see. */
  readonly #stopped = new WeakMap<BackstepError, FlowStopped>();

  constructor(prefix: string, at: Omit<Standing, "path">, run: RunContext) {
    this.#prefix = prefix;
    this.#at = at;
    this.#run = run;
  }

  /** The whole program. Throws what stops the flow. */
  async all(program: () => Promise<void>): Promise<void> {
    try {
      await program();
      this.#awaited();
    } catch (thrown) {
      throw this.#fatal ?? this.#asStopped(thrown, this.#prefix);
    } finally {
      this.#over = true;
    }
  }

  /** What holds steps may end only when they have. */
  #awaited(): void {
    if (this.#fatal) throw this.#fatal;
    if (this.#busy === undefined) return;
    throw new BackstepError("workflow", `Cannot go on: step ${this.#busy} still runs`, {
      hint: "Await every step.",
    });
  }

  async step(step: OperationStep, app: string | undefined): Promise<unknown> {
    return await this.#one(step.place, async (path) => {
      // A scope of its own, in which this is the first step: from there its answer is had unmasked.
      const scope = new Scope(this.#at.scope.vars, this.#at.scope);
      const own = { steps: {}, numbered: {} };
      const at = { ...this.#at, scope: new Scope(scope.vars, scope, own), path, file: this.#prefix };
      await this.#run.guide?.before(step, { ...at, app: app ?? at.app });
      const result = await perform(step, app === undefined ? at : { ...at, app }, this.#run);
      return at.scope.numbered[Number(path.slice(this.#prefix.length))] ?? result.output;
    });
  }

  async transaction<R>(name: string, inside: () => Promise<R>, retry: number, place: Place): Promise<R> {
    return await this.#one(place, async (path) => {
      const around = { at: this.#at, prefix: this.#prefix, count: this.#count };
      let answer: { readonly value: R } | undefined;
      const begins = { kind: "transaction" as const, name, retry, steps: [], place };
      await this.#run.guide?.before(begins, { ...this.#at, path });
      try {
        await transaction(
          { kind: "transaction", name, retry, place },
          { ...this.#at, path },
          this.#run,
          async (at) => {
            [this.#at, this.#prefix, this.#count, this.#busy] = [at, `${path}.`, 0, undefined];
            try {
              answer = { value: await inside() };
              if (this.#fatal) throw this.#fatal;
            } catch (thrown) {
              throw this.#asStopped(thrown, path);
            }
          },
        );
      } finally {
        [this.#at, this.#prefix, this.#count] = [around.at, around.prefix, around.count];
      }
      if (!answer) throw new BackstepError("internal", "Cannot tell what the transaction answered");
      return answer.value;
    });
  }

  savepoint(name: string, place: Place): Promise<void> {
    return this.#mark({ kind: "savepoint", savepoint: name, place });
  }

  rollbackTo(name: string, place: Place): Promise<void> {
    return this.#mark({ kind: "rollback_to", savepoint: name, place });
  }

  reject(reason: string, place: Place): Promise<never> {
    return this.#one(place, async (path) => {
      await runStep({ kind: "reject", reason, place }, { ...this.#at, path }, this.#run);
      throw new BackstepError("internal", `Cannot go on after step ${path}, which rejects`);
    });
  }

  #mark(step: Step): Promise<void> {
    return this.#one(step.place, (path) => runStep(step, { ...this.#at, path }, this.#run));
  }

  /** One after another: two at once could not be undone in an order. */
  async #one<R>(place: Place, action: (path: string) => Promise<R>): Promise<R> {
    if (this.#fatal) throw this.#fatal.error;
    if (this.#over || this.#busy !== undefined) {
      const why = this.#over ? "its workflow is over" : `step ${this.#busy} still runs`;
      throw new BackstepError("workflow", `Cannot begin a step: ${why}`, {
        place,
        hint: "Await every step.",
      });
    }
    const path = `${this.#prefix}${++this.#count}`;
    this.#busy = path;
    try {
      return await action(path);
    } catch (thrown) {
      const stopped = this.#asStopped(thrown, path);
      const { code } = stopped.error;
      if (code === "cancelled" || code === "rejected" || stopped.remains) this.#fatal = stopped;
      this.#stopped.set(stopped.error, stopped);
      throw stopped.error;
    } finally {
      this.#busy = undefined;
    }
  }

  #asStopped(thrown: unknown, path: string): FlowStopped {
    const existing = thrown instanceof BackstepError ? this.#stopped.get(thrown) : undefined;
    return existing ?? stoppedAt(path, thrown);
  }
}
