import type { Deadline } from "../../base/call.ts";
import type { Application, Desktop } from "../desktop.ts";
import { isWeb } from "../toolkits.ts";

/**
 * Milliseconds within which a page has taken a key: of 40 each, Tab was told of after 24 at most on a quiet machine, and 37 at a
 * load of 6. Keys go another way into a page than what is asked over accessibility, which can come first: a field that was
 * focused after Tab lost the focus to it.
 */
const LANDS = 100;
/** What a key that moves the focus sets off. */
const FOCUS = /^(?:focus:|object:state-changed:focused)/;

/**
 * Sends keys, and waits until a page has taken them: after one key until the focus moves, else for a moment. Elsewhere nothing
 * is waited for.
 */
export async function pressAndLand(
  desktop: Desktop,
  application: Application | undefined,
  chords: readonly (readonly string[])[],
  deadline: Deadline,
): Promise<void> {
  const send = async () => {
    for (const chord of chords) await desktop.pressKeys(chord, deadline.call());
  };
  if (application === undefined || !isWeb(application)) return await send();
  const watch = desktop.watch(application);
  try {
    await send();
    const landed = deadline.within(LANDS);
    while (!landed.passed) {
      await watch.next(landed.call());
      if (watch.take().some(({ kind }) => FOCUS.test(kind)) && chords.length === 1) return;
    }
  } finally {
    watch.close();
  }
}
