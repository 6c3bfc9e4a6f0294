import { Deadline } from "../base/call.ts";
import { BackstepError, toBackstepError } from "../base/error.ts";
import { closest } from "../base/closest.ts";
import { defined } from "../base/defined.ts";
import type { Application, Desktop } from "../desktop/desktop.ts";
import type { Sent } from "../desktop/sent.ts";
import type { Session } from "../session/session.ts";
import { type Baselines, type Evidence, NO_BASELINES, NO_EVIDENCE } from "./baselines.ts";
import type { Elements } from "./elements.ts";
import type { VisionModel } from "./vision.ts";
import type { ActResult, Context, Invocation, Operation, Resolved } from "./operation.ts";
import type { Trait, Traits } from "./traits.ts";
import { type ObserverPort, RecordingDesktop } from "./recording-desktop.ts";

/** An act on its way through the gate: everything that is known before the action. */
export interface Act {
  /** What is called. */
  readonly operation: Operation;
  /** The input as its schema left it. */
  readonly input: unknown;
  /** What it acts on, and what that would need to be undone. */
  readonly resolved: Resolved;
  /** The desktop, the application meant, and the time there is. */
  readonly context: Context;
}

/** What became of an act. */
export type ActOutcome =
  | { readonly ok: true } & ActResult
  /** `began`: some of it was accepted by the platform, or may have landed, whatever the error says of the rest. */
  | { readonly ok: false; readonly error: BackstepError; readonly began: boolean };

/** On what terms an act may happen. */
export interface Terms {
  /** Milliseconds that the action may take, where that is less than it may anyway. */
  readonly within?: number;
}

/** Says whether an act may happen: throws `policy`, `barrier` or `limit` when it may not. */
export interface PolicyPort {
  /** Called once the target is known, before anything is written or done. */
  admit(act: Act): void | Terms | Promise<void | Terms>;
  /**
   * Called right before each call to the desktop that the act makes and that changes something, whichever helper makes it:
   * throws where it may not be sent. Of a click, the pointer is there already.
   */
  send?(sent: Sent, act: Act): Promise<void>;
  /**
   * Called before somebody's earlier acts are rolled back at their word: throws where that may not be, and answers who judges
   * each call that it makes. A rollback after a failure is no act of anybody, and is not judged.
   */
  undo?(undoing: Undoing): Promise<(sent: Sent) => Promise<void>>;
}

/** Earlier acts that are to be undone. */
export interface Undoing {
  /** What was done, and what is restored, in words: 'checkbox "Delete history"', "quit gedit". */
  readonly words: readonly string[];
  /** Where it is done. */
  readonly desktop: Desktop;
  /** By when it must be over. */
  readonly deadline: Deadline;
}

/** Hears of every act before it is done and after: the engine captures here, and writes its journal. */
export interface JournalPort {
  intent(act: Act): Promise<void>;
  outcome(act: Act, outcome: ActOutcome): Promise<void>;
}

/** Writes down who did what. */
export interface AuditPort {
  /** Called after each act, also one that failed. */
  record(act: Act, outcome: ActOutcome): void | Promise<void>;
}

/** What stands around every act. */
export interface GatePorts {
  readonly policy: readonly PolicyPort[];
  readonly journal: JournalPort;
  readonly audit: AuditPort;
  /** Looks on while the action is done. */
  readonly observer?: ObserverPort;
}

/** What a dispatch may be given beside the call. */
export interface DispatchOptions {
  /** Milliseconds for all of it; default: `budget`, or what the operation says, for looking and for the action each. */
  readonly timeout?: number;
  /** Milliseconds for finding what it acts on, and for the action: what one spends is not taken from the other. */
  readonly budget?: { readonly resolve?: number | undefined; readonly act?: number | undefined };
  readonly signal?: AbortSignal;
  /** The application meant when the input names none. */
  readonly app?: string;
  readonly progress?: (message: string) => void;
}

/** The answer of a dispatch that did not fail. */
export interface Dispatched extends ActResult {
  readonly resolved: Resolved;
}

/** What a gate is made of. */
export interface GateOptions {
  /** What can be called. */
  readonly operations: Iterable<Operation>;
  /** Stays open: whoever opened it closes it. */
  readonly session: Session;
  /** The folder that paths in inputs are confined to. */
  readonly folder: string;
  /** What stands around every act. */
  readonly ports: GatePorts;
  /** Default: none, and none can be made. */
  readonly baselines?: Baselines;
  /** Default: nothing is kept. */
  readonly evidence?: Evidence;
  /** Default: what is found has no references. */
  readonly elements?: Elements;
  /** Default: every application is looked for. */
  readonly held?: (name: string) => Application | undefined;
  /** Default: pictures are looked at by what the environment has set up. */
  readonly vision?: VisionModel;
}

/**
 * The one way to a desktop. Every act, from whatever interface, goes: validate, resolve, judge, policy, intent, act,
 * outcome, audit. Nothing else calls an operation's action.
 */
export class Gate {
  #operations: ReadonlyMap<string, Operation>;
  readonly #session: Session;
  readonly #folder: string;
  readonly #ports: GatePorts;
  readonly #baselines: Baselines;
  readonly #evidence: Evidence;
  readonly #elements: Elements | undefined;
  readonly #vision: VisionModel | undefined;
  readonly #held: GateOptions["held"];

  constructor(options: GateOptions) {
    this.#operations = new Map([...options.operations].map((o) => [o.name, o]));
    this.#session = options.session;
    this.#folder = options.folder;
    this.#ports = options.ports;
    this.#baselines = options.baselines ?? NO_BASELINES;
    this.#evidence = options.evidence ?? NO_EVIDENCE;
    this.#elements = options.elements;
    this.#vision = options.vision;
    this.#held = options.held;
  }

  /** The same gate with other ports around it, for one step of a run. */
  with(ports: GatePorts): Gate {
    const gate = new Gate({
      operations: [],
      session: this.#session,
      folder: this.#folder,
      ports,
      baselines: this.#baselines,
      evidence: this.#evidence,
      ...(this.#elements ? { elements: this.#elements } : {}),
      ...(this.#vision ? { vision: this.#vision } : {}),
      ...(this.#held ? { held: this.#held } : {}),
    });
    gate.#operations = this.#operations;
    return gate;
  }

  /** The operation of this name, or `invalid` with the nearest names. */
  operation(name: string): Operation {
    const operation = this.#operations.get(name);
    if (operation) return operation;
    const near = closest(name, this.#operations.keys());
    throw new BackstepError("invalid", `Cannot ${name}: there is no such operation`, {
      ...(near.length > 0 ? { hint: `Did you mean ${near.join(" or ")}?` } : {}),
      details: { operation: name, near },
    });
  }

  /** What sets an operation apart; {} for one that only another version knows: a journal may name it. */
  traitsOf(name: string): Traits {
    return this.#operations.get(name)?.traits ?? {};
  }

  /** The first operation that has a trait; `invalid` where none has. */
  operationWith(trait: Trait): Operation {
    for (const operation of this.#operations.values()) if (operation.traits[trait]) return operation;
    throw new BackstepError("invalid", `Cannot find an operation with the trait ${trait}: there is none`);
  }

  /** Looks only: validates, finds the target, judges the effect. For plans. */
  async look(call: Invocation, options: DispatchOptions = {}): Promise<Act> {
    const operation = this.operation(call.operation);
    const prepared = operation.parse(call.input);
    const limit = options.budget?.resolve ?? operation.timeout;
    const deadline = Deadline.after(Math.min(options.timeout ?? Infinity, limit), options.signal);
    const context: Context = {
      session: this.#session,
      desktop: this.#session.desktop,
      deadline,
      app: options.app,
      folder: this.#folder,
      baselines: this.#baselines,
      evidence: this.#evidence,
      ...(this.#elements ? { elements: this.#elements } : {}),
      ...(this.#vision ? { vision: this.#vision } : {}),
      ...(this.#held ? { held: this.#held } : {}),
      progress: options.progress ?? (() => {}),
    };
    deadline.check(call.operation);
    const resolved = await prepared.resolve(context);
    return { operation, input: prepared.input, resolved, context };
  }

  /** Does it. Rejects with the error of the act, after the journal and the audit heard of it. */
  async dispatch(call: Invocation, options: DispatchOptions = {}): Promise<Dispatched> {
    const all = Deadline.after(options.timeout ?? Infinity, options.signal);
    const seen = await this.look(call, options);
    let within = Infinity;
    for (const port of this.#ports.policy) {
      const terms = await port.admit(seen);
      within = Math.min(within, terms?.within ?? Infinity);
    }
    await this.#ports.journal.intent(seen);
    // What looking and capturing took is not the action's.
    const deadline = all.within(Math.min(within, options.budget?.act ?? seen.operation.timeout));
    const act = { ...seen, context: { ...seen.context, deadline } };
    const outcome = await this.#act(act);
    try {
      await this.#ports.journal.outcome(act, outcome);
    } finally {
      await this.#ports.audit.record(act, outcome);
    }
    if (!outcome.ok) throw outcome.error;
    const { output, inverse, shown } = outcome;
    return { output, inverse, shown, resolved: act.resolved };
  }

  async #act(act: Act): Promise<ActOutcome> {
    const judges = this.#ports.policy.flatMap((port) =>
      port.send ? [(sent: Sent) => port.send?.(sent, act) ?? Promise.resolve()] : []
    );
    const recording = new RecordingDesktop(act.context.desktop, this.#ports.observer, judges);
    try {
      mayStillBegin(act);
      return { ok: true, ...await act.resolved.act({ ...act.context, desktop: recording.desktop }) };
    } catch (thrown) {
      const error = toBackstepError(thrown);
      return { ok: false, error: recording.began ? asBegun(error) : error, began: recording.began };
    }
  }
}

/** What was not sent is one call of many: of the whole action nobody can say so once it has begun. */
function asBegun(error: BackstepError): BackstepError {
  if (error.details?.outcome !== "not_sent") return error;
  const { code, message, cause, hint, place } = error;
  return new BackstepError(code, message, {
    cause: cause ?? error,
    ...defined({ hint, place }),
    details: { ...error.details, outcome: "unknown" },
  });
}

/** Looking and capturing took their time: what is over before the action begins was not sent, and is known not to be. */
function mayStillBegin({ operation, context: { deadline } }: Act): void {
  const details = { outcome: "not_sent" };
  if (deadline.signal?.aborted) {
    const cause = deadline.signal.reason;
    throw new BackstepError("cancelled", `Cannot ${operation.name}: it was cancelled`, { cause, details });
  }
  if (deadline.passed) {
    throw new BackstepError("timeout", `Cannot ${operation.name}: its time was over before it began`, {
      hint: "Give it a longer `timeout`.",
      details,
    });
  }
}

/** Ports that let everything pass and write nothing: for one-shot commands, which have nothing to undo. */
export const OPEN_PORTS: GatePorts = {
  policy: [],
  journal: { intent: () => Promise.resolve(), outcome: () => Promise.resolve() },
  audit: { record: () => {} },
};
