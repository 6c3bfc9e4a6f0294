import { Op, type OpNumber } from "../../../src/ffi/op.ts";
import { Reply } from "../../../src/ffi/reply.ts";
import type { ObservedCall } from "../../../src/ffi/session.ts";

const names = new Map<OpNumber, string>(Object.entries(Op).map(([name, op]) => [op, name]));
/** Operations whose requests begin with a bus name and a path. */
const OF_ELEMENTS = 32;

/** One call, in milliseconds since its stretch began. */
interface Traced {
  readonly what: string;
  readonly from: number;
  to: number;
}

/** Each call of the core with when it began and ended, for who looks what a step waits for. */
export class Trace {
  #calls: Traced[] = [];
  #since = performance.now();

  /** A call was submitted; the result is told that it is over. */
  begin({ op, request }: ObservedCall): () => void {
    const one: Traced = { what: this.#describe(op, request), from: performance.now() - this.#since, to: NaN };
    this.#calls.push(one);
    return () => one.to = performance.now() - this.#since;
  }

  /** A stretch begins: what was before is forgotten. */
  restart(): void {
    this.#calls = [];
    this.#since = performance.now();
  }

  /** The lines of a stretch; `gap` is how long nothing was under way before a call. */
  lines(): string[] {
    let busy = 0;
    return this.#calls.map(({ what, from, to }) => {
      const gap = Math.max(0, from - busy);
      busy = Math.max(busy, to);
      return `    ${from.toFixed(1).padStart(7)} +${(to - from).toFixed(1).padEnd(5)} gap ${
        gap.toFixed(1).padEnd(5)
      } ${what}`;
    });
  }

  #describe(op: OpNumber, request: Uint8Array): string {
    const name = names.get(op) ?? String(op);
    if (op < 3 || op >= OF_ELEMENTS) return name;
    const reply = new Reply(request);
    const bus = reply.str(), path = reply.str();
    const more = op === Op.places
      ? ` of ${(reply.u32(), reply.u32())}`
      : op === Op.read
      ? ` ${(reply.u32(), reply.u32(), reply.u32())}`
      : op === Op.snapshot
      ? ` fields ${reply.u32()} source ${(reply.u32(),
        reply.u32(),
        reply.u32(),
        reply.u32(),
        reply.left >= 4 ? reply.u32() : 0)}`
      : "";
    return `${name} ${bus} ${path.split("/").at(-1)}${more}`;
  }
}
