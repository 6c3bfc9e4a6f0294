import { type Call, pause } from "../base/call.ts";
import type { BackstepError } from "../base/error.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { Session } from "./session.ts";

/**
 * A session in the place of one that could not be opened: every call of it rejects with the reason, so that who serves
 * others can tell each of them why nothing can be done, instead of ending.
 *
 * @example
 * ```ts
 * import { BackstepError } from "../base/error.ts";
 * import { absentSession } from "./absent.ts";
 * const { desktop } = absentSession(new BackstepError("no_desktop", "Cannot attach to your desktop: DISPLAY not set"));
 * const why = await desktop.applications().catch((error) => error.message);
 * if (!String(why).includes("DISPLAY")) throw new Error(String(why));
 * ```
 */
export function absentSession(reason: BackstepError): Session {
  const no = () => Promise.reject(reason);
  const desktop: Desktop = {
    kind: "attached",
    mode: "background",
    label: "none",
    capabilities: { accessibility: false, input: false, pictures: false, clipboard: false, windows: false },
    applications: no,
    snapshot: no,
    read: no,
    act: no,
    elementAt: no,
    typeText: no,
    pressKeys: no,
    pointer: no,
    releaseInput: () => Promise.resolve(),
    screenshot: no,
    windows: no,
    window: no,
    readClipboard: no,
    writeClipboard: no,
    watch: silence,
    close: () => Promise.resolve(),
  };
  return {
    kind: "attached",
    label: "none",
    desktop,
    launcher: { catalogue: no, launch: no, quit: no, list: no },
    home: undefined,
    id: undefined,
    close: () => Promise.resolve(),
  };
}

/** Nothing happens on it. */
function silence() {
  const over = new AbortController();
  return {
    async next({ timeout = 0, signal }: Call): Promise<"timeout"> {
      const finished = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
      await pause(timeout, finished).catch((thrown: unknown) => {
        if (signal?.aborted) throw thrown;
      });
      return "timeout";
    },
    take: () => [],
    close: () => over.abort(),
  };
}
