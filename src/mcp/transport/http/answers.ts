import { STATUS_CODES } from "node:http";
import type { Json } from "../../../base/error.ts";
import { defined } from "../../../base/defined.ts";

/** Codes of the errors that HTTP itself answers with. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const REFUSED = -32000;
export const NO_SESSION = -32001;

/** What is answered where a request goes no further: an HTTP status with a JSON-RPC error as its body. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: { readonly [name: string]: string };
  readonly data?: Json;
}

/** A refusal, for short. */
export function refuse(
  status: number,
  message: string,
  options: { code?: number; headers?: { readonly [name: string]: string }; data?: Json } = {},
): Refusal {
  const { code = REFUSED, headers, data } = options;
  return {
    status,
    code,
    message,
    ...defined({ headers, data }),
  };
}

/** The body of a refusal: never anything that the request held. */
function refusalBody({ code, message, data }: Refusal): string {
  const error = { code, message, ...defined({ data }) };
  return JSON.stringify({ jsonrpc: "2.0", id: null, error });
}

/** A refusal as a response. Its connection ends: who is refused keeps no place. */
export function refusalResponse(refusal: Refusal): Response {
  return new Response(refusalBody(refusal), {
    status: refusal.status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      "connection": "close",
      ...refusal.headers,
    },
  });
}

/** A refusal as the bytes of an answer, where no server is there to write it. */
export function refusalWire(refusal: Refusal): string {
  const body = refusalBody(refusal);
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "connection": "close",
    ...refusal.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}\r\n${lines}\r\n${body}`;
}

/** JSON with a status. */
export function jsonResponse(body: Json, headers: { readonly [name: string]: string } = {}): Response {
  return new Response(JSON.stringify(body), {
    status: 200,
    headers: { "content-type": "application/json", ...headers },
  });
}
