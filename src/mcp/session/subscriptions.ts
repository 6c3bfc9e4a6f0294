import type { McpCall } from "../server/call.ts";
import { canonicalUri, watchResource } from "../server/find-resource.ts";
import type { Host } from "../server/host.ts";
import type { Subscription } from "../server/resource.ts";
import { ProtocolError, RATE_LIMITED } from "../server/wire.ts";

/** Addresses that one session may watch at a time. */
const MOST = 100;

/** What one session watches, by address. */
export class Subscriptions {
  readonly #byUri = new Map<string, Promise<Subscription>>();
  readonly #host: Host;
  readonly #call: McpCall;
  readonly #updated: (uri: string) => void | Promise<void>;

  /**
   * `call` stands for the session, since a subscription outlives the request that asked for it. Where `updated` answers a
   * promise, nothing more is told of that address before it settles: a client that does not read gathers no notices.
   */
  constructor(host: Host, call: McpCall, updated: (uri: string) => void) {
    this.#host = host;
    this.#call = call;
    this.#updated = updated;
  }

  /** Watches an address, once however often it is asked for and however it is written; -32002 where there is nothing to watch. */
  async add(asked: string): Promise<void> {
    const uri = canonicalUri(this.#host, asked);
    const existing = this.#byUri.get(uri);
    if (existing) {
      const standing = await existing;
      if (standing.over !== true) return;
      // Its application ended, and may run again.
      if (this.#byUri.get(uri) === existing) this.#byUri.delete(uri);
      await standing.close();
      return await this.add(asked);
    }
    if (this.#byUri.size >= MOST) await this.#forgetOver();
    if (this.#byUri.size >= MOST) {
      throw new ProtocolError(
        RATE_LIMITED,
        `Cannot subscribe: this session watches ${MOST} addresses already`,
        {
          subscriptions: MOST,
        },
      );
    }
    const begun = watchResource(this.#host, asked, this.#call, () => {
      return this.#byUri.get(uri) === begun ? this.#updated(uri) : undefined;
    });
    this.#byUri.set(uri, begun);
    try {
      await begun;
      this.#count();
    } catch (error) {
      if (this.#byUri.get(uri) === begun) this.#byUri.delete(uri);
      throw error;
    }
  }

  /** Ends one; nothing where there is none. */
  async remove(asked: string): Promise<void> {
    const uri = canonicalUri(this.#host, asked);
    const existing = this.#byUri.get(uri);
    if (existing === undefined) return;
    this.#byUri.delete(uri);
    const subscription = await existing;
    await subscription.close();
    this.#count();
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    const all = [...this.#byUri.values()];
    this.#byUri.clear();
    this.#count();
    const begun = await Promise.allSettled(all);
    await Promise.all(begun.map((one) => one.status === "fulfilled" ? one.value.close() : undefined));
  }

  /** Lets go of those whose application has ended. */
  async #forgetOver(): Promise<void> {
    for (const [uri, begun] of [...this.#byUri]) {
      const over = await begun.then((one) => one.over === true, () => false);
      if (over && this.#byUri.get(uri) === begun) this.#byUri.delete(uri);
    }
  }

  #count(): void {
    this.#call.session.subscriptions = this.#byUri.size;
  }
}
