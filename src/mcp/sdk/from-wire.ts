import { BackstepError, type Json, toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { INVALID_PARAMS, ProtocolError } from "../server/wire.ts";
import { ErrorCode, McpError } from "./sdk.ts";

/** Levels of lists and maps in what a client sends: no tool takes as many, and every reader goes down them. */
const LEVELS = 64;

/** What came over the wire as an object, typed as the JSON that it is. -32602 for what is none, or is nested too deeply. */
export function jsonMap(value: { readonly [key: string]: unknown }): { readonly [key: string]: Json } {
  if (isJsonMap(value, 0)) return value;
  throw new ProtocolError(INVALID_PARAMS, `Invalid params: no JSON of at most ${LEVELS} levels`);
}

function isJsonMap(value: object, level: number): value is { readonly [key: string]: Json } {
  return level < LEVELS && Object.values(value).every((one) => isJson(one, level + 1));
}

function isJson(value: unknown, level: number): value is Json {
  if (typeof value === "object" && value !== null) return isJsonMap(value, level);
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** A schema of the SDK, as far as it is needed to read a request with it. */
export interface Reads<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: { issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Reads a request; -32602 that names the first places where it is not what it must be. */
export function read<T>(schema: Reads<T>, request: unknown): T {
  const read = schema.safeParse(request);
  if (read.success) return read.data;
  const faults = read.error.issues.slice(0, 3).map(({ path, message }) =>
    `${path.map(String).join(".") || "request"}: ${message}`
  );
  throw new ProtocolError(INVALID_PARAMS, `Invalid params: ${faults.join("; ")}`.slice(0, 500));
}

/** What a handler threw, as the JSON-RPC error that its client is answered with. */
export function asProtocolError(thrown: unknown): ProtocolError | McpError {
  if (thrown instanceof ProtocolError || thrown instanceof McpError) return thrown;
  const error = thrown instanceof BackstepError ? thrown : toBackstepError(thrown);
  const { code, message, hint, details } = error.toJSON();
  return new ProtocolError(
    CALLERS_FAULT.has(code) ? INVALID_PARAMS : ErrorCode.InternalError,
    // Clients show the message alone.
    hint === undefined ? message : `${message}. ${hint}`,
    { code, ...defined({ hint, details }) },
  );
}

/** What another request would not be answered with. */
const CALLERS_FAULT: ReadonlySet<string> = new Set(["usage", "invalid", "selector", "workflow"]);
