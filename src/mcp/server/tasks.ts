import { randomUUID } from "node:crypto";
import { clearTimeout, setTimeout } from "node:timers";
import { BackstepError } from "../../base/error.ts";
import type { ToolResult } from "./dispatch.ts";
import { type Page, pageOf } from "./pages.ts";
import { INVALID_PARAMS, ProtocolError, RATE_LIMITED } from "./wire.ts";

/** Milliseconds that a task is kept where the client asks for none, and the most that it may ask for. */
export const TTL = 60_000;
export const MOST_TTL = 3_600_000;
/** Milliseconds after which a client should ask again. */
const POLL = 500;
/** Tasks that one session may have at a time, ended ones that are still kept included. */
const MOST = 100;
/** Milliseconds that what ended after its time is kept all the same, so that its client can fetch it. */
const GRACE = 5_000;
/** Milliseconds that a cancelled call may take to undo itself before its client is answered. */
const ROLLING_BACK = 50_000;

export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A task as its client sees it. Times are ISO 8601, spans in milliseconds. */
export interface TaskView {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Counts from its creation. */
  readonly ttl: number;
  readonly pollInterval: number;
}

/** A task as the call sees that runs as it. */
export interface RunningTask {
  readonly id: string;
  /** Fires when it is cancelled, or its session ends. */
  readonly signal: AbortSignal;
  /** What it is at. */
  say(message: string): void;
  /** It waits for its client until the promise settles. */
  awaiting<T>(answer: Promise<T>): Promise<T>;
}

type Outcome =
  | { readonly result: ToolResult }
  /** A JSON-RPC error, or a fault of ours. */
  | { readonly error: unknown };

interface Entry {
  readonly id: string;
  readonly created: number;
  readonly ttl: number;
  readonly controller: AbortController;
  /** Settles when the call has ended, whatever it came to. */
  readonly finished: PromiseWithResolvers<void>;
  /** Settles when its status is a last one. */
  readonly over: PromiseWithResolvers<void>;
  updated: number;
  status: TaskStatus;
  message: string;
  outcome: Outcome | undefined;
  cancelling: Promise<void> | undefined;
}

const NOT_BEGUN: ToolResult = {
  isError: true,
  content: [{ type: "text", text: "It was cancelled before it began" }],
};

/** The tasks of one session: calls whose results are fetched later. No other session finds them. */
export class Tasks {
  readonly #entries = new Map<string, Entry>();
  readonly #changed: (task: TaskView) => void;
  readonly #most: number;
  readonly #grace: number;
  #closed = false;

  /** `changed` is told of each change of a task but its creation. */
  constructor(
    changed: (task: TaskView) => void,
    options: { readonly most?: number; readonly grace?: number } = {},
  ) {
    this.#changed = changed;
    this.#most = options.most ?? MOST;
    this.#grace = options.grace ?? GRACE;
  }

  /** Begins a task. The call begins after the task has been answered, so that nothing of it comes before. */
  create(
    wanted: { readonly ttl?: number; readonly message: string },
    run: (task: RunningTask) => Promise<ToolResult>,
  ): TaskView {
    this.#makeRoom();
    const now = Date.now();
    const entry: Entry = {
      id: randomUUID(),
      created: now,
      ttl: ttlOf(wanted.ttl),
      controller: new AbortController(),
      finished: Promise.withResolvers(),
      over: Promise.withResolvers(),
      updated: now,
      status: "working",
      message: wanted.message,
      outcome: undefined,
      cancelling: undefined,
    };
    this.#entries.set(entry.id, entry);
    setTimeout(() => this.#run(entry, run), 0);
    return view(entry);
  }

  get(id: string): TaskView {
    return view(this.#find(id));
  }

  /** The oldest first. */
  list(cursor?: string, size?: number): Page<TaskView> {
    return pageOf([...this.#entries.values()].map(view), cursor, size);
  }

  /**
   * Cancels a task and waits until it has ended, which undoes what a workflow did. -32602 for one that has ended.
   * After 50 seconds it is answered all the same; the task says then that it has not ended.
   */
  async cancel(id: string): Promise<TaskView> {
    const entry = this.#find(id);
    if (isOver(entry)) {
      throw new ProtocolError(INVALID_PARAMS, `Cannot cancel the task: it is ${entry.status} already`, {
        taskId: entry.id,
        status: entry.status,
      });
    }
    await (entry.cancelling ??= this.#cancel(entry));
    return view(entry);
  }

  /** What the call came to, as soon as it has; throws what it threw. */
  async result(id: string, signal: AbortSignal): Promise<ToolResult> {
    const entry = this.#find(id);
    await until(entry.over.promise, signal);
    if (entry.outcome === undefined) {
      return { content: [{ type: "text", text: entry.message }], isError: true };
    }
    if ("error" in entry.outcome) throw entry.outcome.error;
    return entry.outcome.result;
  }

  /** Cancels what runs; settles when all of it has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = [...this.#entries.values()].filter((entry) => entry.outcome === undefined);
    for (const entry of running) entry.controller.abort(new Error("the session has ended"));
    await Promise.all(running.map((entry) => entry.finished.promise));
    this.#entries.clear();
  }

  async #run(entry: Entry, run: (task: RunningTask) => Promise<ToolResult>): Promise<void> {
    try {
      const result = entry.controller.signal.aborted ? NOT_BEGUN : await run({
        id: entry.id,
        signal: entry.controller.signal,
        say: (message) => this.#move(entry, entry.status, message),
        awaiting: async (answer) => {
          this.#move(entry, "input_required", entry.message);
          try {
            return await answer;
          } finally {
            this.#move(entry, "working", entry.message);
          }
        },
      });
      entry.outcome = { result };
    } catch (error) {
      entry.outcome = { error };
    }
    entry.finished.resolve();
    if (entry.cancelling !== undefined) return;
    const failed = "error" in entry.outcome || entry.outcome.result.isError === true;
    this.#end(entry, failed ? "failed" : "completed", failed ? reported(entry.outcome) : "Done");
  }

  async #cancel(entry: Entry): Promise<void> {
    this.#move(entry, entry.status, "Being cancelled: what can be undone is rolled back");
    entry.controller.abort(new BackstepError("cancelled", "Cannot go on: the task was cancelled"));
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, ROLLING_BACK);
    timer.unref();
    await Promise.race([entry.finished.promise, late.promise]);
    clearTimeout(timer);
    const { outcome } = entry;
    this.#end(
      entry,
      "cancelled",
      outcome === undefined
        ? "Cancelled; it has not ended yet"
        : "error" in outcome || outcome.result.isError
        ? `Cancelled. ${reported(outcome)}`
        : "Cancelled, but it had been done by then",
    );
  }

  /** A last status stays. */
  #move(entry: Entry, status: TaskStatus, message: string): void {
    if (isOver(entry) || (entry.status === status && entry.message === message)) return;
    entry.status = status;
    entry.message = message;
    entry.updated = Date.now();
    if (!this.#closed) this.#changed(view(entry));
  }

  #end(entry: Entry, status: "completed" | "failed" | "cancelled", message: string): void {
    if (!this.#entries.has(entry.id)) return;
    this.#move(entry, status, message);
    entry.over.resolve();
    const left = Math.max(entry.created + entry.ttl - Date.now(), this.#grace);
    setTimeout(() => this.#entries.delete(entry.id), left).unref();
  }

  #find(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry) return entry;
    throw new ProtocolError(INVALID_PARAMS, "Task not found: it has expired, or is none of this session's", {
      taskId: id.slice(0, 100),
    });
  }

  /** Where there are too many, the one that ended first gives way; where all run, nothing is begun. */
  #makeRoom(): void {
    if (this.#entries.size < this.#most) return;
    const over = [...this.#entries.values()].filter(isOver).sort((a, b) => a.updated - b.updated)[0];
    if (over === undefined) {
      throw new ProtocolError(
        RATE_LIMITED,
        `Cannot begin a task: ${this.#most} of this session's run already`,
        {
          tasks: this.#most,
          retry_after_ms: POLL,
        },
      );
    }
    this.#entries.delete(over.id);
  }
}

function ttlOf(wanted: number | undefined): number {
  if (wanted === undefined || !Number.isFinite(wanted)) return TTL;
  return Math.round(Math.min(Math.max(wanted, 0), MOST_TTL));
}

function isOver({ status }: Entry): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function view(entry: Entry): TaskView {
  return {
    taskId: entry.id,
    status: entry.status,
    statusMessage: entry.message,
    createdAt: new Date(entry.created).toISOString(),
    lastUpdatedAt: new Date(entry.updated).toISOString(),
    ttl: entry.ttl,
    pollInterval: POLL,
  };
}

/** What went wrong, in one line of at most 300 characters. */
function reported(outcome: Outcome): string {
  const text = "error" in outcome
    ? outcome.error instanceof Error ? outcome.error.message : String(outcome.error)
    : outcome.result.content.flatMap((piece) => piece.type === "text" ? [piece.text] : [])[0] ?? "It failed";
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 300);
}

async function until(over: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([over, stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
