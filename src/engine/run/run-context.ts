import type { StepResult } from "../../contract/events.ts";
import type { AuditPort, PolicyPort } from "../../contract/gate.ts";
import type { Observer } from "../evidence/observer.ts";
import type { Surroundings } from "../model/scope.ts";
import type { Step } from "../model/step.ts";
import type { RollbackContext } from "../rollback/rollback-context.ts";
import type { Memory } from "./earlier-steps.ts";
import type { Claims } from "./claims.ts";
import type { Guide } from "./guide.ts";
import type { Healing } from "./healing.ts";
import type { InputGuard } from "./interference.ts";
import type { SoftFailure } from "./soft-failure.ts";
import type { Standing } from "./standing.ts";

/** Runs steps one after another. Their paths are `<prefix><n>`, n from 1. */
export type Flow = (
  steps: readonly Step[],
  prefix: string,
  at: Omit<Standing, "path">,
  run: RunContext,
) => Promise<void>;

/** What came of the steps so far. */
export interface StepResults {
  /** Results of steps, in the order in which they ended. */
  readonly steps: StepResult[];
  /** Checks that failed and let the flow go on: it fails at its end. Shared by the parts of a run. */
  readonly soft: SoftFailure[];
  /** What a run that was cut off had done already: it is not done again. */
  readonly memory?: Memory;
}

/** Who watches the steps beside the engine, and may stop them. */
export interface Watchers {
  /** Notices input of others; undefined: nobody watches, as in a rollback. */
  readonly guard: InputGuard | undefined;
  /** Sees each step, where evidence is kept; shared by the parts of a run. */
  readonly observer?: Observer;
  /** Judges every act of the flow. */
  readonly admission: readonly PolicyPort[];
  /** Hears of every act of the flow. */
  readonly audit: AuditPort;
  /** Allows actions that cannot be undone. */
  readonly claims?: Claims;
  /** Keeps what locators find, and knows what one that finds nothing may have meant. */
  readonly healing?: Healing;
  /** Accompanies the flow of a run that can go back to its steps. */
  readonly guide?: Guide;
}

/** What every part of a run shares; what only needs a part of it takes that part. */
export interface RunContext extends RollbackContext, StepResults, Watchers {
  readonly observer?: Observer;
  readonly run: string;
  readonly surroundings: Surroundings;
  /** Steps are made of steps: loops, transactions and rollbacks run theirs by it. */
  readonly flow: Flow;
  /** Its steps are over: what is found otherwise from here on stops nothing. */
  readonly ending?: true;
}
