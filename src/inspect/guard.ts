import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Why a request goes no further. */
export interface Denied {
  readonly status: 401 | 403;
  readonly why: string;
}

/**
 * Judges requests by their heads. A page that rebinds its own name to our address comes with that name as Host; a page of
 * somebody else with its own Origin; whoever has not been given the address has no token.
 */
export class Guard {
  readonly #hosts: ReadonlySet<string>;
  readonly #token: Uint8Array;

  constructor(port: number, token: string) {
    this.#hosts = new Set(["127.0.0.1", "localhost"].map((name) => `${name}:${port}`));
    this.#token = digest(token);
  }

  /** The page itself: it holds nothing that is secret. */
  page({ host, origin }: IncomingHttpHeaders): Denied | undefined {
    if (host === undefined || !this.#hosts.has(host.toLowerCase())) {
      return { status: 403, why: "This server does not go by that Host" };
    }
    if (origin !== undefined && !this.#origins().has(origin.toLowerCase())) {
      return { status: 403, why: "Pages of that Origin may not call this server" };
    }
    return undefined;
  }

  /** Everything else. */
  call(headers: IncomingHttpHeaders): Denied | undefined {
    const denied = this.page(headers);
    if (denied) return denied;
    const [, given] = /^Bearer (.{1,200})$/.exec(headers.authorization ?? "") ?? [];
    // Digests have one length, so that the comparison takes one time.
    if (given !== undefined && timingSafeEqual(digest(given), this.#token)) return undefined;
    return { status: 401, why: "The token is missing or wrong: open the address that the command printed" };
  }

  #origins(): ReadonlySet<string> {
    return new Set([...this.#hosts].map((host) => `http://${host}`));
  }
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
