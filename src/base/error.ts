import { defined } from "./defined.ts";
/** JSON as it is written to journals, results and reports. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Where in a file a fault lies; lines and columns count from 1. */
export interface Place {
  /** As it was named to us: a path, or a made-up name for a source that is no file. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts from 1. */
  readonly column: number;
}

/**
 * The stable codes of everything that can go wrong. `usage` and `workflow` are the user's input (exit 2); the rest is
 * what a desktop answered.
 */
export type ErrorCode =
  | "usage" // a command line, option or configuration that cannot be
  | "workflow" // a fault in a workflow file
  | "selector" // a selector that cannot be parsed
  | "invalid" // an input outside what the operation takes
  | "not_found" // nothing matches a locator
  | "ambiguous" // more than one element matches
  | "stale" // the element is gone, or became another
  | "not_actionable" // hidden, disabled, moving, covered
  | "unsupported" // the element, toolkit or platform cannot do this
  | "refused" // the application said no
  | "needs_focus" // only synthetic input would do it, and the desktop is used in the background
  | "no_effect" // the application said yes, and nothing changed
  | "assertion" // an assertion does not hold
  | "rejected" // a `reject:` step: the work cannot be done as it was asked for, and a retry would not help
  | "timeout" // the deadline passed; `details.outcome` says "not_sent" or "unknown"
  | "cancelled"
  | "interference" // somebody else used the keyboard or the pointer
  | "app_not_found" // no such application is installed
  | "app_not_running"
  | "app_gone" // it left while we spoke to it
  | "launch_failed"
  | "quit_blocked" // a dialog stays open
  | "no_desktop" // no display, bus or accessibility
  | "secure" // the content of a password field
  | "barrier" // an irreversible step where none is allowed
  | "drift" // something that was to be undone is not as it was
  | "claimed" // another process may have done it already, and it must not be done twice
  | "policy" // the policy says no
  | "limit" // a bound was reached
  | "missing" // a program or library is not installed
  | "io" // files
  | "internal";

/** What an error carries beside its message. */
export interface BackstepErrorOptions {
  /** What was thrown below, kept for a stack trace; never in JSON. */
  readonly cause?: unknown;
  /** What to try next, as a sentence. */
  readonly hint?: string;
  /** Where in a workflow file the fault lies. */
  readonly place?: Place;
  /** Structured fields, bounded in size, free of secrets. */
  readonly details?: { readonly [key: string]: Json };
}

/** An error as it appears in JSON results. */
export interface ErrorJson {
  /** What programs go by; messages may change. */
  readonly code: ErrorCode;
  /** One sentence of the form "Cannot X: Y". */
  readonly message: string;
  /** What to try next. */
  readonly hint?: string;
  /** Where in a workflow file the fault lies. */
  readonly place?: Place;
  /** What else is known, such as `near` or `outcome`; bounded in size. */
  readonly details?: { readonly [key: string]: Json };
}

/**
 * The one error class: a stable `code`, a message of the form "Cannot X: Y", and what to try next.
 *
 * @example
 * ```ts
 * import { BackstepError } from "./error.ts";
 * const error = new BackstepError("not_found", 'Cannot click button[name="Save"]: nothing matches', {
 *   hint: "Run `backstep tree` to see what is there.",
 * });
 * if (error.code !== "not_found") throw error;
 * ```
 */
export class BackstepError extends Error {
  /** Always "BackstepError", so that it can be told from others across realms. */
  override readonly name = "BackstepError";
  /** What programs go by: stable, unlike the message. */
  readonly code: ErrorCode;
  /** What to try next, as a sentence; undefined: nothing comes to mind. */
  readonly hint: string | undefined;
  /** Where in a workflow file the fault lies; undefined: not in a file. */
  readonly place: Place | undefined;
  /** What else is known, as JSON; bounded in size, free of secrets. */
  readonly details: { readonly [key: string]: Json } | undefined;

  /** `message` says "Cannot X: Y" without a full stop. */
  constructor(code: ErrorCode, message: string, options: BackstepErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.place = options.place;
    this.details = options.details;
  }

  /** The error as JSON: code, message, and what else is known. */
  toJSON(): ErrorJson {
    return {
      code: this.code,
      message: this.message,
      ...defined({ hint: this.hint, place: this.place, details: this.details }),
    };
  }
}

/** Any thrown value as a BackstepError; a stranger becomes `internal` and keeps its cause. */
export function toBackstepError(thrown: unknown): BackstepError {
  if (thrown instanceof BackstepError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new BackstepError("internal", message, { cause: thrown });
}
