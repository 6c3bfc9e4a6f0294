import type { Json, Place } from "../base/error.ts";

/** A reference such as `{{steps.save.value}}`: field access only. */
export interface Placeholder {
  readonly kind: "placeholder";
  /** ["steps", "save", "value"] */
  readonly path: readonly string[];
  /** As it was written, for messages. */
  readonly source: string;
  readonly place: Place;
}

/** A string with placeholders in it. */
export interface Interpolated {
  readonly kind: "interpolated";
  readonly parts: readonly (string | Placeholder)[];
}

/** A map of templates; its keys are literal. */
export interface TemplateMap {
  readonly kind: "map";
  readonly entries: readonly (readonly [key: string, value: Template])[];
}

/** A list of templates. */
export interface TemplateList {
  readonly kind: "list";
  readonly items: readonly Template[];
}

/**
 * A value from a workflow file, parsed once: literals, placeholders (a value that is a whole placeholder keeps its
 * type), and strings with placeholders. What is filled in is never parsed again.
 */
export type Template =
  | null
  | boolean
  | number
  | string
  | Placeholder
  | Interpolated
  | TemplateMap
  | TemplateList;

/** Something that holds or does not: an assertion tried for a while, or a comparison of two values. */
export type Condition =
  | { readonly kind: "assert"; readonly input: Template; readonly negate: boolean; readonly place: Place }
  | {
    readonly kind: "equals";
    readonly left: Template;
    readonly right: Template;
    readonly negate: boolean;
    readonly place: Place;
  };

/** What every step may say beside what it does. Times in milliseconds. */
export interface StepCommon {
  readonly place: Place;
  /** Named in results; unique in its file. */
  readonly id?: string;
  readonly name?: string;
  readonly if?: Condition;
  readonly timeout?: number;
  /** Further tries after the first. */
  readonly retry?: number;
  /** A failure is noted and the run goes on. */
  readonly optional?: boolean;
}

/** A step that calls one operation. */
export interface OperationStep extends StepCommon {
  readonly kind: "operation";
  readonly operation: string;
  readonly input: Template;
  /** The author's own way back, run only while its guard holds. */
  readonly undo?: Undo;
  /** Says whether the deed happened, when its answer did not arrive. */
  readonly doneWhen?: Condition;
  /** The author knows that it cannot be taken back. */
  readonly irreversible?: boolean;
  /** Milliseconds to let pass afterwards (the tool specification's `wait_after_ms`). */
  readonly waitAfter?: number;
  /** What a failure of this step does; default: what the file says. */
  readonly onFail?: "rollback" | "skip" | "abort";
}

/** A declared way back. */
export interface Undo {
  readonly steps: readonly Step[];
  /** Default: the desktop still shows what the step left. */
  readonly guard?: Condition;
}

/** Steps that stand or fall together. */
export interface TransactionStep extends StepCommon {
  readonly kind: "transaction";
  readonly steps: readonly Step[];
}

export interface IfStep extends StepCommon {
  readonly kind: "if";
  readonly condition: Condition;
  readonly then: readonly Step[];
  readonly else: readonly Step[];
}

export interface RepeatStep extends StepCommon {
  readonly kind: "repeat";
  /** A fixed number of times… */
  readonly times?: Template;
  /** …or until this holds, `times` at most (default 100). */
  readonly until?: Condition;
  readonly steps: readonly Step[];
}

export interface ForEachStep extends StepCommon {
  readonly kind: "for_each";
  readonly in: Template;
  /** The loop variable, reachable as `{{vars.<as>}}`. */
  readonly as: string;
  readonly steps: readonly Step[];
}

/** Another file's steps, with its own variables. */
export interface RunStep extends StepCommon {
  readonly kind: "run";
  readonly workflow: Workflow;
  readonly with: Template;
}

/** The step model that YAML, TypeScript and tools all become. */
export type Step = OperationStep | TransactionStep | IfStep | RepeatStep | ForEachStep | RunStep;

/** A declared variable. */
export interface Variable {
  readonly type: "string" | "number" | "boolean" | "list" | "map";
  readonly default?: Json;
  readonly description?: string;
  readonly place: Place;
}

/** What a file is meant to end in. */
export interface Expectation {
  readonly status?: "passed" | "failed";
  readonly rollback?: "none" | "restored" | "drift" | "failed";
}

/** A workflow, parsed and checked: nothing in it can be misspelt any more. */
export interface Workflow {
  /** As given on the command line, for messages. */
  readonly file: string;
  readonly name: string;
  readonly description?: string;
  /** What test runs select by. */
  readonly tags: readonly string[];
  /** Default target of its steps: a name or an id. */
  readonly app?: string;
  readonly session?: "isolated" | "attach" | "simulated";
  readonly vars: Readonly<Record<string, Variable>>;
  /** Names of environment variables whose values are secret. */
  readonly secrets: readonly string[];
  /** Milliseconds for the whole flow. */
  readonly timeout?: number;
  readonly onFailure: "rollback" | "stop" | "continue";
  readonly expect?: Expectation;
  readonly before: readonly Step[];
  readonly steps: readonly Step[];
  /** Always run, whatever happened. */
  readonly after: readonly Step[];
}
