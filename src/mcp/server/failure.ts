import type { Json } from "../../base/error.ts";

/** Kinds of tool errors, after section 17 of the tool specification, and what else a tool may answer with. */
export type FailureKind =
  | "AppNotConnected"
  | "AppNotFound"
  | "AppNotRunning"
  | "LaunchFailed"
  | "QuitBlocked"
  | "ElementNotFound"
  | "ElementAmbiguous"
  | "ElementStale"
  | "ElementNotActionable"
  | "AccessibilityDenied"
  | "SecurityBlocked"
  | "ConfirmationRequired"
  | "RateLimitExceeded"
  | "VlmUnavailable"
  | "ScriptTimeout"
  | "ScriptUnavailable"
  | "WorkflowFailed"
  | "InvalidValue"
  | "Timeout"
  | "Cancelled"
  | "Unsupported"
  | "ActionFailed"
  | "InternalError";

/** A tool could not do what it was asked: answered as a result with `isError`, so that the model can try otherwise. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly kind: FailureKind;
  /** What to try, in one sentence. */
  readonly suggestion: string;
  /** What the kind tells beside its message: `connected`, `strategies_tried`, `candidates`, `retry_after_ms`… */
  readonly data: { readonly [key: string]: Json };
  /** What the tool answers beside, in the shape of its output schema: an `ax_workflow` that failed tells its steps. */
  readonly structured: { readonly [key: string]: Json } | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    options: {
      readonly suggestion: string;
      readonly data?: { readonly [key: string]: Json };
      readonly structured?: { readonly [key: string]: Json };
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.suggestion = options.suggestion;
    this.data = options.data ?? {};
    this.structured = options.structured;
  }
}
