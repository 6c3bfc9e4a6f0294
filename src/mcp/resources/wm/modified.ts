import type { SharedHost } from "../../server/call.ts";

/** Bodies that are remembered; the one that was read least lately is forgotten first. */
const MOST = 500;

/** When bodies were last seen to change, by canonical address. */
export class Modified {
  readonly #last = new Map<string, { readonly body: string; readonly at: string }>();
  readonly #now: () => Date;

  constructor(now: () => Date = () => new Date()) {
    this.#now = now;
  }

  /** Notes a body; answers when it was first seen as it is now (ISO 8601). */
  note(uri: string, body: string): string {
    const before = this.#last.get(uri);
    const now = before?.body === body ? before : { body, at: this.#now().toISOString() };
    this.#last.delete(uri);
    this.#last.set(uri, now);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST && oldest !== undefined) this.#last.delete(oldest);
    return now.at;
  }

  /** When it was last seen to change; undefined: it was not read yet. */
  at(uri: string): string | undefined {
    return this.#last.get(uri)?.at;
  }
}

const byHost = new WeakMap<SharedHost, Modified>();

/** What is remembered on a server. */
export function modifiedOf(host: SharedHost): Modified {
  const standing = byHost.get(host) ?? new Modified();
  byHost.set(host, standing);
  return standing;
}
