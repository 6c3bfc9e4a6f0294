import { Deadline } from "../../base/call.ts";
import { type Baselines, type Evidence, NO_BASELINES, NO_EVIDENCE } from "../../contract/baselines.ts";
import type { Elements } from "../../contract/elements.ts";
import type { RunEvent, RunListener } from "../../contract/events.ts";
import { type AuditPort, Gate, OPEN_PORTS, type PolicyPort } from "../../contract/gate.ts";
import type { Operation } from "../../contract/operation.ts";
import type { Participant } from "../../contract/participant.ts";
import type { VisionModel } from "../../contract/vision.ts";
import type { Session } from "../../session/session.ts";
import type { Observer } from "../evidence/observer.ts";
import type { Encryption } from "../journal/encryption.ts";
import type { Journal } from "../journal/journal.ts";
import { BUDGETS, type Budgets } from "../model/budgets.ts";
import type { Reporting } from "../model/reporting.ts";
import type { Surroundings } from "../model/scope.ts";
import type { OnConflict } from "../model/step.ts";
import { Unstable } from "../model/unstable.ts";
import type { AsLeft } from "../rollback/as-left.ts";
import { type AskConflict, conflictPolicy } from "../rollback/conflicts.ts";
import { FinalReads } from "../rollback/final-reads.ts";
import type { Mask } from "../secrets/mask.ts";
import type { Withheld } from "../secrets/withheld.ts";
import type { Claims } from "./claims.ts";
import type { Memory } from "./earlier-steps.ts";
import { flow } from "./flow.ts";
import type { Healing } from "./healing.ts";
import type { InputGuard } from "./interference.ts";
import type { RunContext } from "./run-context.ts";

/** What a run, or a rollback, is made of. */
export interface ContextParts {
  readonly run: string;
  readonly session: Session;
  readonly operations: Iterable<Operation>;
  readonly folder: string;
  readonly journal: Journal;
  readonly encryption: Encryption;
  /** Default: none, as in a rollback. */
  readonly baselines?: Baselines | undefined;
  /** Where checks keep what they saw; default: nowhere. */
  readonly evidence?: Evidence | undefined;
  readonly mask: Mask;
  /** The same secrets, in a mask that learns nothing. */
  readonly encryptionMask: Mask;
  readonly withheld: Withheld;
  readonly surroundings: Surroundings;
  readonly emit: (event: RunEvent) => void;
  readonly policy: OnConflict;
  readonly askConflict?: AskConflict | undefined;
  readonly budgets?: Partial<Budgets> | undefined;
  readonly declare?: () => Promise<readonly Participant[]>;
  readonly way?: "restore" | "rebuild";
  /** Milliseconds for the flow. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly hardStop?: AbortSignal | undefined;
  readonly memory?: Memory | undefined;
  readonly guard?: InputGuard | undefined;
  readonly observer?: Observer | undefined;
  /** Default: none, as in a rollback. */
  readonly asLeft?: AsLeft | undefined;
  /** Judges every act of the flow beside the engine itself. */
  readonly admission?: readonly PolicyPort[] | undefined;
  /** Hears of every act of the flow. */
  readonly audit?: AuditPort | undefined;
  /** Allows actions that cannot be undone; default: all are, as in a rollback. */
  readonly claims?: Claims | undefined;
  readonly healing?: Healing | undefined;
  readonly elements?: Elements | undefined;
  readonly vision?: VisionModel | undefined;
  readonly showsSecret?: (() => Promise<boolean>) | undefined;
}

/** What every part of a run shares. */
export async function makeContext(parts: ContextParts): Promise<RunContext> {
  const { run, session, operations, folder, journal, encryption, mask, surroundings, emit, memory } = parts;
  const budgets = { ...BUDGETS, ...parts.budgets };
  const conflict = conflictPolicy(parts.policy, parts.askConflict);
  const declare = parts.declare ?? (() => Promise.resolve([]));
  return {
    run,
    session,
    gate: new Gate({
      operations,
      session,
      folder,
      ports: OPEN_PORTS,
      baselines: parts.baselines ?? NO_BASELINES,
      evidence: parts.evidence ?? NO_EVIDENCE,
      ...(parts.elements ? { elements: parts.elements } : {}),
      ...(parts.vision ? { vision: parts.vision } : {}),
      ...(parts.showsSecret ? { showsSecret: parts.showsSecret } : {}),
    }),
    journal,
    encryption,
    mask,
    encryptionMask: parts.encryptionMask,
    withheld: parts.withheld,
    surroundings,
    flow,
    budgets,
    always: [...await declare()],
    declare,
    history: [],
    way: parts.way ?? "restore",
    late: new Map(),
    unstable: new Unstable(),
    conflict: (question) => conflict(mask.apply(question)),
    guard: parts.guard,
    deadline: Deadline.after(parts.timeout ?? budgets.flow, parts.signal),
    hardStop: parts.hardStop,
    emit,
    steps: [],
    rollbacks: [],
    doubts: new Set(),
    soft: [],
    finalReads: new FinalReads(),
    asLeft: parts.asLeft,
    admission: parts.admission ?? [],
    audit: parts.audit ?? OPEN_PORTS.audit,
    ...(parts.observer ? { observer: parts.observer } : {}),
    ...(parts.claims ? { claims: parts.claims } : {}),
    ...(parts.healing ? { healing: parts.healing } : {}),
    ...(memory ? { memory } : {}),
  };
}

/** Tells a listener what happens. */
export interface Listening extends Reporting {
  /** Throws what the listener threw, if it did. */
  throwIfBroken(): void;
}

/** Tells a listener, masked. One that throws is told no more, and its error waits until the desktop is in order. */
export function listening(listener: RunListener | undefined, mask: Mask): Listening {
  let broken: { readonly thrown: unknown } | undefined;
  return {
    emit(event: RunEvent): void {
      if (!listener || broken) return;
      try {
        listener(mask.apply(event));
      } catch (thrown) {
        broken = { thrown };
      }
    },
    throwIfBroken(): void {
      if (broken) throw broken.thrown;
    },
  };
}
