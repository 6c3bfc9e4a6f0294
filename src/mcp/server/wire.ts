import type { Json } from "../../base/error.ts";
import { wellFormed } from "../../base/json.ts";

/** Who a content or resource is for, and how much it matters (0 to 1). */
export interface Annotations {
  readonly audience?: readonly ("user" | "assistant")[];
  readonly priority?: number;
  /** When it was last seen to change (ISO 8601). */
  readonly lastModified?: string;
}

/** What a tool or a prompt answers, piece by piece. */
export type Content =
  | { readonly type: "text"; readonly text: string; readonly annotations?: Annotations }
  | {
    readonly type: "image";
    /** Base64. */
    readonly data: string;
    readonly mimeType: string;
    readonly annotations?: Annotations;
  }
  | {
    readonly type: "audio";
    /** Base64. */
    readonly data: string;
    readonly mimeType: string;
    readonly annotations?: Annotations;
  }
  | {
    readonly type: "resource";
    readonly resource: { readonly uri: string; readonly mimeType: string; readonly text: string };
    readonly annotations?: Annotations;
  }
  | {
    readonly type: "resource_link";
    readonly uri: string;
    readonly name: string;
    readonly mimeType?: string;
    readonly description?: string;
  };

/** Severities of RFC 5424, the lowest first. */
export const LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** An error of the protocol: it is answered as a JSON-RPC error, not as a tool's result. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    // They quote what a client sent.
    super(message.toWellFormed());
    this.code = code;
    this.data = data === undefined ? undefined : wellFormed(data);
  }
}

/** Codes of protocol errors (JSON-RPC 2.0 and MCP). */
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const RESOURCE_NOT_FOUND = -32002;
export const RATE_LIMITED = -32000;
export const URL_ELICITATION_REQUIRED = -32042;
