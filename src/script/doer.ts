import { BackstepError, type Place } from "../base/error.ts";
import type { OperationStep } from "../engine/model/step.ts";

/** What becomes of the steps that a program makes: they are run, planned, or written down for a rollback. */
export interface Doer {
  /** One step, on an application or on the default one. Answers what the operation answered. */
  step(step: OperationStep, app: string | undefined): Promise<unknown>;
  transaction<R>(name: string, inside: () => Promise<R>, retry: number, place: Place): Promise<R>;
  savepoint(name: string, place: Place): Promise<void>;
  rollbackTo(name: string, place: Place): Promise<void>;
  reject(reason: string, place: Place): Promise<never>;
}

/** Collects the steps of an `undo`, which must be known before the action. */
export class Recording implements Doer {
  readonly steps: OperationStep[] = [];

  step(step: OperationStep): Promise<unknown> {
    this.steps.push(step);
    return Promise.resolve(unknownAnswer(() => {
      throw onlySteps("ask for the answer of a step", step.place);
    }));
  }

  transaction<R>(_name: string, _inside: () => Promise<R>, _retry: number, place: Place): Promise<R> {
    return Promise.reject(onlySteps("begin a transaction", place));
  }

  savepoint(_name: string, place: Place): Promise<void> {
    return Promise.reject(onlySteps("set a savepoint", place));
  }

  rollbackTo(_name: string, place: Place): Promise<void> {
    return Promise.reject(onlySteps("roll back", place));
  }

  reject(_reason: string, place: Place): Promise<never> {
    return Promise.reject(onlySteps("reject", place));
  }
}

function onlySteps(doing: string, place: Place): BackstepError {
  return new BackstepError(
    "workflow",
    `Cannot ${doing} in an \`undo\`: it is written down before the action`,
    {
      place,
      hint: "Only a list of steps is possible there.",
    },
  );
}

/** An answer that is not there: it can be awaited and passed over, and whoever looks into it is told. */
export function unknownAnswer(asked: (what: string) => never): unknown {
  return new Proxy({}, {
    // A promise asks for it; everything else is a question about the answer.
    get: (_, key) => key === "then" ? undefined : asked(String(key)),
    has: (_, key) => asked(String(key)),
    ownKeys: () => asked("its fields"),
  });
}
