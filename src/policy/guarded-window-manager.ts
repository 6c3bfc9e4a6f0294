import type { Call } from "../base/call.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { WindowManager, WmWindow } from "../wm/model.ts";
import type { DesktopPolicy } from "./guarded-desktop.ts";
import { Identities, type Seen } from "./identities.ts";
import type { AppIdentity } from "./security.ts";

/**
 * The same window manager as a policy lets it be seen: windows of what is blocked are left out, and no workspace names
 * one as its active one. `raw` is the desktop as it is, by which owners of windows are known.
 */
export function guardWindowManager(
  manager: WindowManager,
  raw: Desktop,
  policy: DesktopPolicy,
): WindowManager {
  const identities = new Identities(raw);
  const isAllowed = (window: WmWindow, seen: Seen) =>
    ownersOf(window, seen, identities).every((one) => policy.blocked(one) === undefined);
  const windows = async (call?: Call) => {
    const all = await manager.windows(call);
    if (!policy.restricts) return all;
    const seen = await identities.now(call);
    return all.filter((one) => isAllowed(one, seen));
  };
  return {
    kind: manager.kind,
    parts: manager.parts,
    outputs: (call) => manager.outputs(call),
    async workspaces(call) {
      const workspaces = await manager.workspaces(call);
      if (!policy.restricts) return workspaces;
      const shown = new Set((await windows(call)).map(({ id }) => id));
      return workspaces.map((one) =>
        shown.has(one.active_window_id ?? -1) ? one : { ...one, active_window_id: null }
      );
    },
    windows,
    layers: (call) => manager.layers(call),
    keyboardLayouts: (call) => manager.keyboardLayouts(call),
    overview: (call) => manager.overview(call),
    // Whoever sends one names a window that was read here.
    command: (command, call) => manager.command(command, call),
    on: (changed) => manager.on(changed),
    close: () => manager.close(),
  };
}

/** Who the owner of a window may be. i3 tells no process: then every window of its class on the desktop counts. */
function ownersOf({ pid, app_id }: WmWindow, seen: Seen, identities: Identities): readonly AppIdentity[] {
  const windowClass = app_id ?? "";
  const same = seen.windows.filter((one) => pid === null ? one.windowClass === windowClass : one.pid === pid);
  if (same.length > 0) return same.flatMap((one) => identities.window(one, seen));
  const owner = identities.process(pid ?? 0, seen);
  return [{ ...owner, name: owner.name || windowClass, windowClass }];
}
