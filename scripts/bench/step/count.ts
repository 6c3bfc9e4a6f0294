import { Core } from "../../../src/ffi/core.ts";
import { Op, type OpNumber } from "../../../src/ffi/op.ts";
import { Reply } from "../../../src/ffi/reply.ts";
import { Trace } from "./trace.ts";

/** What a stretch of time cost. */
export interface Cost {
  readonly ms: number;
  /** Calls of the core. */
  readonly calls: number;
  /** Of them those for which an application was asked for most of its tree; what is kept of one is no such. */
  readonly trees: number;
  /** Elements that applications were asked for, in whole trees and parts. */
  readonly nodes: number;
  /** Timers that ran out: what was waited for without an event. */
  readonly waits: number;
  /** Milliseconds of them. */
  readonly waited_ms: number;
  /** Milliseconds in which no call was under way: computing, journal, waiting. */
  readonly own_ms: number;
  /** Calls by the name of the operation. */
  readonly ops: Readonly<Record<string, number>>;
  /** Each call, a line each, where they were asked for. */
  readonly trace: readonly string[];
}

/** Bytes into the reply of a tree (native/include/backstep.h): how many nodes, whence, and how many of them asked afresh. */
const [NODES, SOURCE, AFRESH] = [8, 40, 44] as const;

const names = new Map<OpNumber, string>(Object.entries(Op).map(([name, op]) => [op, name]));

interface Totals {
  calls: number;
  trees: number;
  nodes: number;
  waits: number;
  waited: number;
  busy: number;
  ops: Map<string, number>;
}

/** Counts the calls of every session of this process's core, and timers that run out, until it is disposed of. */
export class Counter implements Disposable {
  readonly #core: Core;
  readonly #totals: Totals = {
    calls: 0,
    trees: 0,
    nodes: 0,
    waits: 0,
    waited: 0,
    busy: 0,
    ops: new Map(),
  };
  readonly #timer = globalThis.setTimeout;
  /** Elements of the largest tree of each application. */
  readonly #largest = new Map<string, number>();
  readonly #trace: Trace | undefined;
  #running = 0;
  #since = 0;

  private constructor(core: Core, trace: boolean) {
    this.#core = core;
    this.#trace = trace ? new Trace() : undefined;
    core.observe((call) => {
      const { op, request } = call;
      const traced = this.#trace?.begin(call);
      const bus = op === Op.snapshot ? new Reply(request).str() : "";
      const name = names.get(op) ?? String(op);
      this.#totals.calls++;
      this.#totals.ops.set(name, (this.#totals.ops.get(name) ?? 0) + 1);
      if (this.#running++ === 0) this.#since = performance.now();
      return (reply) => {
        traced?.();
        if (--this.#running === 0) this.#totals.busy += performance.now() - this.#since;
        if (op === Op.snapshot && reply !== undefined) this.#tree(bus, reply);
      };
    });
    this.#countTimers();
  }

  static async start({ trace = false } = {}): Promise<Counter> {
    return new Counter(await Core.open(), trace);
  }

  /** Begins a stretch; the result ends it. */
  begin(): () => Cost {
    this.#trace?.restart();
    const at = performance.now(), before = this.#now();
    return () => {
      const now = this.#now(), ms = performance.now() - at;
      const ops = [...now.ops].map(([name, n]) => [name, n - (before.ops.get(name) ?? 0)] as const);
      return {
        ms,
        calls: now.calls - before.calls,
        trees: now.trees - before.trees,
        nodes: now.nodes - before.nodes,
        waits: now.waits - before.waits,
        waited_ms: now.waited - before.waited,
        own_ms: Math.max(0, ms - (now.busy - before.busy)),
        ops: Object.fromEntries(ops.filter(([, n]) => n > 0)),
        trace: this.#trace?.lines() ?? [],
      };
    };
  }

  [Symbol.dispose](): void {
    this.#core.observe(undefined);
    globalThis.setTimeout = this.#timer;
  }

  #now(): Totals {
    const busy = this.#totals.busy + (this.#running > 0 ? performance.now() - this.#since : 0);
    return { ...this.#totals, busy, ops: new Map(this.#totals.ops) };
  }

  /** Elements of a reply; none of one that says "as you hold it". Of a mirror's tree, those that were asked afresh. */
  #tree(bus: string, reply: Uint8Array): void {
    const header = new DataView(reply.buffer, reply.byteOffset, reply.byteLength);
    const nodes = header.getUint32(NODES, true);
    const largest = Math.max(this.#largest.get(bus) ?? 0, nodes);
    this.#largest.set(bus, largest);
    const mirrored = header.byteLength > AFRESH && header.getUint32(SOURCE, true) !== 0;
    const asked = mirrored ? header.getUint32(AFRESH, true) : nodes;
    this.#totals.nodes += asked;
    // A window of an application is no less to read than all of it.
    if (asked > 1 && 2 * asked >= largest) this.#totals.trees++;
  }

  /** Deadlines that are met are cleared before they run out; what runs out was waited for. */
  #countTimers(): void {
    const [totals, timer] = [this.#totals, this.#timer];
    const counting = (run: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]) => {
      const began = performance.now();
      return timer(() => {
        if (milliseconds > 0) {
          totals.waits++;
          totals.waited += performance.now() - began;
        }
        run(...args);
      }, milliseconds);
    };
    globalThis.setTimeout = Object.assign(counting, timer);
  }
}
