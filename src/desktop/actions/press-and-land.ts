import type { Deadline } from "../../base/call.ts";
import type { Application, Desktop } from "../desktop.ts";
import { isWeb } from "../toolkits.ts";

/**
 * Milliseconds within which a page has taken a key: 40 were seen on a quiet machine. Keys go another way into a page than what
 * is asked over accessibility, which can come first: a field that was focused after Tab lost the focus to it.
 */
const LANDS = 100;
/** What a key that moves the focus sets off. */
const FOCUS = /^(?:focus:|object:state-changed:focused)/;

/** Sends keys, and waits until a page has taken them: until the focus moves, or for a moment. Elsewhere nothing is waited for. */
export async function pressAndLand(
  desktop: Desktop,
  application: Application | undefined,
  send: () => Promise<void>,
  deadline: Deadline,
): Promise<void> {
  if (application === undefined || !isWeb(application)) return await send();
  const watch = desktop.watch(application);
  try {
    await send();
    const landed = deadline.within(LANDS);
    while (!landed.passed && await watch.next(landed.call()) === "event") {
      if (watch.take().some(({ kind }) => FOCUS.test(kind))) return;
    }
  } finally {
    watch.close();
  }
}
