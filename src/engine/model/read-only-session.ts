import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../../desktop/desktop.ts";
import { readsOf } from "../../desktop/reads-of.ts";
import type { Launcher, Session } from "../../session/session.ts";

/**
 * The same session, only to be looked at: whatever would change anything is refused before it is sent, so that a plan
 * cannot touch what it is about, whatever an operation does while it looks for its target.
 */
export function onlyLooking(session: Session): Session {
  return {
    kind: session.kind,
    label: session.label,
    home: session.home,
    id: session.id,
    get desktop() {
      return watched(session.desktop);
    },
    get launcher(): Launcher {
      const { launcher } = session;
      return {
        catalogue: () => launcher.catalogue(),
        list: (call) => launcher.list(call),
        launch: (id) => refuse(`launch ${id}`),
        quit: (id) => refuse(`quit ${id}`),
      };
    },
    close: () => Promise.resolve(),
  };
}

function refuse(doing: string): Promise<never> {
  return Promise.reject(
    new BackstepError("policy", `Cannot ${doing} while planning: a plan only looks`, {
      details: { outcome: "not_sent" },
    }),
  );
}

function watched(desktop: Desktop): Desktop {
  return {
    ...readsOf(desktop),
    mode: desktop.mode,
    capabilities: desktop.capabilities,
    close: () => Promise.resolve(),
    act: (_element, action) => refuse(action.do),
    typeText: () => refuse("type"),
    pressKeys: (keys) => refuse(`press ${keys.join("+")}`),
    pointer: (gesture) => refuse(`${gesture.do} with the pointer`),
    window: (_id, action) => refuse(`${action.do} a window`),
    writeClipboard: () => refuse("write to the clipboard"),
    ...(desktop.wholeClipboard
      ? { wholeClipboard: { ...desktop.wholeClipboard, restore: () => refuse("write to the clipboard") } }
      : {}),
    releaseInput: () => refuse("release keys"),
  };
}
