import type { Json } from "../../base/error.ts";
import type { UpdateMode } from "../../contract/baselines.ts";
import type { Elements } from "../../contract/elements.ts";
import type { RunListener } from "../../contract/events.ts";
import type { AuditPort, PolicyPort } from "../../contract/gate.ts";
import type { Operation } from "../../contract/operation.ts";
import type { VisionModel } from "../../contract/vision.ts";
import type { Session } from "../../session/session.ts";
import type { EvidenceMode } from "../evidence/mode.ts";
import { Encryption } from "../journal/encryption.ts";
import { Journal } from "../journal/journal.ts";
import type { Sink } from "../journal/sink.ts";
import type { Budgets } from "../model/budgets.ts";
import type { Durability } from "../model/durability.ts";
import type { Surroundings } from "../model/scope.ts";
import type { OnConflict, OnInterference } from "../model/step.ts";
import type { AcceptedPlan } from "../plan/plan.ts";
import type { AskConflict } from "../rollback/conflicts.ts";
import type { Claims } from "./claims.ts";
import type { Memory } from "./earlier-steps.ts";
import type { Healing } from "./healing.ts";

/** What a run is given. */
export interface RunOptions {
  /** The catalogue: the same that the workflow was parsed with. */
  readonly operations: Iterable<Operation>;
  /** Stays open: whoever opened it closes it. */
  readonly session: Session;
  /** Values of the file's variables, complete and typed. */
  readonly vars: Readonly<Record<string, Json>>;
  /** Where environment variables and secrets come from. */
  readonly surroundings: Surroundings;
  /** The folder that paths are confined to. */
  readonly folder: string;
  /** Default: `stateFolder()`. */
  readonly state?: string;
  /** Default: a new one. */
  readonly run?: string;
  /** Ended runs that are kept in the state folder when this one begins; default `KEPT_RUNS`. */
  readonly keptRuns?: number;
  /** What each part of it may take; default `BUDGETS`. */
  readonly budgets?: Partial<Budgets>;
  /** What is done about what somebody else changed meanwhile; default: what the file says, else "stop". */
  readonly onConflict?: OnConflict;
  /** Asks a person, for `ask`; without one that is "stop". */
  readonly askConflict?: AskConflict;
  /** The plan that was accepted: the run is refused, before its first step, when the desktop or the file is otherwise now. */
  readonly plan?: AcceptedPlan;
  /** When baselines are written; default: `usualUpdateMode` of the environment. */
  readonly updateBaselines?: UpdateMode;
  /** What is done when somebody else uses keyboard or pointer; default: what the file says, else `usualPolicy` of the desktop. */
  readonly onInterference?: OnInterference;
  /** When pictures and trees of each step are kept; default "off". A run that is resumed keeps none. */
  readonly evidence?: EvidenceMode;
  /** Which journal lines are waited for until they are on the disk; default: what the file says, else "barriers". */
  readonly durability?: Durability;
  /** Judges every act of the flow beside the engine itself: an interface's security policy. */
  readonly admission?: readonly PolicyPort[];
  /** Hears of every act of the flow: an interface's audit log. */
  readonly audit?: AuditPort;
  /** References to elements that live across the calls of an interface. */
  readonly elements?: Elements;
  /** Finds in pictures what is described; default: what the environment has set up. */
  readonly vision?: VisionModel;
  /** Told every event in order, secrets masked. One that throws is told no more, and its error is thrown at the end. */
  readonly listener?: RunListener;
  /** Fires: stop, and undo. */
  readonly signal?: AbortSignal;
  /** Fires: stop undoing too; the journal stays open. */
  readonly hardStop?: AbortSignal;
}

/** A run that was cut off, as `recover` hands it on. Its lock is held by whoever does. */
export interface Resumed {
  readonly journal: Journal;
  readonly encryption: Encryption;
  readonly memory: Memory;
}

/** What only commands, `recover` and experiments hand to a run. */
export interface Inside {
  /** Allows each action that cannot be undone, once among all processes; default: nobody else has this run. */
  readonly claims?: Claims;
  /** Keeps what locators find, and knows what one that finds nothing may have meant; default: nobody does. */
  readonly healing?: Healing;
  /** How its journal reaches the disk; default `DISK`. */
  readonly sink?: Sink;
  /** What a run that was cut off had done: it goes on where that ended, in the same journal. */
  readonly resumed?: Resumed;
}
