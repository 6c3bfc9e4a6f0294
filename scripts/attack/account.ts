import { z } from "zod";
import type { Json } from "../../src/base/error.ts";
import { asText } from "../histories/real/account.ts";

const Line = z.union([
  z.object({ t: z.number(), key: z.string(), before: z.json(), after: z.json(), by: z.string() }),
  z.object({ t: z.number(), event: z.string(), of: z.string() }),
  z.object({ t: z.number(), running: z.boolean() }),
  z.object({ t: z.number(), state: z.record(z.string(), z.json()) }),
  z.object({ t: z.number(), ack: z.number() }),
]);
/** A line of a nasty application's own account. */
export type Line = z.infer<typeof Line>;

/** Reads a line; throws where it is none. */
export function lineOf(value: unknown): Line {
  return Line.parse(value);
}

/** What a control became, as JSON text, and when, in our own milliseconds. */
export interface Change {
  readonly key: string;
  readonly at: number;
  readonly before: string;
  readonly after: string;
  /** "outside", or the trait that did it. */
  readonly by: string;
}

/** A handler that fired. */
export interface Fired {
  readonly at: number;
  readonly event: string;
  readonly of: string;
}

/** What happened in one play, by the application's own account. */
export class Account {
  readonly changes: Change[] = [];
  readonly fired: Fired[] = [];
  /** When it ended; undefined: it did not. */
  died: number | undefined;
  /** It ended and did not say when: a fault of its toolkit. What it held then is not known. */
  lost = false;
  /** How everything was at first, and at the end where it told that. */
  #first = new Map<string, string>();
  #last: ReadonlyMap<string, string> | undefined;

  constructor(first: { readonly [key: string]: Json }) {
    for (const [key, value] of Object.entries(first)) this.#first.set(key, asText(value));
  }

  /** Takes a line whose time is `skew` behind ours. */
  add(line: Line, skew: number): void {
    const at = line.t + skew;
    if ("key" in line) {
      const { key, before, after, by } = line;
      this.changes.push({ key, at, before: asText(before), after: asText(after), by });
    } else if ("event" in line) this.fired.push({ at, event: line.event, of: line.of });
    else if ("running" in line && !line.running) this.died ??= at;
    else if ("state" in line) {
      this.#last = new Map(Object.entries(line.state).map(([k, v]) => [k, asText(v)]));
    }
  }

  /** What a control held at a moment, as JSON text. */
  at(key: string, when: number): string | undefined {
    return this.changes.findLast((one) => one.key === key && one.at <= when)?.after ?? this.#first.get(key);
  }

  /** Everything that a control held for at least `least` milliseconds between two moments. */
  heldBetween(key: string, from: number, to: number, least = 0): Set<string> {
    const mine = this.changes.filter((one) => one.key === key && one.at > from && one.at <= to);
    const held = new Set<string>();
    let [value, since] = [this.at(key, from), from];
    for (const change of [...mine, undefined]) {
      const until = change?.at ?? to;
      if (value !== undefined && (until - since >= least || change === undefined)) held.add(value);
      [value, since] = [change?.after, until];
    }
    return held;
  }

  /** The keys of which what was written as it happened is not what there is at the end: then the account is worth nothing. */
  disagreements(): string[] {
    return [...this.#last ?? []].filter(([key, value]) => this.at(key, Infinity) !== value).map(([key]) =>
      key
    );
  }
}
