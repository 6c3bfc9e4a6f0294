/** How long an authorization server may take for an answer, its body included, in milliseconds. */
const FETCH_MS = 5_000;
/** Bytes of an answer of an authorization server; more is not read. */
const MOST_BYTES = 256 * 1024;

/** An authorization server could not be asked: that says nothing of a token. */
export class Unreachable extends Error {}

/**
 * The JSON at an address, within bounds of size and time; undefined: the server says that there is none. Redirects are
 * not followed. Throws `Unreachable`.
 */
export async function fetchJson(address: string, mostBytes = MOST_BYTES): Promise<unknown> {
  const over = AbortSignal.timeout(FETCH_MS);
  try {
    const response = await fetch(address, { redirect: "error", signal: over });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    return JSON.parse(await textOf(response, mostBytes));
  } catch (thrown) {
    if (thrown instanceof Unreachable) throw thrown;
    const message = thrown instanceof SyntaxError
      ? "The authorization server's answer is not JSON"
      : "The authorization server cannot be reached";
    throw new Unreachable(message, { cause: thrown });
  }
}

async function textOf(response: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) throw new Unreachable("The authorization server's answer is too large");
    chunks.push(chunk);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}
