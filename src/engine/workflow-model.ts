import type { Json, Place } from "../base/error.ts";
import type { Durability } from "./sink.ts";
import type { Step } from "./step.ts";

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
  /** Default "passed". */
  readonly status?: "passed" | "failed";
  /** Default: any. */
  readonly rollback?: "none" | "restored" | "rebuilt" | "drift" | "failed";
}

/** What the way back does about a conflict: leave it alone, ask a person (nobody there: leave it), or overwrite it. */
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
  /** By name; how a run gets their values is in `resolveVariables`. */
  readonly vars: Readonly<Record<string, Variable>>;
  /** Names of the values that are secret; each is the environment variable of its name unless `secretSources` says else. */
  readonly secrets: readonly string[];
  /** Where secrets come from that are not the environment variable of their name. */
  readonly secretSources?: Readonly<Record<string, SecretSource>>;
  /** Files and folders that a rollback puts back: in the desktop's HOME ("~/…") or below the project's folder. */
  readonly files: readonly string[];
  /** Milliseconds for the whole flow. */
  readonly timeout?: number;
  /** What a failing step does: take back what came before, leave it, or go on with the next one. */
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
  /** Prepare; not part of what a failure takes back. */
  readonly before: readonly Step[];
  /** What it is about. */
  readonly steps: readonly Step[];
  /** Always run, whatever happened. */
  readonly after: readonly Step[];
}
