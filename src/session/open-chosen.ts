import type { Call } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Mode } from "../desktop/desktop.ts";
import { openSession } from "./open-session.ts";
import type { Session } from "./session.ts";
import type { DesktopSettings } from "./settings/settings.ts";

/** Which desktop a file or a command line means. */
export interface ChosenDesktop {
  /** "isolated", "attach", "simulated", or the id of a desktop that was kept. */
  readonly session: string;
  /** "background" or "focus": whether a desktop that was there before may be disturbed. */
  readonly mode?: string | undefined;
  /** What a private one is to be like; one that is there already has to be like it. */
  readonly settings?: DesktopSettings | undefined;
  /** A new private one stays after this process. */
  readonly keep?: boolean | undefined;
}

/** Opens the desktop that is meant. Rejects as `openSession` does, and with `usage` for what is none. */
export async function openChosen(
  { session, mode: wanted, settings, keep }: ChosenDesktop,
  call: Call,
): Promise<Session> {
  const mode: { readonly mode?: Mode } = wanted === "background" || wanted === "focus"
    ? { mode: wanted }
    : {};
  const like = settings === undefined ? {} : { settings };
  switch (session) {
    case "isolated":
      return await openSession({
        kind: "isolated",
        ...like,
        ...defined({ keep }),
      }, call);
    case "simulated":
      return await openSession({ kind: "simulated", ...mode, ...like }, call);
    case "attach":
      return await openSession({ kind: "attach", ...mode, ...like }, call);
    default:
      if (!/^[a-z0-9]+$/.test(session)) {
        throw new BackstepError("usage", `Cannot use the session ${JSON.stringify(session)}`, {
          hint: "Possible: isolated, attach, simulated, or the id of a kept desktop.",
        });
      }
      return await openSession({ kind: "attach", id: session, ...mode, ...like }, call);
  }
}
