import { BackstepError } from "../../base/error.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { isComposed } from "../../tools/all.ts";
import type { McpCall } from "./call.ts";
import type { McpClient } from "./client.ts";
import { ToolFailure } from "./failure.ts";
import type { Tool } from "./tool.ts";

/**
 * Milliseconds that a call may take beside what its arguments ask for: a client that left is not always heard of. Clients
 * wait a minute unless told otherwise: the answer, that it took too long, must come before.
 */
const CALL = 55_000;
/** All steps of a composed tool. */
const WORKFLOW = 600_000;
/** What a call that was stopped gets for taking things back, and one that only looks for coming to its end. */
const GRACE = { acts: 45_000, looks: 2_000 };
/** Arguments that say how long a tool is to wait. */
const OWN = ["timeout_ms", "timeout", "duration_ms"] as const;

/**
 * Does a call within its time: then its signal fires, as when the client cancels it, and what does not come to its end in a
 * time of grace is given up. While a person or the client's model is asked the time stands still. Throws `ToolFailure`.
 */
export async function limited<R>(
  tool: Tool,
  args: ToolArguments,
  call: McpCall,
  action: (own: McpCall) => Promise<R>,
  times: { readonly limit?: number; readonly grace?: number } = {},
): Promise<R> {
  const limit = times.limit ?? limitOf(tool, args);
  const over = new AbortController();
  const clock = new Clock(limit, () => {
    over.abort(new BackstepError("timeout", `Cannot ${tool.definition.name}: its ${limit} ms are over`));
  });
  const signal = AbortSignal.any([call.signal, over.signal]);
  const usual = tool.definition.annotations.readOnlyHint ? GRACE.looks : GRACE.acts;
  const own: McpCall = {
    session: call.session,
    client: patient(call.client, clock),
    signal,
    progress: (message, done, total) => call.progress(message, done, total),
    log: (level, logger, data) => call.log(level, logger, data),
    ...(call.letGo ? { letGo: call.letGo } : {}),
    ...(call.mayAct ? { mayAct: call.mayAct } : {}),
    ...(call.task ? { task: call.task } : {}),
  };
  const given = givenUp(signal, times.grace ?? usual, () => timedOut(tool, limit, call.signal.aborted));
  try {
    return await Promise.race([action(own), given.promise]);
  } catch (thrown) {
    // A look that its time has stopped says "cancelled", and nobody has; what an act was cut off in is told as it is.
    const late = over.signal.aborted && !call.signal.aborted && tool.definition.annotations.readOnlyHint;
    throw late && thrown instanceof BackstepError && thrown.code === "cancelled"
      ? timedOut(tool, limit, false)
      : thrown;
  } finally {
    clock.stop();
    given.stop();
  }
}

function limitOf({ definition: { name } }: Tool, args: ToolArguments): number {
  if (isComposed(name)) return WORKFLOW;
  const asked = OWN.flatMap((key) => {
    const value = args[key];
    return typeof value === "number" && value > 0 ? [value] : [];
  });
  return CALL + Math.min(WORKFLOW, Math.max(0, ...asked));
}

function timedOut({ definition: { name } }: Tool, limit: number, cancelled: boolean): ToolFailure {
  return cancelled
    ? new ToolFailure("Cancelled", `${name} was cancelled`, {
      suggestion: "Call it again where it is still wanted.",
    })
    : new ToolFailure("Timeout", `${name} took longer than ${limit / 1_000} s`, {
      suggestion: "Look at the application, for instance with ax_screenshot, before trying again.",
      data: { timeout_ms: limit },
    });
}

/** Rejects when a signal has fired and what it stops has not come to its end in time. */
function givenUp(signal: AbortSignal, grace: number, why: () => Error) {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const fired = () => {
    timer = setTimeout(() => reject(why()), grace);
  };
  promise.catch(() => {});
  if (signal.aborted) fired();
  else signal.addEventListener("abort", fired, { once: true });
  return {
    promise,
    stop() {
      clearTimeout(timer);
      signal.removeEventListener("abort", fired);
    },
  };
}

/** Time that can stand still. */
class Clock {
  readonly #over: () => void;
  #left: number;
  #since = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = 0;

  constructor(milliseconds: number, over: () => void) {
    this.#over = over;
    this.#left = milliseconds;
    this.#timer = setTimeout(over, milliseconds);
  }

  async standing<R>(wait: () => Promise<R>): Promise<R> {
    if (this.#stopped++ === 0) {
      this.#left -= performance.now() - this.#since;
      clearTimeout(this.#timer);
    }
    try {
      return await wait();
    } finally {
      if (--this.#stopped === 0) {
        this.#since = performance.now();
        this.#timer = setTimeout(this.#over, Math.max(0, this.#left));
      }
    }
  }

  /** For good. */
  stop(): void {
    this.#stopped = Infinity;
    clearTimeout(this.#timer);
  }
}

/** The client, with the clock standing while it is asked. */
function patient(client: McpClient, clock: Clock): McpClient {
  return {
    name: client.name,
    version: client.version,
    can: client.can,
    elicit: (request, signal) => clock.standing(() => client.elicit(request, signal)),
    elicited: (id) => client.elicited(id),
    sample: (request, signal) => clock.standing(() => client.sample(request, signal)),
    roots: (signal) => client.roots(signal),
  };
}
