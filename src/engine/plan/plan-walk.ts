import { type BackstepError, type ErrorCode, type Json, toBackstepError } from "../../base/error.ts";
import { isMap, toJson } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import type { Effect } from "../../contract/effect.ts";
import type { Act, Gate } from "../../contract/gate.ts";
import type { Participant } from "../../contract/participant.ts";
import type { Desktop } from "../../desktop/desktop.ts";
import { bindVariables } from "../model/bind.ts";
import { nameOf } from "../model/step-name.ts";
import { fill } from "../model/fill.ts";
import { judged } from "../model/judged-effect.ts";
import type { Mask } from "../secrets/mask.ts";
import { Scope, type Surroundings } from "../model/scope.ts";
import type { ForEachStep, OperationStep, RunStep, Step, Template } from "../model/step.ts";
import { placeholders, stepNumber } from "../model/template.ts";
import type { PlanBarrier, PlanStep } from "./plan-model.ts";

/** Milliseconds that a locator is waited for: where no earlier step could make it appear, and where one may. */
const WAITS = { first: 3_000, below: 1_000 };
/** Milliseconds for reading what would be restored. */
const READING = 2_000;
/** What an earlier step can change: nothing else makes a locator `later`. */
const BY_A_STEP: ReadonlyMap<ErrorCode, string> = new Map([
  ["not_found", "nothing matches"],
  ["ambiguous", "more than one element matches"],
  ["not_actionable", "it cannot be used"],
  ["app_not_running", "its application does not run"],
  ["app_gone", "its application does not run"],
  ["stale", "it does not stay what it is"],
]);
/** What may only need a moment: it moves, or is covered while something opens. */
const UNSETTLED: ReadonlySet<ErrorCode> = new Set(["not_actionable", "stale"]);

/** Where a step of a plan stands. */
export interface PlanStanding {
  readonly scope: Scope;
  readonly app: string | undefined;
  readonly part: PlanStep["part"];
  readonly inTransaction: boolean;
  /** It may not run at all. */
  readonly conditional: boolean;
  /** Variables of its file that depend on an earlier step: every placeholder does then. */
  readonly unknown?: string;
}

/** What a walk is given. */
export interface WalkOptions {
  /** Of a session that only looks. */
  readonly gate: Gate;
  readonly desktop: Desktop;
  readonly mask: Mask;
  readonly surroundings: Surroundings;
  readonly signal: AbortSignal | undefined;
}

/** Goes through steps as a run would, and looks at each instead of doing it. */
export class PlanWalk {
  readonly steps: PlanStep[] = [];
  readonly #options: WalkOptions;
  /** The last step that changes anything. */
  #action: string | undefined;
  /** The last one that may change which elements there are. */
  #changing: string | undefined;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  async flow(steps: readonly Step[], prefix: string, at: PlanStanding): Promise<void> {
    for (const [index, step] of steps.entries()) await this.step(step, `${prefix}${index + 1}`, at);
  }

  async step(step: Step, path: string, around: PlanStanding): Promise<void> {
    const at = step.if ? { ...around, conditional: true } : around;
    switch (step.kind) {
      case "operation":
        return await this.#operation(step, path, at);
      case "transaction":
        this.holds(path, "transaction", transactionName(step.name ?? step.id), at);
        return await this.flow(step.steps, `${path}.`, { ...at, inTransaction: true });
      case "savepoint":
      case "rollback_to":
        return this.holds(path, step.kind, `${step.kind.replace("_", " ")} ${step.savepoint}`, at);
      case "reject":
        return this.holds(path, step.kind, step.name ?? "reject", at);
      case "undo":
        return this.holds(path, step.kind, `undo the last ${step.count}`, at);
      case "if": {
        this.holds(path, "if", step.name ?? "if", at);
        const branch = { ...at, conditional: true };
        await this.flow(step.then, `${path}.then.`, branch);
        return await this.flow(step.else, `${path}.else.`, branch);
      }
      case "repeat": {
        const times = step.times === undefined ? undefined : this.#filled(step.times, at).value;
        const turns = typeof times === "number" && !step.until ? times : undefined;
        this.holds(path, "repeat", step.name ?? "repeat", at, turns);
        // Later turns stand below the first: they do the same, on what that left.
        if (turns !== 0) await this.flow(step.steps, `${path}[1].`, at);
        return;
      }
      case "for_each":
        return await this.#forEach(step, path, at);
      case "run":
        return await this.#nested(step, path, at);
    }
  }

  /** A step of `before:` that was really done, so that there is something to look at. */
  done(step: Step, path: string): void {
    const operation = step.kind === "operation" ? step.operation : step.kind;
    const input = step.kind === "operation" && [...placeholders(step.input)].length === 0
      ? fill(step.input, new Scope({}, this.#options.surroundings))
      : undefined;
    const name = step.name ?? nameOf(operation, words(input));
    this.#put({ path, part: "before", operation, name, status: "done" });
  }

  /** A step that holds others, or marks a place. */
  holds(path: string, operation: string, name: string, at: PlanStanding, turns?: number): void {
    this.#put({
      ...standing(path, operation, name, at),
      status: "holds",
      ...defined({ turns }),
    });
  }

  #put(step: PlanStep): void {
    this.steps.push(this.#options.mask.apply(step));
  }

  async #forEach(step: ForEachStep, path: string, at: PlanStanding): Promise<void> {
    const { value, why } = this.#filled(step.in, at);
    const items = Array.isArray(value) ? value : undefined;
    this.holds(path, "for_each", step.name ?? `for each ${step.as}`, at, items?.length);
    if (items?.length === 0) return;
    const first: Json = items?.[0] ?? null;
    const inner = { ...at, scope: at.scope.with(step.as, first) };
    await this.flow(step.steps, `${path}[1].`, why === undefined ? inner : { ...inner, unknown: why });
  }

  async #nested(step: RunStep, path: string, at: PlanStanding): Promise<void> {
    const { workflow } = step;
    this.holds(path, "run", step.name ?? `run ${workflow.name}`, at);
    const { value, why } = this.#filled(step.with, at);
    const { surroundings } = this.#options;
    const app = workflow.app ?? at.app;
    const vars = value === undefined ? {} : bindVariables(workflow, value, step.place);
    const inner = {
      ...at,
      app,
      scope: new Scope(vars, surroundings),
      ...defined({ unknown: why }),
    };
    await this.flow(workflow.before, `${path}.before.`, inner);
    await this.flow(workflow.steps, `${path}.`, inner);
    await this.flow(workflow.after, `${path}.after.`, inner);
  }

  /** A template's value, or why it is not known yet. Throws what no step can change: a variable that is not set. */
  #filled(template: Template, at: PlanStanding): { value?: Json; why?: string } {
    for (const { path: [root = ""], source } of placeholders(template)) {
      if (root === "steps" || stepNumber(root) !== undefined) return { why: `${source} is not there yet` };
      if (at.unknown !== undefined && root === "vars") return { why: at.unknown };
    }
    return { value: fill(template, at.scope) };
  }

  async #operation(step: OperationStep, path: string, at: PlanStanding): Promise<void> {
    const { gate } = this.#options;
    const operation = gate.operation(step.operation);
    const { hints } = operation;
    const below = this.#action;
    let input: Json | undefined;
    let found: PlanStep;
    try {
      const filled = this.#filled(step.input, at);
      input = filled.value;
      const why = filled.why ??
        (below !== undefined && operation.parse(input).followsFocus
          ? `it goes where the focus is after step ${below}`
          : undefined);
      if (why !== undefined || input === undefined) {
        found = this.#later(step, path, at, input, why ?? "");
      } else {
        const act = await this.#look(step, input, at, below === undefined && !at.conditional);
        found = await this.#resolved(step, path, at, act);
      }
    } catch (thrown) {
      const error = toBackstepError(thrown);
      if (error.code === "cancelled" || error.code === "internal") throw error;
      found = this.#unresolved(step, path, at, input, error, below);
    }
    const assuming = found.status === "resolved" && found.effect !== "read" ? this.#changing : undefined;
    this.#put({ ...found, ...defined({ assuming }) });
    if (!hints.readOnly) this.#action = path;
    const sure = hints.readOnly || found.effect === "read" || found.effect === "restorable";
    if (!sure) this.#changing = path;
  }

  /** Looks, and once more with all the time there is where the desktop was only slow: a plan must not depend on that. */
  async #look(step: OperationStep, input: Json, at: PlanStanding, patient: boolean): Promise<Act> {
    const { gate, signal } = this.#options;
    const look = (timeout: number) =>
      gate.look({ operation: step.operation, input }, {
        timeout,
        ...defined({ app: at.app, signal }),
      });
    const limit = step.timeout ?? gate.operation(step.operation).timeout;
    const first = Math.min(limit, patient ? WAITS.first : WAITS.below);
    try {
      return await look(first);
    } catch (thrown) {
      const { code } = toBackstepError(thrown);
      const more = code === "timeout" ? limit : UNSETTLED.has(code) ? Math.min(limit, WAITS.first) : 0;
      if (more <= first) throw thrown;
      return await look(more);
    }
  }

  async #resolved(step: OperationStep, path: string, at: PlanStanding, act: Act): Promise<PlanStep> {
    const effect = judged(act, step);
    const { subject, participants } = act.resolved;
    const existing = {
      ...standing(path, step.operation, step.name ?? nameOf(step.operation, subject), at),
      effect,
      input: toJson(act.input),
    };
    // What stands in `before:` and `after:` is no part of what a failure undoes.
    if (effect === "read" || at.part !== "steps") return { ...existing, status: "resolved" };
    if (effect === "irreversible") {
      const barrier = barrierOf(step, at);
      if (barrier !== "refused") return { ...existing, status: "resolved", covered: false, barrier };
      return {
        ...existing,
        status: "fails",
        covered: false,
        barrier,
        code: "barrier",
        why: "in a transaction it needs `undo:`, or `irreversible: true`",
      };
    }
    const { protects, lost, secure } = await this.#protected(participants);
    const way = wayOf(effect, step, protects);
    const covered = effect !== "restorable" || step.undo !== undefined ||
      (lost === undefined && protects.length > 0);
    return {
      ...existing,
      // What goes into a password field is written down nowhere.
      ...(secure ? { input: null } : {}),
      status: "resolved",
      ...(covered ? { way } : {}),
      covered,
      protects,
      ...(covered ? {} : { why: lost ?? "nothing of it is protected" }),
    };
  }

  /** What would be restored, and what of it cannot be. The focus is best effort, and no part of the rollback. */
  async #protected(
    participants: readonly Participant[],
  ): Promise<{ protects: string[]; lost: string | undefined; secure: boolean }> {
    const { desktop, signal } = this.#options;
    const call = { timeout: READING, ...defined({ signal }) };
    const counting = participants.filter(({ kind }) => kind !== "focus");
    let lost: string | undefined;
    let secure = false;
    for (const one of counting) {
      try {
        const image = await one.capture(desktop, call);
        if (image.secure) secure = true;
        const [why] = Object.values(image.unrestorable ?? {});
        if (why !== undefined) lost ??= `${one.label}: ${why}`;
      } catch (thrown) {
        const error = toBackstepError(thrown);
        if (error.code === "cancelled") throw error;
        lost ??= `${one.label} cannot be read: ${error.message}`;
      }
    }
    return { protects: counting.map(({ label }) => label), lost, secure };
  }

  #unresolved(
    step: OperationStep,
    path: string,
    at: PlanStanding,
    input: Json | undefined,
    error: BackstepError,
    below: string | undefined,
  ): PlanStep {
    const missing = BY_A_STEP.get(error.code);
    if (missing !== undefined && (below !== undefined || at.conditional)) {
      const after = below === undefined ? "and it may not run" : `and step ${below} comes before it`;
      return this.#later(step, path, at, input, `${missing} now, ${after}`);
    }
    return {
      ...standing(path, step.operation, step.name ?? nameOf(step.operation, words(input)), at),
      status: "fails",
      why: brief(error.message),
      code: error.code,
    };
  }

  #later(
    step: OperationStep,
    path: string,
    at: PlanStanding,
    input: Json | undefined,
    why: string,
  ): PlanStep {
    const { hints } = this.#options.gate.operation(step.operation);
    return {
      ...standing(path, step.operation, step.name ?? nameOf(step.operation, words(input)), at),
      status: "later",
      ...(hints.readOnly ? { effect: "read" as const } : {}),
      ...defined({ input }),
      why,
    };
  }
}

function standing(path: string, operation: string, name: string, at: PlanStanding) {
  return {
    path,
    part: at.part,
    operation,
    name,
    ...(at.conditional ? { conditional: true } : {}),
  };
}

/** As reports of runs name it. */
export function transactionName(name: string | undefined): string {
  return name === undefined ? "transaction" : `transaction ${name}`;
}

function barrierOf(step: OperationStep, at: PlanStanding): PlanBarrier {
  const declared = step.irreversible === true || step.raw === true;
  if (at.inTransaction) return declared ? "passed" : "refused";
  // The raw form has no word for it: the undo of a file passes it, and names it.
  return step.raw === true && step.irreversible !== true ? "passed" : "ends";
}

function wayOf(effect: Effect, step: OperationStep, protects: readonly string[]): string {
  if (step.undo) {
    const count = step.undo.steps.length;
    return `undo: ${count} step${count === 1 ? "" : "s"}, while ${
      step.undo.guard ? "its guard holds" : "the windows are as it left them"
    }`;
  }
  if (effect === "compensable") return "its opposite, if it did anything";
  const back = protects.length === 0 ? "" : `${protects.join(", ")} restored`;
  if (effect === "restorable") return back;
  return back === "" ? "what it opens is closed" : `${back}; what it opens is closed`;
}

/** What a step that is not resolved says it acts on. */
function words(input: Json | undefined): string | undefined {
  if (!isMap(input)) return undefined;
  const target = input["target"] ?? input["into"] ?? input["file"] ?? input["keys"] ?? input["app"];
  if (isMap(target)) return String(target["selector"] ?? "");
  return target === undefined ? undefined : String(target);
}

function brief(message: string): string {
  return message.length > 300 ? `${message.slice(0, 299)}…` : message;
}
