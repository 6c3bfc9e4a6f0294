import { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import { find, focusWindow } from "../wm/acts.ts";
import type { ReachManager } from "../wm/managed.ts";

/**
 * Which window has the keyboard, by the window manager's own account. Best effort, as every focus: it is restored last, and
 * never decides whether a rollback counts as restored.
 */
export function managedFocus(reach: ReachManager): Participant {
  const label = "focused window";
  return {
    kind: "managed-focus",
    key: label,
    label,
    async capture(_desktop, call): Promise<Image> {
      const windows = await (await reach(call)).windows(call);
      return {
        properties: {},
        incidental: { window: windows.find((one) => one.is_focused)?.id ?? null },
      };
    },
    async restore({ incidental = {} }, desktop, call) {
      const { window: id } = incidental;
      // In the background nothing took it from anywhere.
      if (typeof id !== "number" || desktop.mode === "background") return "none";
      const deadline = Deadline.of(call, 1_500);
      const manager = await reach(deadline.call());
      const window = await find(manager, id, deadline.call());
      const shown = (await manager.workspaces(deadline.call())).find((one) => one.is_focused);
      // Elsewhere it would take its own workspace along.
      if (window === undefined || window.workspace_id !== shown?.id) return "none";
      return (await focusWindow(manager, window, deadline)).method;
    },
    describe: (): Json => ({ kind: "managed-focus" }),
  };
}
