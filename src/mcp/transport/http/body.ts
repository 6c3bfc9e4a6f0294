import { INVALID_REQUEST, PARSE_ERROR, type Refusal, refuse } from "./answers.ts";
import type { HttpLimits } from "./limits.ts";

/** A body as JSON, or why there is none. */
export type Body = { readonly json: unknown } | { readonly refusal: Refusal };

/** Reads a body within its bounds of size and time, as JSON in UTF-8. */
export async function readBody(request: Request, limits: HttpLimits): Promise<Body> {
  const tooLarge = {
    refusal: refuse(413, `The body is larger than ${limits.bodyBytes} bytes`),
  };
  if (Number(request.headers.get("content-length") ?? 0) > limits.bodyBytes) return tooLarge;
  if (request.body === null) return parsed("");
  const reader = request.body.getReader();
  const late = Symbol("late");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), limits.bodyMs);
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  let whole = false;
  try {
    while (true) {
      const read = await Promise.race([reader.read(), deadline]);
      if (read === late) {
        return { refusal: refuse(408, "The body did not come in time") };
      }
      if (read.done) break;
      size += read.value.byteLength;
      if (size > limits.bodyBytes) return tooLarge;
      chunks.push(read.value);
    }
    whole = true;
  } catch {
    // The client left in the middle: nobody reads this.
    return { refusal: refuse(400, "The body broke off", { code: PARSE_ERROR }) };
  } finally {
    clearTimeout(timer);
    // Not awaited: a client that stalls would hold it up.
    if (!whole) reader.cancel().catch(() => {});
  }
  try {
    return parsed(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    return { refusal: refuse(400, "Parse error: the body is not UTF-8", { code: PARSE_ERROR }) };
  }
}

function parsed(text: string): Body {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // V8's message quotes the body, which is nobody's business.
    return { refusal: refuse(400, "Parse error: the body is not JSON", { code: PARSE_ERROR }) };
  }
  if (typeof json !== "object" || json === null) {
    return { refusal: refuse(400, "Invalid request: not a JSON-RPC message", { code: INVALID_REQUEST }) };
  }
  return { json };
}
