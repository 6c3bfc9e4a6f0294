import type { ErrorJson, Json } from "../base/error.ts";
import type { DesktopKind, ForeignInput, Rect } from "../desktop/desktop.ts";
import type { Effect } from "./effect.ts";
import type { Difference } from "./participant.ts";

/** What became of a step. `optional` steps that failed are `skipped`, with their error. */
export type StepStatus = "passed" | "failed" | "skipped";

/** Whether one participant, or one step, came back. */
export type StepVerdict =
  | "restored" // written back, and read back equal
  | "already" // it was as before, nothing was written
  | "gone" // it went with its window, dialog or menu by a later step, which decides
  | "rebuilt" // it stands on a new desktop that was replayed to the savepoint
  | "compensated" // the opposite action was done and succeeded
  | "conflict" // somebody else changed it in between: left alone
  | "unrestorable" // it cannot be restored (a password, a barrier)
  | "unknown" // it did not answer
  | "failed"; // the rollback was tried and did not work

/** The whole rollback. */
export type RollbackVerdict =
  | "none" // there was nothing to undo
  | "restored" // every protected property was read back equal to the savepoint
  | "rebuilt" // the private desktop was replaced and replayed to the savepoint, and reads as there
  | "drift" // something differs or stays, each by name
  | "failed"; // a write failed, or something did not answer

/** What somebody else did with keyboard and pointer during a run, counted; which keys is never known. */
export interface InterferenceResult extends ForeignInput {
  /** What the run did about it: waited, ended, or nothing. */
  readonly policy: "pause" | "abort" | "ignore";
  /** Waited in all, in milliseconds. */
  readonly paused_ms: number;
}

/** A step in a run's result. */
export interface StepResult {
  /** "2", "2.1", "before.1", "4.then.1", "5[2].1": positions count from 1. */
  readonly path: string;
  /** Its `id:`. */
  readonly id?: string;
  /** For people: the step's own, or the operation with what it acted on. */
  readonly name: string;
  /** Its neutral name, "set-value"; of steps that hold others their kind, "transaction". */
  readonly operation: string;
  /** What undoing it would need, as judged before the action; "read" when it was never reached. */
  readonly effect: Effect;
  /** What became of it. */
  readonly status: StepStatus;
  /** All tries together, in milliseconds. */
  readonly duration_ms: number;
  /** Tries, when there was more than one. */
  readonly attempts?: number;
  /** What the operation answered; absent when it failed or was skipped. */
  readonly output?: Json;
  /** Why it failed, or failed and was skipped as optional. */
  readonly error?: ErrorJson;
  /** Somebody else used keyboard or pointer while it was done: what it left may be theirs. */
  readonly interference?: ForeignInput;
  /** It failed and the flow went on: the run fails at its end. */
  readonly soft?: true;
}

/**
 * One look at the desktop: a picture and the trees of what runs there, by number. `readEvidence` opens them once the run is
 * over, where they were kept.
 */
export interface StepLook {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** Number of the picture; the same number: nothing was drawn in between. */
  readonly picture?: number;
  /** Number of the trees, as lines. */
  readonly tree?: number;
  /** Where the picture's corner lies on the screen; absent: in its corner. */
  readonly corner?: { readonly x: number; readonly y: number };
  /** Pixels of the picture for each unit of the screen's places, which macOS tells in points; absent: 1. */
  readonly scale?: number;
  /** What of the screen is black in the picture: fields that received a secret, and password fields. Places of the screen. */
  readonly hidden?: readonly Rect[];
  /** Why there is no picture, or no tree. */
  readonly missing?: string;
}

/** What was seen of a step. */
export interface StepEvidence {
  /** Before anything of it was done. */
  readonly before?: StepLook;
  /** Just before its action reached the application; absent when none did. */
  readonly action?: StepLook;
  /** When it was over, and the desktop quiet. */
  readonly after?: StepLook;
  /** Where it acted, in pixels of its pictures: elements, and places of the pointer as points without a size. */
  readonly marks?: readonly Rect[];
  /** Line of the tree of `action` that is the element acted on, from 0. */
  readonly line?: number;
}

/** One step, or one participant of a step, on rollback. */
export interface RollbackStep {
  /** Path of the step that is rolled back. */
  readonly path: string;
  /** What became of it. */
  readonly verdict: StepVerdict;
  /** What was restored, for people: `text of textfield "Name"`. */
  readonly what: string;
  /** How it was restored: "setText", "undo"…; absent when nothing was done. */
  readonly method?: string;
  /** Why it could not be restored. */
  readonly reason?: string;
  /** Best effort (the focus): reported, and never part of the verdict. */
  readonly incidental?: true;
  /** Somebody else changed it in between: what was found, what the step had left, and what was there before. */
  readonly conflict?: Conflict;
}

/** A property that somebody changed after the step did. */
export interface Conflict {
  /** "text", "checked"… */
  readonly property: string;
  /** As it was found on rollback. */
  readonly found: Json;
  /** As the step left it. */
  readonly left: Json;
  /** As it was before the step: what would be written. */
  readonly was: Json;
}

/** What was protected, and how it stands after the rollback. */
export interface Enrolled {
  /** "text", "toggle", "clipboard"… */
  readonly kind: string;
  /** For people: `text of textfield "Name"`. */
  readonly label: string;
  /** What of it is protected: "text", "checked"… */
  readonly properties: readonly string[];
  /** How it stands. */
  readonly verdict: StepVerdict;
}

/** The rollback as a result. */
export interface RollbackResult {
  /** The gravest of all steps'. */
  readonly verdict: RollbackVerdict;
  /** In the order in which they were rolled back: last first. */
  readonly steps: readonly RollbackStep[];
  /** Each property that is not as it was. */
  readonly drift: readonly Difference[];
  /** Everything that was protected, with how it stands. */
  readonly enrolled: readonly Enrolled[];
  /** The irreversible step that the rollback ended at; absent when it went all the way. */
  readonly barrier?: { readonly path: string; readonly name: string };
  /**
   * What else of the application is not as it was at the savepoint, element by element: nobody had enrolled it, or only a step that
   * found it changed already, so that it is no part of the verdict. Taken of transactions; absent when nothing differs.
   */
  readonly beside?: readonly Difference[];
}

/** What no longer reads as the run left it, although no action of the run came in between that may have changed it. */
export interface ChangedAfterwards extends Difference {
  /** Path of the step that left it so, or of what was rolled back: "" is the file. */
  readonly path: string;
}

/** What a run printed as JSON is. */
export interface RunResult {
  /** Its id, "20261120-233000-k3f9c1", which also names its folder. */
  readonly run: string;
  /** The workflow's name. */
  readonly workflow: string;
  /** Where it ran. */
  readonly desktop: { readonly kind: DesktopKind; readonly label: string };
  /** "cancelled": interrupted from outside. */
  readonly status: "passed" | "failed" | "cancelled";
  /** 0 passed, 1 failed and rolled back, 2 usage, 3 drift, 4 in doubt, 130 interrupted. */
  readonly exit: number;
  /** From the start to the end of `after:`, in milliseconds. */
  readonly duration_ms: number;
  /** In the order in which they ended, those of `before` and `after` too. */
  readonly steps: readonly StepResult[];
  /** All rollbacks of the run as one. */
  readonly rollback: RollbackResult;
  /** Elements that change by themselves (clocks, spinners), as far as that was learnt: never compared beside what is enrolled. */
  readonly unstable: readonly string[];
  /**
   * What changed after it was read as it should be: at the last read of a rollback, a second after its last write (the drift
   * names it too), and at the end of a run that passed. Absent when nothing did.
   */
  readonly changed_afterwards?: readonly ChangedAfterwards[];
  /** Somebody else used keyboard or pointer; absent when nobody did, or nobody watched. */
  readonly interference?: InterferenceResult;
  /** Why it failed: the first error. */
  readonly error?: ErrorJson;
  /** It ended in a `reject:` step, with this reason: a business error, which a retry does not help. Its status is "failed". */
  readonly rejected?: string;
  /** Whether the outcome is what the file's `expect:` said; absent without one. */
  readonly expected?: boolean;
}

/** How an interactive run went back to before one of its steps. */
export interface WentBack {
  /** The step that is next now. */
  readonly path: string;
  /**
   * "none": nothing had been done since. "restored": rolled back, and read back equal. "rebuilt": the private desktop was
   * replaced and the steps before were run again, and it reads as it did there.
   */
  readonly verdict: "none" | "restored" | "rebuilt";
  /** Why it was rebuilt and not rolled back. */
  readonly why?: string;
  /** What was undone, in milliseconds from the call to the verdict. */
  readonly duration_ms: number;
  /** Actions that were undone. */
  readonly actions: number;
  /** What a new desktop says otherwise of what is selected or expanded; absent: nothing. */
  readonly beside?: readonly Difference[];
}

/** Everything that a run tells while it goes, in order. Reports are made of nothing else. */
export type RunEvent =
  | {
    readonly event: "run-started";
    readonly run: string;
    readonly workflow: string;
    readonly file: string;
    readonly desktop: { readonly kind: DesktopKind; readonly label: string };
  }
  | {
    readonly event: "step-started";
    readonly path: string;
    readonly name: string;
    readonly operation: string;
  }
  | { readonly event: "step-progress"; readonly path: string; readonly message: string }
  | {
    readonly event: "step-retried";
    readonly path: string;
    readonly attempt: number;
    readonly error: ErrorJson;
  }
  | {
    readonly event: "step-finished";
    readonly step: StepResult;
    /** What was seen of it by then, where evidence is kept; all of it is in `readEvidence`. */
    readonly evidence?: StepEvidence;
  }
  | { readonly event: "transaction-started"; readonly path: string; readonly name: string }
  | {
    readonly event: "transaction-finished";
    readonly path: string;
    readonly name: string;
    readonly committed: boolean;
  }
  | { readonly event: "savepoint"; readonly path: string; readonly name: string }
  | {
    readonly event: "rollback-started";
    readonly path: string;
    /** What failed; absent where the file says `rollback_to:`. */
    readonly reason?: ErrorJson;
    /** The savepoint that the file names. */
    readonly savepoint?: string;
  }
  | { readonly event: "rollback-step"; readonly step: RollbackStep }
  | {
    readonly event: "rollback-finished";
    readonly path: string;
    readonly rollback: RollbackResult;
    /** What the desktop looked like then, where evidence is kept. */
    readonly after?: StepLook;
  }
  | {
    /** After `rollback-finished`, or at the end of a run that passed: what no longer reads as it was left. */
    readonly event: "changed-afterwards";
    /** What was rolled back; "" is the file. */
    readonly path: string;
    /** What the rollback's verdict is now; absent: nothing was rolled back. */
    readonly verdict?: RollbackVerdict;
    readonly changed: readonly ChangedAfterwards[];
  }
  | {
    /** An interactive run stands before a step. */
    readonly event: "paused";
    readonly path: string;
    readonly name: string;
    readonly operation: string;
    /** "failed": the step failed, and what it left stands. */
    readonly why: "until" | "pause" | "stopped" | "failed";
  }
  | ({ readonly event: "went-back" } & WentBack)
  | {
    /** The private desktop is replaced, and the steps before this one are run again; then comes `went-back`. */
    readonly event: "rebuilding";
    readonly path: string;
    readonly why: string;
  }
  | { readonly event: "note"; readonly level: "info" | "warning"; readonly message: string }
  | { readonly event: "run-finished"; readonly result: RunResult };

/** Where a run tells its events. */
export type RunListener = (event: RunEvent) => void;
