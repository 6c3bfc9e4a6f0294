import type { WmOutput, WmWindow, WmWorkspace } from "../model.ts";
import { idOfDesktop, type Root } from "./root.ts";

/**
 * The desktops as workspaces. One desktop lies on all outputs, but for window managers such as i3, which tell its corner:
 * named is the output at that corner, else the first.
 */
export function ewmhWorkspaces(
  root: Root,
  windows: readonly WmWindow[],
  outputs: readonly WmOutput[],
): readonly WmWorkspace[] {
  const counts = new Map<string | null, number>();
  return Array.from({ length: root.desktops }, (_, desktop) => {
    const corner = root.corners[desktop];
    const at = outputs.find(({ logical }) =>
      corner !== undefined && logical?.x === corner.x && logical.y === corner.y
    );
    const output = (at ?? outputs[0])?.name ?? null;
    const idx = (counts.get(output) ?? 0) + 1;
    counts.set(output, idx);
    const id = idOfDesktop(desktop);
    const on = windows.filter(({ workspace_id }) => workspace_id === id);
    return {
      id,
      idx,
      name: root.names[desktop] ?? null,
      output,
      is_urgent: on.some(({ is_urgent }) => is_urgent === true),
      is_active: desktop === root.current,
      is_focused: desktop === root.current,
      active_window_id: on.find(({ is_focused }) => is_focused)?.id ?? null,
    };
  });
}
