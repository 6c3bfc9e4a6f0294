import { BackstepError, type ErrorCode } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { Reply } from "./reply.ts";

/** `enum backstep_status`. */
export const Status = {
  ok: 0,
  invalid: -1,
  handle: -2,
  ticket: -3,
  short: -4,
  timeoutUnsent: -5,
  timeoutUnknown: -6,
  cancelledUnsent: -7,
  cancelledUnknown: -8,
  appGone: -9,
  noElement: -10,
  unsupported: -11,
  refused: -12,
  appError: -13,
  bus: -14,
  display: -15,
  protocol: -16,
  limit: -17,
  memory: -18,
  secure: -19,
  permission: -20,
  unsure: -21,
  changed: -22,
} as const;

/** Did something that did not end well reach the application? "unknown": it may have, or may yet. */
export type Outcome = "not_sent" | "unknown";

interface Meaning {
  readonly code: ErrorCode;
  /** Said when the core gives no text of its own. */
  readonly text: string;
  readonly outcome?: Outcome;
  readonly hint?: string;
}

const LATE = "The application may be busy or hung: raise the timeout, or look at it with a screenshot.";
const UNSURE = "It may have happened, or may yet: read the element before doing it again.";
const GRANT = "allow the program that started this one (your terminal), and start it again.";

/** The pane of System Settings that gives a grant, by the word that a reply begins with, and what opens it. */
const PANES: readonly (readonly [grant: string, pane: string, anchor: string])[] = [
  ["accessibility", "Accessibility", "Privacy_Accessibility"],
  ["input", "Accessibility", "Privacy_Accessibility"],
  ["pictures", "Screen & System Audio Recording", "Privacy_ScreenCapture"],
];

function grantHint(reported: string): string {
  const [, pane, anchor] = PANES.find(([grant]) => reported.startsWith(`${grant}:`)) ?? PANES[0] ?? [];
  return `Open System Settings > Privacy & Security > ${pane} ` +
    `(open "x-apple.systempreferences:com.apple.preference.security?${anchor}"), ${GRANT}`;
}

/** What every status becomes for a caller: the one table. */
const meanings: { readonly [status: number]: Meaning } = {
  [Status.invalid]: { code: "invalid", text: "the core does not take this input" },
  [Status.timeoutUnsent]: {
    code: "timeout",
    text: "the deadline passed before anything was sent",
    outcome: "not_sent",
    hint: LATE,
  },
  [Status.timeoutUnknown]: {
    code: "timeout",
    text: "no answer came before the deadline",
    outcome: "unknown",
    hint: UNSURE,
  },
  [Status.cancelledUnsent]: {
    code: "cancelled",
    text: "it was cancelled before anything was sent",
    outcome: "not_sent",
  },
  [Status.cancelledUnknown]: {
    code: "cancelled",
    text: "it was cancelled while under way",
    outcome: "unknown",
    hint: UNSURE,
  },
  [Status.appGone]: { code: "app_gone", text: "the application left the accessibility bus" },
  [Status.noElement]: {
    code: "stale",
    text: "the application knows no such element any more",
    hint: "Find the element again.",
  },
  [Status.unsupported]: { code: "unsupported", text: "the element does not offer this" },
  [Status.refused]: { code: "refused", text: "the application answered no" },
  [Status.appError]: { code: "internal", text: "the application answered with an error" },
  [Status.bus]: {
    code: "no_desktop",
    text: "there is no connection to the accessibility bus",
    hint: "Run `backstep check` to see what is missing.",
  },
  [Status.display]: {
    code: "no_desktop",
    text: "there is no connection to the display",
    hint: "Run `backstep check` to see what is missing.",
  },
  [Status.protocol]: { code: "internal", text: "bytes arrived that are no valid message" },
  [Status.limit]: { code: "limit", text: "a bound of the native core was reached" },
  [Status.memory]: { code: "internal", text: "the native core is out of memory" },
  [Status.secure]: { code: "secure", text: "the content of a password field is never read" },
  [Status.permission]: {
    code: "no_desktop",
    text: "this program has not been granted what it takes",
    outcome: "not_sent",
  },
  [Status.unsure]: {
    code: "internal",
    text: "the application answered an error that it also gives after acting",
    outcome: "unknown",
    hint: UNSURE,
  },
  [Status.changed]: {
    code: "stale",
    text: "another element answers at its address now",
    outcome: "not_sent",
    hint: "Find the element again.",
  },
  [Status.handle]: { code: "internal", text: "the session is closed" },
  [Status.ticket]: { code: "internal", text: "the native core knows no such ticket" },
  [Status.short]: { code: "internal", text: "a buffer was too short" },
};

/** Characters of the core's own text that an error carries. */
const MOST_TEXT = 1_000;

/**
 * The error for a status other than `ok`.
 *
 * @param doing What was tried, to follow "Cannot".
 * @param reply A failed operation's reply: one string that explains.
 */
export function statusError(
  status: number,
  doing: string,
  reply?: Uint8Array,
  cause?: unknown,
): BackstepError {
  const meaning: Meaning = meanings[status] ?? { code: "internal", text: `the core answered ${status}` };
  const reported = explanation(reply);
  const hint = status === Status.permission ? grantHint(reported) : meaning.hint;
  return new BackstepError(meaning.code, `Cannot ${doing}: ${reported === "" ? meaning.text : reported}`, {
    ...defined({ cause, hint }),
    details: { status, ...defined({ outcome: meaning.outcome }) },
  });
}

function explanation(reply: Uint8Array | undefined): string {
  if (reply === undefined || reply.length < 4) return "";
  const fields = new Reply(reply);
  const length = fields.u32();
  if (length !== fields.left) return "";
  const text = new Reply(reply).str().trim();
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}
