import type { Json, Place } from "../../base/error.ts";
import type { DesktopSettings } from "../../session/settings/settings.ts";
import type { Durability } from "./durability.ts";

/** A reference such as `{{steps.save.value}}`: field access only. */
export interface Placeholder {
  /** Tells it from the other templates. */
  readonly kind: "placeholder";
  /** ["steps", "save", "value"] */
  readonly path: readonly string[];
  /** As it was written, for messages. */
  readonly source: string;
  /** Where it stands in the file. */
  readonly place: Place;
}

/** A string with placeholders in it. */
export interface Interpolated {
  /** Tells it from the other templates. */
  readonly kind: "interpolated";
  /** Literal text and placeholders, in order. */
  readonly parts: readonly (string | Placeholder)[];
}

/** A map of templates; its keys are literal. */
export interface TemplateMap {
  /** Tells it from the other templates. */
  readonly kind: "map";
  /** In the order of the file. */
  readonly entries: readonly (readonly [key: string, value: Template])[];
}

/** A list of templates. */
export interface TemplateList {
  /** Tells it from the other templates. */
  readonly kind: "list";
  /** In the order of the file. */
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
  /** Where its verb stands. */
  readonly place: Place;
  /** Named in results; unique in its file. */
  readonly id?: string;
  /** For people; default: the operation with what it acts on. */
  readonly name?: string;
  /** The step is skipped unless this holds. */
  readonly if?: Condition;
  /** Milliseconds; default: what the operation says, and for steps that hold others no bound of their own. */
  readonly timeout?: number;
  /** A failure is noted and the run goes on. */
  readonly optional?: boolean;
}

/** A step that calls one operation. */
export interface OperationStep extends StepCommon {
  /** Tells it from the other steps. */
  readonly kind: "operation";
  /** Its neutral name in the catalogue: "click", "set-value". */
  readonly operation: string;
  /** Filled in when its turn comes, then checked by the operation. */
  readonly input: Template;
  /** Further tries after the first, each only where that is safe; default 0. */
  readonly retry?: number;
  /** The author's own undo, run only while its guard holds. */
  readonly undo?: Undo;
  /** Says whether the action happened, when its answer did not arrive. */
  readonly doneWhen?: Condition;
  /** The author knows that it cannot be undone. */
  readonly irreversible?: boolean;
  /** Of a step that only looks: when it fails the flow goes on, and fails at its end. */
  readonly soft?: boolean;
  /** Milliseconds to let pass afterwards (the tool specification's `wait_after_ms`). */
  readonly waitAfter?: number;
  /** What a failure of this step does; default: what the file says. */
  readonly onFail?: "rollback" | "skip" | "abort";
  /** What it may change, and what it must: compared with what was seen to change. */
  readonly changes?: Changes;
  /**
   * It comes from the raw `tool:` form, which has no word for `irreversible`: an irreversible action counts as declared. The
   * rollback passes it, names it, and is then never `restored`.
   */
  readonly raw?: true;
  /** Its tool, of a step in that form: "ax_click". */
  readonly tool?: string;
  /** Its tool's own answer, of what the operation answered: what is reported, and what later steps can name. */
  readonly answers?: (output: Json) => Json;
}

/** An assertion over what a step was seen to change in its application. */
export interface Changes {
  /** Nothing but what these selectors match, and what is inside of it. */
  readonly only?: readonly Template[];
  /** Something that each of these matches, or that is inside of it. */
  readonly include?: readonly Template[];
  /** Where `changes:` stands. */
  readonly place: Place;
}

/** A declared rollback. */
export interface Undo {
  /** Done in this order. */
  readonly steps: readonly Step[];
  /** Default: the desktop still shows what the step left. */
  readonly guard?: Condition;
}

/** Steps that stand or fall together. */
export interface TransactionStep extends StepCommon {
  /** Tells it from the other steps. */
  readonly kind: "transaction";
  /** Further tries after the first, each once everything was rolled back; default 0. */
  readonly retry?: number;
  /** All of them, or none. */
  readonly steps: readonly Step[];
  /**
   * It comes from the tool `ax_workflow`: what its steps say with `onFail` is about these steps, and it answers what became of
   * each. What its own failure does, and how long it waits afterwards, is as of any step in the raw form.
   */
  readonly composed?: Composed;
}

/** What a tool says that is several steps. */
export interface Composed extends Pick<OperationStep, "onFail" | "waitAfter"> {
  /** Its name, as results have it. */
  readonly tool: string;
}

/** Undoes the last actions of the flow; it comes from the tool `ax_undo`. Irreversible ones are passed, and named. */
export interface UndoStep extends StepCommon, Pick<OperationStep, "onFail" | "waitAfter"> {
  /** Tells it from the other steps. */
  readonly kind: "undo";
  /** The tool's name, as results have it. */
  readonly tool: string;
  /** How many; those that did not happen do not count. */
  readonly count: number;
}

/** Steps that run when a condition holds, and others when it does not. */
export interface IfStep extends StepCommon {
  /** Tells it from the other steps. */
  readonly kind: "if";
  /** Asked once, when its turn comes. */
  readonly condition: Condition;
  /** Run when it holds. */
  readonly then: readonly Step[];
  /** Run when it does not; often empty. */
  readonly else: readonly Step[];
}

/** Steps that run again and again. It has `times`, `until` or both. */
export interface RepeatStep extends StepCommon {
  /** Tells it from the other steps. */
  readonly kind: "repeat";
  /** A fixed number of times… */
  readonly times?: Template;
  /** …or until this holds, `times` at most (default 100). */
  readonly until?: Condition;
  /** One turn. */
  readonly steps: readonly Step[];
}

/** Steps that run once for each item of a list. */
export interface ForEachStep extends StepCommon {
  /** Tells it from the other steps. */
  readonly kind: "for_each";
  /** A list, or a placeholder that stands for one; 10,000 items at most. */
  readonly in: Template;
  /** The loop variable, reachable as `{{vars.<as>}}`. */
  readonly as: string;
  /** One turn. */
  readonly steps: readonly Step[];
}

/** Another file's steps, with its own variables. */
export interface RunStep extends StepCommon {
  /** Tells it from the other steps. */
  readonly kind: "run";
  /** The other file, parsed. */
  readonly workflow: Workflow;
  /** A map: values for its variables. */
  readonly with: Template;
}

/** A place in the flow that `rollback_to` can go back to. */
export interface SavepointStep extends StepCommon {
  /** Tells it from the other steps. */
  readonly kind: "savepoint";
  /** Its name; a later savepoint of the same name takes its place. */
  readonly savepoint: string;
}

/** Undoes what was done since a savepoint; the flow goes on when that is as it was. */
export interface RollbackToStep extends StepCommon {
  /** Tells it from the other steps. */
  readonly kind: "rollback_to";
  /** The name of the savepoint. */
  readonly savepoint: string;
}

/** Ends the run with a business error: what was asked for cannot be done, and is not tried again. */
export interface RejectStep extends StepCommon {
  /** Tells it from the other steps. */
  readonly kind: "reject";
  /** Why, for people: a text, filled in when its turn comes. */
  readonly reason: Template;
}

/** The step model that YAML, TypeScript and tools all become. */
export type Step =
  | OperationStep
  | TransactionStep
  | SavepointStep
  | RollbackToStep
  | RejectStep
  | UndoStep
  | IfStep
  | RepeatStep
  | ForEachStep
  | RunStep;

/** A declared variable. */
export interface Variable {
  /** What its values must be. */
  readonly type: "string" | "number" | "boolean" | "list" | "map";
  /** Without one, a value must be given. */
  readonly default?: Json;
  /** For people. */
  readonly description?: string;
  /** Where it is declared. */
  readonly place: Place;
}

/** What a file is meant to end in. */
export interface Expectation {
  /** Default "passed". "failed" is any failure, "rejected" only that of a `reject:` step. */
  readonly status?: "passed" | "failed" | "rejected";
  /** Default: any. */
  readonly rollback?: "none" | "restored" | "rebuilt" | "drift" | "failed";
}

/** What has to be there for a file to be tested; where it is not, a test run skips the file and names it. */
export interface Needs {
  /** Programs: paths, or names on PATH. */
  readonly programs: readonly string[];
  /** Environment variables that must be set. */
  readonly env: readonly string[];
}

/** What the rollback does about a conflict: leave it alone, ask a person (nobody there: leave it), or overwrite it. */
export type OnConflict = "stop" | "ask" | "force";

/** What is done when somebody else uses keyboard or pointer: wait until they are done, end the run, or just note it. */
export type OnInterference = "pause" | "abort" | "ignore";

/** Where the value of a secret comes from. */
export type SecretSource =
  /** An environment variable. */
  | { readonly env: string }
  /** A file that nobody else may read (0600 or 0400): absolute, "~/…", or from the workflow file's folder. */
  | { readonly file: string }
  /** A person on the terminal, who is asked with these words and types unseen. */
  | { readonly prompt: string };

/** Values that a test run gives to some of a workflow's variables. */
export interface Case {
  /** Unique within its file. */
  readonly name: string;
  /** Of the declared types. */
  readonly values: { readonly [name: string]: Json };
}

/** A workflow, parsed and checked: nothing in it can be misspelt any more. */
export interface Workflow {
  /** As given on the command line, for messages. */
  readonly file: string;
  /** SHA-256 of the program, of a workflow that is one. */
  readonly source?: string;
  /** What it does, for people. */
  readonly name: string;
  /** More about it, for people. */
  readonly description?: string;
  /** What test runs select by. */
  readonly tags: readonly string[];
  /** Default target of its steps: a name or an id. */
  readonly app?: string;
  /** The desktop it wants; the command line's `--session` goes before it. */
  readonly session?: "isolated" | "attach" | "simulated";
  /** Whether a desktop that was there before may be disturbed; the command line's `--mode` goes before it. */
  readonly mode?: "background" | "focus";
  /** What its private desktop is to be like; what the command line says goes before it. */
  readonly desktop?: DesktopSettings;
  /** Sets of values that a test run runs it with, one after another; without them it runs once. */
  readonly cases?: readonly Case[];
  /** By name; how a run gets their values is in `resolveVariables`. */
  readonly vars: Readonly<Record<string, Variable>>;
  /** Names of the values that are secret; each is the environment variable of its name unless `secretSources` says else. */
  readonly secrets: readonly string[];
  /** Where secrets come from that are not the environment variable of their name. */
  readonly secretSources?: Readonly<Record<string, SecretSource>>;
  /** Files and folders that a rollback restores: in the desktop's HOME ("~/…") or below the project's folder. */
  readonly files: readonly string[];
  /** Milliseconds for the whole flow. */
  readonly timeout?: number;
  /** What a failing step does: undo what came before, leave it, or go on with the next one. */
  readonly onFailure: "rollback" | "stop" | "continue";
  /** What is done about what somebody else changed meanwhile; default "stop": it is left alone and named. */
  readonly onConflict?: OnConflict;
  /** What is done when somebody else uses the desktop meanwhile; default: `usualPolicy` of the desktop. */
  readonly onInterference?: OnInterference;
  /** "full": every line of the journal is on the disk before what it announces; default "barriers". */
  readonly durability?: Durability;
  /** How a rollback is done; default "restore". "rebuild": what is not restored is replayed on a new private desktop. */
  readonly rollback?: "restore" | "rebuild";
  /** Without it, a run that fails is just that. */
  readonly expect?: Expectation;
  /** What it shares with other files: of two with the same lock, a test run does one at a time. */
  readonly locks?: readonly string[];
  /** What a test run skips it without. */
  readonly needs?: Needs;
  /** Why a test run is to skip it. */
  readonly skip?: string;
  /** Where one file of a test run says so, the files that do not are left out. */
  readonly only?: boolean;
  /** What reports say of it beside its result, by name: a ticket, an owner. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Prepare; not part of what a failure undoes. */
  readonly before: readonly Step[];
  /** What it is about. */
  readonly steps: readonly Step[];
  /** Always run, whatever happened. */
  readonly after: readonly Step[];
}
