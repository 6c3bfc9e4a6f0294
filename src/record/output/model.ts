import type { Json, Place } from "../../base/error.ts";
import { asMap, isList, isMap, toJson } from "../../base/json.ts";
import type { Effect } from "../../contract/effect.ts";
import type { Variable, Workflow } from "../../engine/model/step.ts";

/** An input as a file writes it: its texts may hold placeholders, and a literal `{{` is written `{{{{`. */
export type FileInput = { readonly [property: string]: Json };

/** What a recorder knows of a step beside what the step says. It is written as comments, or not at all. */
export interface Notes {
  /** For whoever reads the file. */
  readonly comment?: string;
  /** How sure it is that the step acts on what was meant, from 0 to 1. */
  readonly confidence?: number;
  /** Other selectors that could have been meant, the best first. */
  readonly alternatives?: readonly string[];
  /** What undoing it would need, as far as it was seen. */
  readonly effect?: Effect;
  /** What may undo it, as a step of a file. */
  readonly undoWith?: string;
  /** Where it stands in the file that it was read from. */
  readonly place?: Place;
}

/** An assertion that holds or, negated, does not. */
export interface Asserted {
  /** The input of `assert`, its `timeout` always given: 0 looks once. */
  readonly input: FileInput;
  /** It must not hold. */
  readonly negate: boolean;
}

/** One operation. */
export interface ActionStep extends Notes {
  readonly kind: "action";
  /** Its neutral name in the catalogue. */
  readonly operation: string;
  readonly input: FileInput;
  readonly id?: string;
  readonly name?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  /** Further tries. */
  readonly retry?: number;
  readonly optional?: boolean;
  readonly soft?: boolean;
  readonly irreversible?: boolean;
  readonly undo?: { readonly steps: readonly RecordedStep[]; readonly guard?: Asserted };
  readonly doneWhen?: Asserted;
  readonly changes?: { readonly only?: Json; readonly include?: Json };
  /** It is written as a call of this tool. */
  readonly tool?: string;
  /** What its failure does, of a call of a tool, where that is not what the file says. */
  readonly onFail?: "rollback" | "abort";
  /** Milliseconds to let pass afterwards, of a call of a tool. */
  readonly waitAfter?: number;
}

/** Steps that stand or fall together. */
export interface GroupStep extends Notes {
  readonly kind: "transaction";
  readonly name?: string;
  readonly retry?: number;
  readonly optional?: boolean;
  readonly steps: readonly RecordedStep[];
}

/** A place in the flow, or a rollback to it. */
export interface MarkStep extends Notes {
  readonly kind: "savepoint" | "rollback_to";
  readonly savepoint: string;
}

/** A step of a recorded list. */
export type RecordedStep = ActionStep | GroupStep | MarkStep;

/** What a file says of all its steps, beside its name. */
export type Settings = {
  readonly [
    K in
      | "description"
      | "tags"
      | "app"
      | "session"
      | "mode"
      | "desktop"
      | "secrets"
      | "secretSources"
      | "files"
      | "timeout"
      | "onFailure"
      | "onConflict"
      | "onInterference"
      | "durability"
      | "rollback"
      | "expect"
      | "locks"
      | "needs"
      | "skip"
  ]?: NonNullable<Workflow[K]>;
};

/** A recorded list of steps, in no format yet. */
export interface Recording {
  readonly name: string;
  /** Without those that are as they would be anyway. */
  readonly settings: Settings;
  readonly vars: { readonly [name: string]: Omit<Variable, "place"> };
  readonly before: readonly RecordedStep[];
  readonly steps: readonly RecordedStep[];
  readonly after: readonly RecordedStep[];
  /** Where the keys of the file stand that it was read from. */
  readonly places?: { readonly [key: string]: Place };
}

/** Literal JSON as a file writes it. */
export function inNotation(value: Json): Json {
  if (typeof value === "string") return value.replaceAll("{{", "{{{{");
  if (isList(value)) return value.map(inNotation);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inNotation(one)]));
}

/**
 * A step of what was seen: its texts are literal.
 *
 * @example
 * ```ts
 * import { action } from "./model.ts";
 * const step = action("set", { target: "textfield", value: "{{x}}" }, { confidence: 0.4 });
 * if (step.input["value"] !== "{{{{x}}") throw new Error();
 * ```
 */
export function action(
  operation: string,
  input: Readonly<Record<string, unknown>>,
  more: Omit<ActionStep, "kind" | "operation" | "input"> = {},
): ActionStep {
  return { kind: "action", operation, input: asMap(inNotation(toJson(input))), ...more };
}

/** The same without notes and places: what the formats that are read back can say. */
export function withoutNotes(recording: Recording): Recording {
  const { places: _, ...rest } = recording;
  return {
    ...rest,
    before: recording.before.map(bare),
    steps: recording.steps.map(bare),
    after: recording.after.map(bare),
  };
}

function bare(step: RecordedStep): RecordedStep {
  const { comment: _c, confidence: _n, alternatives: _a, effect: _e, undoWith: _u, place: _p, ...rest } =
    step;
  if (rest.kind === "transaction") return { ...rest, steps: rest.steps.map(bare) };
  if (rest.kind !== "action" || rest.undo === undefined) return rest;
  return { ...rest, undo: { ...rest.undo, steps: rest.undo.steps.map(bare) } };
}
