import { type Call, cancelled } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Binding, Bytes } from "./binding.ts";
import { doing, type OpNumber } from "./op.ts";
import type { Completion, Notice } from "./records.ts";
import { Status, statusError } from "./status.ts";

/** Milliseconds a call may take when it does not say. */
export const DEFAULT_TIMEOUT = 10_000;
/** The longest deadline the core takes, in milliseconds. */
const MOST_TIMEOUT = 600_000;
/** How long past its deadline a ticket may stay silent before the core itself is held to be stuck. */
const GRACE = 2_000;

/** What a session needs of the core that opened it. */
export interface SessionOwner {
  /** Resolves when everything the core had to say by now was delivered. */
  drained(): Promise<void>;
  released(session: CoreSession): Promise<void>;
  /** Whoever measures; undefined: nobody does. */
  observer(): CallObserver | undefined;
}

/** A call of the core, as who measures is told of it. */
export interface ObservedCall {
  readonly op: OpNumber;
  readonly request: Bytes;
}

/** Told when a call is submitted; what it answers is told when that call is over, with its reply unless it failed. */
export type CallObserver = (call: ObservedCall) => (reply: Bytes | undefined) => void;

/** How a call is made. */
export interface CoreCall extends Call {
  /** Memory that nobody looks at any more: the reply is put there, where it is large enough. */
  readonly into?: ArrayBuffer;
}

interface Pending {
  readonly what: string;
  readonly into: ArrayBuffer | undefined;
  /** Milliseconds of `performance.now()`. */
  readonly overdue: number;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: () => void;
  readonly over: ((reply: Bytes | undefined) => void) | undefined;
  readonly resolve: (reply: Bytes) => void;
  readonly reject: (error: BackstepError) => void;
}

/** One session of the native core: many calls in flight, events to subscribers. Made by `Core.session()`. */
export class CoreSession {
  readonly handle: bigint;
  readonly #binding: Binding;
  readonly #owner: SessionOwner;
  readonly #pending = new Map<bigint, Pending>();
  readonly #listeners = new Set<(notices: readonly Notice[]) => void>();
  #closing: Promise<void> | undefined;
  #failure: BackstepError | undefined;

  constructor(binding: Binding, handle: bigint, owner: SessionOwner) {
    this.#binding = binding;
    this.handle = handle;
    this.#owner = owner;
  }

  /** Is `close` under way or done? */
  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /**
   * Queues an operation and resolves with its reply. The deadline (default 10 s) starts now; when the signal fires the
   * core is asked to stop, and the answer says how far it came.
   *
   * @param what What is done, to follow "Cannot" in an error; default: from the operation.
   * @throws {BackstepError} As in `status.ts`; `cancelled` and `timeout` carry `details.outcome`.
   */
  submit(op: OpNumber, request: Bytes, call: CoreCall = {}, what: string = doing[op]): Promise<Bytes> {
    const { signal, into } = call;
    if (this.closed) return Promise.reject(closedError(what));
    if (this.#failure) return Promise.reject(this.#failure);
    if (signal?.aborted) return Promise.reject(notSent(what, signal.reason));
    const timeout = Math.min(MOST_TIMEOUT, Math.max(1, Math.ceil(call.timeout ?? DEFAULT_TIMEOUT)));
    if (Number.isNaN(timeout)) {
      return Promise.reject(new BackstepError("invalid", `Cannot ${what}: the timeout is not a number`));
    }
    const ticket = this.#binding.submit(this.handle, op, request, timeout);
    if (ticket <= 0n) return Promise.reject(statusError(Number(ticket), what));
    const over = this.#owner.observer()?.({ op, request });
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        // Whatever this answers, the ticket completes, and its completion says what came of it.
        if (!this.closed) this.#binding.cancel(this.handle, ticket);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const overdue = performance.now() + timeout + GRACE;
      this.#pending.set(ticket, { what, into, overdue, signal, onAbort, over, resolve, reject });
    });
  }

  /**
   * The generation of the mirror of the application with this bus name (UTF-8), while what it stands for is current: the
   * same number is the same tree. 0: look from the mirror, which does what is needed. Costs no I/O.
   */
  peek(bus: Bytes): number {
    if (this.closed || this.#failure) return 0;
    return Math.max(0, Number(this.#binding.peek(this.handle, bus)));
  }

  /** Subscribes to events, losses and broken connections; the result ends the subscription. */
  onEvents(listener: (notices: readonly Notice[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Ends the session. Calls in flight reject as `cancelled`; held keys are released. Later calls of `submit` reject;
   * closing again answers the same promise.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#binding.close(this.handle);
      await this.#owner.drained();
    } finally {
      for (const ticket of [...this.#pending.keys()]) {
        this.#finish(ticket, (p) => p.reject(statusError(Status.cancelledUnknown, p.what)));
      }
      await this.#owner.released(this);
    }
  }

  /** A ticket is complete: takes its reply. For `Core`. */
  complete({ ticket, status, size }: Completion): void {
    const reply = this.#take(ticket, size, this.#pending.get(ticket)?.into);
    this.#finish(ticket, (p) => {
      if (status !== Status.ok) {
        p.reject(statusError(status, p.what, reply, p.signal?.aborted ? p.signal.reason : undefined));
      } else if (reply === undefined) {
        // It ended well, but the session was closed before the reply could be fetched.
        p.reject(statusError(this.closed ? Status.cancelledUnknown : Status.ticket, p.what));
      } else {
        p.resolve(reply);
      }
    }, status === Status.ok ? reply : undefined);
  }

  /** Hands notices to the subscribers. For `Core`. */
  notify(notices: readonly Notice[]): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(notices);
      } catch (error) {
        // A faulty subscriber must not stop the others nor the calls in flight, and must not go unseen.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Gives up on tickets that the core should have completed long ago. For `Core`. */
  sweep(now: number): void {
    for (const [ticket, { overdue }] of this.#pending) {
      if (now >= overdue) {
        this.#finish(ticket, (p) => p.reject(statusError(Status.timeoutUnknown, p.what)));
      }
    }
  }

  /** The core cannot be heard any more: every call fails, now and later. For `Core`. */
  fail(error: BackstepError): void {
    this.#failure = error;
    for (const ticket of [...this.#pending.keys()]) this.#finish(ticket, (p) => p.reject(error));
  }

  #take(ticket: bigint, size: number, into: ArrayBuffer | undefined): Bytes | undefined {
    const reply = into !== undefined && into.byteLength >= size
      ? new Uint8Array(into, 0, size)
      : new Uint8Array(size);
    return this.#binding.take(this.handle, ticket, reply) === size ? reply : undefined;
  }

  #finish(ticket: bigint, how: (pending: Pending) => void, reply?: Bytes): void {
    const pending = this.#pending.get(ticket);
    if (!pending) return;
    this.#pending.delete(ticket);
    pending.signal?.removeEventListener("abort", pending.onAbort);
    pending.over?.(reply);
    how(pending);
  }
}

function closedError(what: string): BackstepError {
  return new BackstepError("no_desktop", `Cannot ${what}: the session is closed`, {
    hint: "Open a new session; a closed one stays closed.",
    details: { outcome: "not_sent" },
  });
}

function notSent(what: string, reason: unknown): BackstepError {
  const { message, cause } = cancelled(what, reason);
  return new BackstepError("cancelled", message, { cause, details: { outcome: "not_sent" } });
}
