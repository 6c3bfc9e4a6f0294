import type { Deadline } from "../../base/call.ts";
import type { Desktop, DesktopEvent } from "../../desktop/desktop.ts";
import { MOVED } from "../../desktop/moved.ts";

/**
 * Resolves when the desktop has been quiet for `quiet` milliseconds, or at the deadline, or after three times
 * `quiet`: a clock or a spinner on the screen must not keep anybody waiting. Answers whether it was quiet.
 */
export async function settled(desktop: Desktop, quiet: number, deadline: Deadline): Promise<boolean> {
  const watch = desktop.watch();
  try {
    const limit = deadline.within(3 * quiet);
    const moved = new Set<string>();
    let rest = limit.within(quiet);
    while (!limit.passed) {
      const answer = await watch.next(rest.call());
      if (answer === "timeout") return !limit.passed;
      const events = watch.take();
      if (answer === "lost" || events.some((event) => isNews(event, moved))) rest = limit.within(quiet);
    }
    return false;
  } finally {
    watch.close();
  }
}

/** A bar that pulses says sixty times a second that it moved: only the first time is news. */
function isNews({ bus, path, kind }: DesktopEvent, moved: Set<string>): boolean {
  if (!MOVED.test(kind)) return true;
  const { size } = moved;
  return moved.add(`${bus} ${path}`).size > size;
}
