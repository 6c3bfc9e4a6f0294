import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { fetchJson, Unreachable } from "./fetch-json.ts";

/** Milliseconds between two fetches while no keys are known: nobody gets in before. */
const AGAIN_MS = 1_000;
/** Keys of one issuer at most: an issuer has one or two, and those that it rotates. */
const MOST_KEYS = 64;

/** How long keys are believed. Milliseconds. */
export interface KeyTimes {
  /** Between two fetches, whatever tokens come: default 30 s. */
  readonly cooldownMs?: number | undefined;
  /** Until keys are fetched again: a withdrawn key is believed for so long while the issuer answers. Default 10 min. */
  readonly freshMs?: number | undefined;
  /** Until keys are dropped where the issuer does not answer. Default 1 h. */
  readonly keptMs?: number | undefined;
}

/**
 * The keys of an issuer. They outlive its outage for a bounded time, and no token can bring about more than one fetch in
 * `cooldownMs`: a key that was not found then is not looked for again before.
 */
export class IssuerKeys {
  readonly #where: () => Promise<string>;
  readonly #jose: typeof import("jose");
  readonly #cooldown: number;
  readonly #fresh: number;
  readonly #kept: number;
  #last: { readonly find: JWTVerifyGetKey; readonly since: number } | undefined;
  #tried = -Infinity;
  /** Why the last fetch came to nothing. */
  #fault: Unreachable | undefined;
  #fetching: Promise<void> | undefined;

  /** `where` answers the address of the key set, and throws `Unreachable` where it cannot be told. */
  constructor(where: () => Promise<string>, jose: typeof import("jose"), times: KeyTimes = {}) {
    this.#where = where;
    this.#jose = jose;
    this.#cooldown = times.cooldownMs ?? 30_000;
    this.#fresh = times.freshMs ?? 10 * 60_000;
    this.#kept = times.keptMs ?? 60 * 60_000;
  }

  /** The key of a token. Throws what jose says of a token that fits none, and `Unreachable` where that cannot be told. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const age = this.#age();
    if (age > this.#fresh) {
      const fetched = this.#fetch();
      // While an outage lasts, nobody waits for its end: the keys are known.
      if (age > this.#kept || this.#fault === undefined) await fetched;
    }
    const existing = this.#believed();
    if (existing === undefined) throw this.#fault ?? new Unreachable("The issuer's keys are not known");
    try {
      return await existing.find(header, token);
    } catch (thrown) {
      if (!(thrown instanceof this.#jose.errors.JWKSNoMatchingKey)) throw this.#judged(thrown);
      await this.#fetch();
      const now = this.#believed();
      if (now !== undefined && now !== existing) return await now.find(header, token);
      // The issuer may have begun to sign with it meanwhile.
      throw this.#fault ?? thrown;
    }
  };

  #age(): number {
    return this.#last === undefined ? Infinity : performance.now() - this.#last.since;
  }

  #believed() {
    return this.#age() > Math.max(this.#fresh, this.#kept) ? undefined : this.#last;
  }

  #judged(thrown: unknown): unknown {
    const { JWKSMultipleMatchingKeys, JOSENotSupported } = this.#jose.errors;
    if (thrown instanceof JWKSMultipleMatchingKeys || thrown instanceof JOSENotSupported) return thrown;
    return new Unreachable("The keys of the authorization server cannot be used", { cause: thrown });
  }

  /** Fetches the keys, unless that was tried a moment ago. Never throws: `#fault` says what went wrong. */
  #fetch(): Promise<void> {
    if (this.#fetching !== undefined) return this.#fetching;
    const pause = this.#believed() === undefined ? Math.min(AGAIN_MS, this.#cooldown) : this.#cooldown;
    if (performance.now() - this.#tried < pause) return Promise.resolve();
    return this.#fetching = this.#load().finally(() => {
      this.#fetching = undefined;
      this.#tried = performance.now();
    });
  }

  async #load(): Promise<void> {
    try {
      const found = await fetchJson(await this.#where());
      if (!isKeySet(found)) throw new Unreachable("The authorization server's keys cannot be used");
      this.#last = { find: this.#jose.createLocalJWKSet(found), since: performance.now() };
      this.#fault = undefined;
    } catch (thrown) {
      this.#fault = thrown instanceof Unreachable
        ? thrown
        : new Unreachable("The authorization server's keys cannot be used", { cause: thrown });
    }
  }
}

function isKeySet(found: unknown): found is JSONWebKeySet {
  if (typeof found !== "object" || found === null || !("keys" in found)) return false;
  const { keys } = found;
  return Array.isArray(keys) && keys.length <= MOST_KEYS &&
    keys.every((key) => typeof key === "object" && key !== null && "kty" in key);
}
