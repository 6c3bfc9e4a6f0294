import { BackstepError, toBackstepError } from "../../base/error.ts";

type Failure = readonly [
  says: RegExp,
  code: "app_not_found" | "launch_failed",
  what: string,
  hint: string,
];

/** What Launch Services answer, by their numbers and by what `open` writes. Source: LSInfo.h, MacErrors.h. */
const FAILURES: readonly Failure[] = [
  [
    /-10814\b|-43\b|Unable to find application|does not exist/,
    "app_not_found",
    "there is no such application",
    "Look it up: backstep apps",
  ],
  [
    /-10810\b|-10827\b/,
    "launch_failed",
    "it could not be started",
    "Start it once from the Finder, which says why.",
  ],
  [
    /-10825\b|-10661\b/,
    "launch_failed",
    "it needs another version of macOS or another processor",
    "Install a version for this Mac.",
  ],
  [
    /-10826\b|-128\b|cancel/i,
    "launch_failed",
    "the person did not allow it",
    "Open it once from the Finder and allow it there.",
  ],
  [
    /-54\b|-5000\b|-1743\b|not permitted|Permission/,
    "launch_failed",
    "macOS does not permit it",
    "System Settings > Privacy & Security names what it blocked.",
  ],
];

/** The number in "kLSExecutableIncorrectFormat: -10661", "error -10810". */
const STATUS = /-(\d{2,5})\b/;

/** The error for an application that did not start: `details.status` is what Launch Services answered, where they did. */
export function openFailure(path: string, thrown: unknown): BackstepError {
  const { code: own, message, hint: ownHint, details } = toBackstepError(thrown);
  // A deadline that passed, or a call that was given up, is no answer of Launch Services.
  if (own === "timeout" || own === "cancelled") return toBackstepError(thrown);
  const [, code = "launch_failed", what = message, hint = ownHint] =
    FAILURES.find(([says]) => says.test(message)) ?? [];
  const [, status] = STATUS.exec(message) ?? [];
  return new BackstepError(code, `Cannot launch ${path}: ${what}`, {
    cause: thrown,
    details: { says: message.slice(0, 500), ...details, ...(status ? { status: -Number(status) } : {}) },
    ...(hint === undefined ? {} : { hint }),
  });
}
