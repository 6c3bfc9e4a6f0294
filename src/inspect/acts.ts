import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { asMap, isMap, toJson } from "../base/json.ts";
import type { Effect } from "../contract/effect.ts";
import type { StepResult } from "../contract/events.ts";
import type { Elements } from "../contract/elements.ts";
import type { PolicyPort } from "../contract/gate.ts";
import type { Invocation, Operation } from "../contract/operation.ts";
import { BUDGETS } from "../engine/model/budgets.ts";
import type { OperationStep } from "../engine/model/step.ts";
import { literal } from "../engine/model/template.ts";
import { type LiveAnswer, LiveRun } from "../script/live.ts";
import type { Session } from "../session/session.ts";
import { axUndo } from "../tools/context/undo.ts";

/** Milliseconds that an element may take to be ready: a person waits. */
const RESOLVE = 2_000;
/** Acts that a page is told of. */
const SHOWN = 200;

/** An act of a page, as it came out. */
export interface ActDone {
  readonly number: number;
  readonly at: number;
  /** For people: `click button "Save"`. */
  readonly what: string;
  readonly operation: string;
  readonly effect: Effect | undefined;
  /** The method that ran, where the operation says it. */
  readonly method?: string;
  readonly ms: number;
  readonly error?: { readonly message: string; readonly hint?: string; readonly code: string };
  /** It was undone since; "stays": it was to be, and cannot be. */
  readonly undo?: "undone" | "stays";
}

/** What the acts of pages need. */
export interface ActsOptions {
  readonly session: Session;
  readonly operations: readonly Operation[];
  readonly folder: string;
  readonly elements: Elements;
  readonly admission: readonly PolicyPort[];
  readonly state?: string;
  /** Does it beside the steps of a run that stands: it is undone before that goes on. Default: the acts are a run of their own. */
  readonly beside?: (step: OperationStep) => Promise<StepResult>;
}

/** The acts of all pages: one run, which begins with the first of them; each can be undone. */
export class Acts {
  readonly #options: ActsOptions;
  #live: Promise<LiveRun> | undefined;
  #count = 0;
  #done: ActDone[] = [];

  constructor(options: ActsOptions) {
    this.#options = options;
  }

  /** The acts so far, the last of them last. */
  get done(): readonly ActDone[] {
    return this.#done;
  }

  /** The run's id; undefined: nothing was done yet. */
  async run(): Promise<string | undefined> {
    return (await this.#live)?.run;
  }

  /** Does it through the gate. Never rejects: what went wrong is in the answer. */
  async do(call: Invocation, app: string | undefined): Promise<ActDone> {
    const { beside } = this.#options;
    if (beside) return await this.#tell(call.operation, () => triedBeside(call, app, beside));
    const live = await this.#begun();
    return await this.#tell(
      call.operation,
      () => live.do(call, { admission: this.#options.admission, ...defined({ app }) }),
    );
  }

  /** Undoes the last act that happened; one that cannot be undone stays, and the next undo is of the one before it. */
  async undo(): Promise<ActDone> {
    if (this.#options.beside) {
      throw new BackstepError("unsupported", "Cannot undo this alone: it is undone before the run goes on", {
        hint: "Go on, or go back to a step.",
      });
    }
    const live = await this.#begun();
    let undone = 0;
    const done = await this.#tell("undo", async () => {
      const answer = await live.call(axUndo.name, { count: 1 });
      undone = Number(isMap(answer.output) ? answer.output["undone"] : 0);
      return answer;
    });
    const at = this.#done.findLastIndex((one) =>
      one.operation !== "undo" && one.undo === undefined && one.error === undefined && one.effect !== "read"
    );
    const last = this.#done[at];
    if (last === undefined || done.error !== undefined) return done;
    const undo = undone > 0 ? "undone" : "stays";
    this.#done[at] = { ...last, undo };
    const what = undone > 0 ? `undo ${last.what}` : `${last.what} cannot be undone`;
    this.#done[this.#done.length - 1] = { ...done, what };
    return { ...done, what, undo };
  }

  /** Ends the run: what was done stays, and `backstep undo` can undo it later. */
  async close(): Promise<void> {
    await (await this.#live)?.end();
  }

  #begun(): Promise<LiveRun> {
    const { session, operations, folder, elements, state } = this.#options;
    this.#live ??= LiveRun.begin({
      session,
      operations,
      folder,
      elements,
      name: "inspector",
      budgets: { ...BUDGETS, resolve: RESOLVE },
      updateBaselines: "none",
      onInterference: "ignore",
      ...defined({ state }),
    });
    return this.#live;
  }

  async #tell(
    operation: string,
    action: () => Promise<Pick<LiveAnswer, "step" | "effect" | "output">>,
  ): Promise<ActDone> {
    const began = performance.now();
    const reported = { number: ++this.#count, at: Date.now(), operation };
    const ms = () => Math.round(performance.now() - began);
    let done: ActDone;
    try {
      const { step, effect, output } = await action();
      const method = methodIn(output);
      done = { ...reported, what: step.name, effect, ms: ms(), ...defined({ method }) };
    } catch (thrown) {
      const { message, hint, code } = toBackstepError(thrown);
      const error = { message, code, ...defined({ hint }) };
      done = { ...reported, what: operation, effect: undefined, ms: ms(), error };
    }
    this.#done = [...this.#done, done].slice(-SHOWN);
    return done;
  }
}

async function triedBeside(
  { operation, input }: Invocation,
  app: string | undefined,
  beside: NonNullable<ActsOptions["beside"]>,
): Promise<Pick<LiveAnswer, "step" | "effect" | "output">> {
  const named = asMap(toJson(input));
  const place = { file: "the page", line: 1, column: 1 };
  const whole = app === undefined || "target" in named || "into" in named ? named : { ...named, app };
  const step = await beside({ kind: "operation", place, operation, input: literal(whole), raw: true });
  if (step.error) {
    const { code, message, ...more } = step.error;
    throw new BackstepError(code, message, more);
  }
  return { step, effect: step.effect, output: step.output ?? null };
}

function methodIn(output: Json): string | undefined {
  const method = isMap(output) ? output["method"] : undefined;
  return typeof method === "string" ? method : undefined;
}
