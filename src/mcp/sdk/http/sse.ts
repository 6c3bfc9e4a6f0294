import { BackstepError } from "../../../base/error.ts";
import { type JSONRPCMessage, JSONRPCMessageSchema, type MessageExtraInfo, type Transport } from "./sdk.ts";

/** Headers of every event stream. */
export const EVENT_STREAM = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * The transport of revision 2024-11-05: the server's messages on one event stream, the client's each with a POST to the
 * address that the stream's first event names. The session lives as long as the stream.
 */
export class LegacySse implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined;
  readonly sessionId: string;
  /** What the client's GET is answered with. */
  readonly stream: ReadableStream<Uint8Array>;
  readonly #endpoint: string;
  readonly #keepAliveMs: number;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #alive: ReturnType<typeof setInterval> | undefined;

  /** `endpoint`: where the client posts to, a path with its query. */
  constructor(options: { sessionId: string; endpoint: string; keepAliveMs: number }) {
    this.sessionId = options.sessionId;
    this.#endpoint = options.endpoint;
    this.#keepAliveMs = options.keepAliveMs;
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => this.close(),
    });
  }

  start(): Promise<void> {
    this.#write(`event: endpoint\ndata: ${this.#endpoint}\n\n`);
    this.#alive = setInterval(() => this.#write(": keepalive\n\n"), this.#keepAliveMs);
    this.#alive.unref?.();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#controller === undefined) {
      return Promise.reject(new BackstepError("cancelled", "Cannot answer the client: its stream is closed"));
    }
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    return Promise.resolve();
  }

  /** Takes a message of a POST; false: it is none of JSON-RPC. */
  receive(json: unknown, extra: MessageExtraInfo): boolean {
    const message = JSONRPCMessageSchema.safeParse(json);
    if (!message.success) return false;
    this.onmessage?.(message.data, extra);
    return true;
  }

  close(): Promise<void> {
    const controller = this.#controller;
    if (controller === undefined) return Promise.resolve();
    this.#controller = undefined;
    clearInterval(this.#alive);
    try {
      controller.close();
    } catch {
      // The client has closed it from its side.
    }
    this.onclose?.();
    return Promise.resolve();
  }

  #write(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }
}
