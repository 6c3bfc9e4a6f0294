import { createHash } from "node:crypto";

/** Characters of a label: 64 bits, so that no two sessions of a server share one. */
const LENGTH = 16;

/**
 * What a session is called wherever something is written down or shown: whoever has the id itself has the session. The first 16
 * hexadecimal digits of its SHA-256, so that who knows an id finds its lines: `printf %s ID | sha256sum | cut -c1-16`.
 *
 * @example
 * ```ts
 * import { sessionLabel } from "./session-label.ts";
 * if (sessionLabel("abc") !== "ba7816bf8f01cfea") throw new Error();
 * ```
 */
export function sessionLabel(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, LENGTH);
}
