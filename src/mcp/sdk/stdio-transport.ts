import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import { Lines } from "../transport/lines.ts";
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema, type Transport } from "./sdk.ts";

/** Bytes of the longest message that is read. */
const LONGEST = 16 * 1024 * 1024;

/** Bytes of the longest message that is written: clients of the SDK end the connection over a longer one. */
const MOST = 10 * 1024 * 1024 - 1024;

/** Characters that may wait for a client to read them: one that never reads is as good as gone. */
const UNREAD = 128 * 1024 * 1024;

/** Writes a text to the client; `done` when it has been taken. As a stream's own. */
export type Write = (text: string, done: (error?: Error | null) => void) => boolean;

/**
 * JSON-RPC over two streams, a message a line. Unlike the SDK's own it answers what cannot be read (-32700, -32600), goes
 * on after a message that is too long, and ends when its client does.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #input: Readable;
  readonly #write: Write;
  readonly #lines = new Lines(LONGEST);
  readonly #written = Promise.withResolvers<void>();
  /** What the client has not taken yet, each with how to give it up. */
  readonly #unread = new Map<(why: Error) => void, number>();
  #waiting = 0;
  #closed = false;

  constructor(input: Readable, write: Write) {
    this.#input = input;
    this.#write = write;
  }

  /** Settles when the first message has been sent. */
  get spoke(): Promise<void> {
    return this.#written.promise;
  }

  start(): Promise<void> {
    this.#input.on("data", this.#heard);
    this.#input.once("end", this.#over);
    this.#input.once("close", this.#over);
    this.#input.on("error", this.#failed);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#put(message);
    this.#written.resolve();
  }

  close(): Promise<void> {
    this.#over();
    return Promise.resolve();
  }

  readonly #heard = (chunk: Buffer | string) => {
    for (const line of this.#lines.take(Buffer.from(chunk))) {
      if (this.#closed) return;
      if ("tooLong" in line) {
        this.#refuse(
          ErrorCode.InvalidRequest,
          `Invalid request: a message of ${line.tooLong} bytes is too long`,
        );
      } else if (line.text.trim() !== "") this.#read(line.text);
    }
  };

  #read(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      this.#refuse(
        ErrorCode.ParseError,
        `Parse error: ${error instanceof Error ? error.message : "no JSON"}`,
      );
      return;
    }
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) this.onmessage?.(message.data);
    else {
      const what = Array.isArray(value) ? "batches are not part of the protocol" : "no JSON-RPC message";
      this.#refuse(ErrorCode.InvalidRequest, `Invalid request: ${what}`, idOf(value));
    }
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    const error = { code, message: message.slice(0, 300).toWellFormed() };
    this.#put({ jsonrpc: "2.0", id, error }).catch(this.#failed);
    this.onerror?.(new Error(error.message));
  }

  #put(message: object): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("Cannot send: the client is gone"));
    const text = JSON.stringify(message);
    const bytes = text.length * 3 > MOST ? Buffer.byteLength(text) : 0;
    if (bytes > MOST) return this.#tooMuch(message, bytes);
    return new Promise((resolve, reject) => {
      this.#unread.set(reject, text.length);
      this.#waiting += text.length;
      this.#write(`${text}\n`, (error) => {
        this.#waiting -= this.#unread.get(reject) ?? 0;
        this.#unread.delete(reject);
        if (error) reject(error);
        else resolve();
      });
      if (this.#waiting > UNREAD) {
        this.onerror?.(
          new Error(`The client has not read ${this.#waiting} characters: it is taken for gone`),
        );
        this.#over();
      }
    });
  }

  /** An answer that its client could not take becomes an error that it can. */
  #tooMuch(message: object, bytes: number): Promise<void> {
    const id = "method" in message ? null : idOf(message);
    if (id === null) return Promise.reject(new Error(`Cannot send: the message has ${bytes} bytes`));
    const error = {
      code: ErrorCode.InternalError,
      message: `The answer has ${bytes} bytes; a client takes ${MOST}. Ask for less of it.`,
    };
    return this.#put({ jsonrpc: "2.0", id, error });
  }

  readonly #failed = (error: unknown) => {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  };

  readonly #over = () => {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.off("data", this.#heard);
    this.#input.off("end", this.#over);
    this.#input.off("close", this.#over);
    this.#input.pause();
    // Nobody waits for a client that has gone to read.
    for (const giveUp of this.#unread.keys()) giveUp(new Error("Cannot send: the client is gone"));
    this.#unread.clear();
    this.onclose?.();
  };
}

function idOf(value: unknown): string | number | null {
  if (typeof value !== "object" || value === null || !("id" in value)) return null;
  return typeof value.id === "string" || typeof value.id === "number" ? value.id : null;
}
