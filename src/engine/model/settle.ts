import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../../desktop/desktop.ts";

/**
 * Resolves when the desktop has been quiet for `quiet` milliseconds, or at the deadline, or after three times
 * `quiet`: a clock or a spinner on the screen must not keep anybody waiting. Answers whether it was quiet.
 */
export async function settled(desktop: Desktop, quiet: number, deadline: Deadline): Promise<boolean> {
  const watch = desktop.watch();
  try {
    const limit = deadline.within(3 * quiet);
    while (!limit.passed) {
      const answer = await watch.next(limit.within(quiet).call());
      if (answer === "timeout") return !limit.passed;
      watch.take();
    }
    return false;
  } finally {
    watch.close();
  }
}
