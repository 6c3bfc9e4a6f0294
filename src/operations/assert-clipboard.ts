import { pause } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Expectation } from "../checks/expectation.ts";
import { unmet } from "../checks/unmet.ts";
import { quoted } from "../checks/words.ts";
import type { Context } from "../contract/operation.ts";

/** Milliseconds between two looks: who copies offers the text only once it is asked for, and nobody tells of it. */
const PACE = 100;

/** Waits until the text on the clipboard is as expected; an empty text where there is none. Errors: `assertion`. */
export async function assertClipboard(
  { desktop, deadline }: Pick<Context, "desktop" | "deadline">,
  expected: Expectation,
  limit: number,
): Promise<void> {
  const until = deadline.within(limit);
  for (;;) {
    const text = await desktop.readClipboard(deadline.call());
    const why = unmet(expected, text ?? "");
    if (why === undefined) return;
    if (until.passed) {
      const seen = text === undefined ? "it has no text" : `its text is ${quoted(text)}`;
      throw new BackstepError(
        "assertion",
        `Cannot confirm the clipboard: ${seen}, ${why} (waited ${limit} ms)`,
        {
          details: {
            expected: JSON.stringify(expected).slice(0, 500),
            actual: text?.slice(0, 500) ?? null,
          },
        },
      );
    }
    await pause(Math.max(1, Math.min(PACE, until.remaining())), until.signal);
  }
}
