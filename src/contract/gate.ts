import { Deadline } from "../base/call.ts";
import { BackstepError, toBackstepError } from "../base/error.ts";
import { closest } from "../base/closest.ts";
import { defined } from "../base/defined.ts";
import type { Application } from "../desktop/desktop.ts";
import type { Sent } from "../desktop/sent.ts";
import { reachManager } from "../session/reach-manager.ts";
import type { Session } from "../session/session.ts";
import { type Baselines, type Evidence, NO_BASELINES, NO_EVIDENCE } from "./baselines.ts";
import type { Elements } from "./elements.ts";
import type { VisionModel } from "./vision.ts";
import type { ActResult, Context, Invocation, Operation, Resolved } from "./operation.ts";
import type { Act, GatePorts } from "./ports.ts";
import { RecordingDesktop } from "./recording-desktop.ts";
import { mayLookAgain, requireSame, type Tried, UsedElements, withLooks } from "./look-again.ts";
import type { Trait, Traits } from "./traits.ts";

export {
  type Act,
  type ActOutcome,
  type AuditPort,
  type ClaimPort,
  type GatePorts,
  type JournalPort,
  OPEN_PORTS,
  type PolicyPort,
  type Terms,
  type Undoing,
} from "./ports.ts";

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
  /** Does anything on the desktop show a secret? Default: nobody knows of any. */
  readonly showsSecret?: () => Promise<boolean>;
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
  readonly #showsSecret: (() => Promise<boolean>) | undefined;
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
    this.#showsSecret = options.showsSecret;
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
      ...(this.#showsSecret ? { showsSecret: this.#showsSecret } : {}),
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
    const elements = this.#elements && new UsedElements(this.#elements);
    const context: Context = {
      session: this.#session,
      desktop: this.#session.desktop,
      manager: reachManager(this.#session),
      deadline,
      app: options.app,
      folder: this.#folder,
      baselines: this.#baselines,
      evidence: this.#evidence,
      ...(elements ? { elements } : {}),
      ...(this.#vision ? { vision: this.#vision } : {}),
      ...(this.#showsSecret ? { showsSecret: this.#showsSecret } : {}),
      ...(this.#held ? { held: this.#held } : {}),
      progress: options.progress ?? (() => {}),
    };
    deadline.check(call.operation);
    const resolved = await prepared.resolve(context);
    return { operation, input: prepared.input, resolved, context, byReference: elements?.used ?? false };
  }

  /**
   * Does it. An element that goes before anything is sent is looked for again, judged again and acted on then, until the
   * time of the action is over. Rejects with the error of the act, after the journal and the audit heard of it.
   */
  async dispatch(call: Invocation, options: DispatchOptions = {}): Promise<Dispatched> {
    const all = Deadline.after(options.timeout ?? Infinity, options.signal);
    let act = await this.#begin(await this.look(call, options), all, options);
    let tried = await this.#act(act);
    const until = act.context.deadline;
    for (let looks = 1; mayLookAgain(act, tried, until); looks++) {
      const { outcome: gone } = tried;
      try {
        const seen = await this.look(call, { ...options, timeout: until.remaining() });
        requireSame(act, seen);
        act = await this.#begin(seen, all, options, act);
        tried = withLooks(await this.#act(act), gone, looks);
      } catch (thrown) {
        const outcome = { ok: false, error: toBackstepError(thrown), began: false } as const;
        tried = withLooks({ outcome, untouched: true }, gone, looks);
        break;
      }
    }
    const { outcome } = tried;
    try {
      await this.#ports.journal.outcome(act, outcome);
    } finally {
      await this.#ports.audit.record(act, outcome);
    }
    if (!outcome.ok) throw outcome.error;
    const { output, inverse, shown } = outcome;
    return { output, inverse, shown, resolved: act.resolved };
  }

  /** Has it judged and entered; what that took is not the action's time. */
  async #begin(seen: Act, all: Deadline, { budget }: DispatchOptions, before?: Act): Promise<Act> {
    let within = Infinity;
    for (const port of this.#ports.policy) {
      const terms = await port.admit(seen, before);
      within = Math.min(within, terms?.within ?? Infinity);
    }
    await this.#ports.journal.intent(seen, before);
    const deadline = all.within(Math.min(within, budget?.act ?? seen.operation.timeout));
    return { ...seen, context: { ...seen.context, deadline } };
  }

  async #act(act: Act): Promise<Tried> {
    const judges = this.#ports.policy.flatMap((port) =>
      port.send ? [(sent: Sent) => port.send?.(sent, act) ?? Promise.resolve()] : []
    );
    const recording = new RecordingDesktop(act.context.desktop, this.#ports.observer, judges);
    try {
      mayStillBegin(act);
      if (this.#ports.claim) {
        await this.#ports.claim.claim(act);
        // That took its time, too.
        mayStillBegin(act);
      }
      const manager = recording.manager(act.context.manager);
      const done = await act.resolved.act({ ...act.context, desktop: recording.desktop, manager });
      return { outcome: { ok: true, ...done }, untouched: false };
    } catch (thrown) {
      const error = toBackstepError(thrown);
      const { began, untouched } = recording;
      const before = untouched && act.resolved.elements.length > 0;
      const said = began ? asBegun(error) : before ? asNotSent(error) : error;
      return { outcome: { ok: false, error: said, began }, untouched };
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

/** What is acted on by the desktop alone was not acted on where it was stopped, or its time was over, before anything was sent. */
function asNotSent(error: BackstepError): BackstepError {
  const { code, message, cause, hint, place, details } = error;
  if ((code !== "cancelled" && code !== "timeout") || details?.outcome !== undefined) return error;
  return new BackstepError(code, message, {
    ...defined({ cause, hint, place }),
    details: { ...details, outcome: "not_sent" },
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
