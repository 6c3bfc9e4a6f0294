import { BackstepError, toBackstepError } from "../../base/error.ts";

/** What Launch Services answer, by their numbers, as the launch control has it. */
const FAILURES:
  readonly (readonly [says: RegExp, code: "app_not_found" | "launch_failed", what: string, hint: string])[] =
    [
      [
        /-10814|-43\b|Unable to find application|does not exist/,
        "app_not_found",
        "there is no such application",
        "Look it up: backstep apps",
      ],
      [
        /-10810|-10827/,
        "launch_failed",
        "it could not be started",
        "Start it once from the Finder, which says why.",
      ],
      [
        /-10825|-10661/,
        "launch_failed",
        "it needs another version of macOS or another processor",
        "Install a version for this Mac.",
      ],
      [
        /-10826|-128\b|cancel/i,
        "launch_failed",
        "the person did not allow it",
        "Open it once from the Finder and allow it there.",
      ],
      [
        /-54\b|-5000\b|-1743|not permitted|Permission/,
        "launch_failed",
        "macOS does not permit it",
        "System Settings > Privacy & Security names what it blocked.",
      ],
    ];

/** The error for an application that did not start. */
export function openFailure(path: string, thrown: unknown): BackstepError {
  const { message } = toBackstepError(thrown);
  const [, code = "launch_failed", what = message, hint] = FAILURES.find(([says]) => says.test(message)) ??
    [];
  return new BackstepError(code, `Cannot launch ${path}: ${what}`, {
    cause: thrown,
    ...(hint === undefined ? {} : { hint }),
  });
}
