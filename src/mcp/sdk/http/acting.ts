import type { JSONRPCMessage, RequestId, Transport } from "./sdk.ts";

/** What is remembered of each kind at most; of what is forgotten the strictest is assumed. */
const MOST = 1_000;

/**
 * What acts in one session: so that a client whose token may only look does not answer for, cancel or end what it may not
 * begin. It looks at every message that goes either way.
 */
export class Acting {
  readonly #acts: (tool: string) => boolean;
  readonly #actsAt: (uri: string) => boolean;
  /** The client's requests that are not answered: those that act, and all others. */
  readonly #calls = new Set<RequestId>();
  readonly #looks = new Set<RequestId>();
  /** Tasks that act: whether they still run. */
  readonly #tasks = new Map<string, boolean>();
  /** Our questions to the client: whether an act may hang on the answer. */
  readonly #questions = new Map<RequestId, boolean>();
  #acted = false;

  /** `acts`: does calling this tool act? `actsAt`: does reading this resource? Default: none does. */
  constructor(acts: (tool: string) => boolean, actsAt: (uri: string) => boolean = () => false) {
    this.#acts = acts;
    this.#actsAt = actsAt;
  }

  /** Whether something that acts is under way: who ends the session cancels it. */
  get busy(): boolean {
    return this.#calls.size > 0 || [...this.#tasks.values()].includes(true);
  }

  /** Whether the client needs the scope for acting to send this. */
  needs(message: unknown): boolean {
    const { method, id, params } = partsOf(message);
    if (method === undefined) return id !== undefined && this.#questions.get(id) === true;
    // A request that goes by the number of an act would be taken for it.
    if (id !== undefined && this.#calls.has(id)) return true;
    switch (method) {
      case "tools/call":
        return this.#acts(textOf(params["name"]) ?? "");
      case "resources/read":
        return this.#actsAt(textOf(params["uri"]) ?? "");
      case "tasks/cancel":
      // What a task asks goes to whoever waits for its result.
      case "tasks/result":
        return this.#tasks.has(textOf(params["taskId"]) ?? "");
      case "notifications/cancelled":
        return isId(params["requestId"]) && this.#calls.has(params["requestId"]);
      default:
        return false;
    }
  }

  /** Hears a message of the client that is let through. */
  took(message: unknown): void {
    const { method, id, params } = partsOf(message);
    if (id === undefined) {
      // It is not answered any more.
      if (method === "notifications/cancelled" && isId(params["requestId"])) {
        this.#answered(params["requestId"], {});
      }
      return;
    }
    if (method === undefined) this.#questions.delete(id);
    else if (this.needs(message)) {
      this.#acted = true;
      keep(this.#calls, id);
    } else keep(this.#looks, id);
  }

  /** Hears what goes to the client. */
  watch(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      this.#sent(message, options?.relatedRequestId);
      return send(message, options);
    };
  }

  #sent(message: JSONRPCMessage, related: RequestId | undefined): void {
    const { method, id, params, result } = partsOf(message);
    if (method === undefined) {
      if (id !== undefined) this.#answered(id, result);
    } else if (id !== undefined) {
      const looks = related !== undefined && this.#looks.has(related) && !this.#calls.has(related);
      this.#questions.set(id, this.#acted && !looks);
      for (const oldest of this.#questions.keys()) {
        if (this.#questions.size <= MOST) break;
        this.#questions.delete(oldest);
      }
    } else if (method === "notifications/tasks/status") {
      const task = textOf(params["taskId"]) ?? "";
      const runs = params["status"] === "working" || params["status"] === "input_required";
      if (this.#tasks.has(task)) this.#tasks.set(task, runs);
    }
  }

  #answered(id: RequestId, result: Parts): void {
    const task = isParts(result["task"]) ? textOf(result["task"]["taskId"]) : undefined;
    if (task !== undefined && this.#calls.has(id)) {
      this.#tasks.set(task, true);
      for (const oldest of this.#tasks.keys()) {
        if (this.#tasks.size <= MOST) break;
        this.#tasks.delete(oldest);
      }
    }
    this.#calls.delete(id);
    this.#looks.delete(id);
  }
}

interface Parts {
  readonly [name: string]: unknown;
}

function partsOf(message: unknown) {
  const parts = isParts(message) ? message : {};
  const { method, id, params, result } = parts;
  return {
    method: textOf(method),
    id: isId(id) ? id : undefined,
    params: isParts(params) ? params : {},
    result: isParts(result) ? result : {},
  };
}

function isParts(value: unknown): value is Parts {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function keep(all: Set<RequestId>, id: RequestId): void {
  all.add(id);
  for (const oldest of all) {
    if (all.size <= MOST) break;
    all.delete(oldest);
  }
}
