import type { Binding, Bytes } from "./binding.ts";
import { Request } from "./request.ts";
import { ABI } from "./symbols.ts";

/** A native core in memory, for tests: it answers when it is told to. */
export class FakeBinding implements Binding {
  readonly submitted: { session: bigint; ticket: bigint; op: number; timeout: number }[] = [];
  readonly cancelledTickets: bigint[] = [];
  /** Waits in flight: never more than one in a sound core. */
  waiting = 0;
  unloaded = false;
  /** What `submit` answers instead of a ticket. */
  submitStatus: bigint | undefined;
  /** Answers what is submitted, when set. */
  onSubmit: (op: number, request: Bytes) => readonly [status: number, reply: Bytes] | undefined = () =>
    undefined;
  /** What closing does to a session's open tickets. */
  onClose: (session: bigint) => void = () => {};
  readonly #replies = new Map<bigint, Bytes>();
  readonly #open = new Set<bigint>();
  #queue: Bytes[] = [];
  #wakeUp: (() => void) | undefined;
  #next = 1n;

  abi(): number {
    return ABI;
  }
  open(): bigint {
    const handle = this.#next++;
    this.#open.add(handle);
    return handle;
  }
  close(session: bigint): Promise<number> {
    this.#open.delete(session);
    this.onClose(session);
    return Promise.resolve(0);
  }
  submit(session: bigint, op: number, request: Bytes, timeout: number): bigint {
    if (this.submitStatus !== undefined) return this.submitStatus;
    if (!this.#open.has(session)) return -2n;
    const ticket = this.#next++;
    this.submitted.push({ session, ticket, op, timeout });
    const answer = this.onSubmit(op, request);
    if (answer) this.answer(session, ticket, ...answer);
    return ticket;
  }
  async wait(buffer: Bytes, timeout: number): Promise<number> {
    if (this.unloaded) throw new Error("SIGSEGV: waited on an unloaded library");
    if (this.waiting > 0) return -1;
    this.waiting++;
    if (this.#queue.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeout);
        this.#wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.waiting--;
    const first = this.#queue[0];
    if (!first) return 0;
    if (first.length > buffer.length) return -4;
    buffer.set(first);
    this.#queue = this.#queue.slice(1);
    return first.length;
  }
  take(session: bigint, ticket: bigint, buffer: Bytes): number {
    if (!this.#open.has(session)) return -2;
    const reply = this.#replies.get(ticket);
    if (!reply) return -3;
    if (buffer.length < reply.length) return reply.length;
    buffer.set(reply);
    this.#replies.delete(ticket);
    return reply.length;
  }
  cancel(_session: bigint, ticket: bigint): number {
    this.cancelledTickets.push(ticket);
    return 0;
  }
  /** The generation of every application's mirror. */
  generation = 0n;
  peek(session: bigint): bigint {
    return this.#open.has(session) ? this.generation : -2n;
  }
  wake(): number {
    this.#wakeUp?.();
    return 0;
  }
  unload(): void {
    if (this.waiting > 0) throw new Error("SIGSEGV: unloaded with a wait in flight");
    this.unloaded = true;
  }

  /** Completes a ticket. */
  answer(session: bigint, ticket: bigint, status: number, reply: Bytes = new Uint8Array(0)): void {
    this.#replies.set(ticket, reply);
    const body = new Request().u32(1);
    u64(u64(body, session), ticket).i32(status).u32(reply.length);
    this.push(body);
  }
  /** Sends an event of one session. */
  event(session: bigint, path: string, kind: string, text = ""): void {
    const body = u64(u64(new Request().u32(2), session), 0n);
    this.push(body.str(":1.5").str(path).str(kind).i32(1).i32(0).str(text));
  }
  /** Queues a record: everything behind its size field. */
  push(body: Request): void {
    const bytes = body.bytes();
    const record = new Uint8Array(4 + bytes.length);
    new DataView(record.buffer).setUint32(0, record.length, true);
    record.set(bytes, 4);
    this.pushRaw(record);
  }
  pushRaw(bytes: Bytes): void {
    this.#queue.push(bytes);
    this.wake();
  }
}

/** Appends a u64, which requests do not have. */
export function u64(request: Request, value: bigint): Request {
  return request.u32(Number(value & 0xffffffffn)).u32(Number(value >> 32n));
}
