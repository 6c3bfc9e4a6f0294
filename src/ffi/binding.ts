/** Bytes of this thread's own: what may be lent to native code. */
export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The native core's functions, the same on every runtime: what an adapter (`adapter.ts`) offers and a test can imitate.
 * Meanings and negative results as in `native/include/backstep.h`. A buffer handed to `wait` is not touched until its
 * promise settles.
 */
export interface Binding {
  abi(): number;
  /** A session handle > 0, or a negative status. */
  open(): bigint;
  close(session: bigint): Promise<number>;
  /** A ticket > 0, or a negative status. `timeout` in whole milliseconds, 1 to 600,000. */
  submit(session: bigint, op: number, request: Bytes, timeout: number): bigint;
  /** Bytes written, 0 after `timeout` milliseconds (500 at most), or a negative status. */
  wait(buffer: Bytes, timeout: number): Promise<number>;
  /** Size of the reply, or a negative status. */
  take(session: bigint, ticket: bigint, buffer: Bytes): number;
  cancel(session: bigint, ticket: bigint): number;
  /** The generation of an application's mirror while it is current, 0, or a negative status. Without I/O. */
  peek(session: bigint, bus: Bytes): bigint;
  wake(): number;
  /** Unloads the library. Any call after it, or in flight during it, crashes the process: only `Core` may do this. */
  unload(): void;
}
