import type { Call } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { WmAct } from "../../wm/commands.ts";
import { managedBy } from "../../wm/managed.ts";
import type { WindowManager, WmWindow } from "../../wm/model.ts";
import type { WindowAction } from "../desktop.ts";
import { Orphans } from "./orphans.ts";
import type { NativeWindow } from "./replies.ts";

const NO_FRAME = { left: 0, right: 0, top: 0, bottom: 0 } as const;

/**
 * The windows of a window manager as the core lists those of X11: bottom to top, the active one last. Those whose place is not
 * told, as niri tells none, are left out. What lies on a workspace that is not shown counts as minimised.
 */
export function windowsOf(windows: readonly WmWindow[]): NativeWindow[] {
  const order = (one: WmWindow) => one.is_focused ? Infinity : one.stacking ?? 0;
  return [...windows].sort((a, b) => order(a) - order(b)).flatMap((one) => {
    if (one.content === null) return [];
    return [{
      id: one.id,
      pid: one.pid ?? 0,
      rect: one.content,
      title: one.title ?? "",
      windowClass: one.app_id ?? "",
      active: one.is_focused,
      minimised: one.is_visible === false,
      popup: false,
      tooltip: false,
      frame: NO_FRAME,
      ...(one.is_x11 === false ? { local: true } : {}),
    }];
  });
}

/** What a window manager is asked for an act; undefined: it has no word of its own for it. */
function actsOf(id: number, action: WindowAction, { rect }: NativeWindow): readonly WmAct[] | undefined {
  switch (action.do) {
    case "activate":
      return [{ do: "focus", window: id }];
    case "close":
      return [{ do: "close", window: id }];
    case "minimise":
    case "restore":
      return undefined;
    case "place": {
      const { x = rect.x, y = rect.y, width = rect.width, height = rect.height } = action;
      const by = { x: x - rect.x, y: y - rect.y };
      return [
        { do: "resize", window: id, width, height },
        { do: "move", window: id, to: { x, y }, by },
      ];
    }
  }
}

/** The windows of a Wayland desktop: its protocols tell nobody where they lie, its window manager does over its own. */
export class ManagedWindows {
  readonly #manager: (call: Call) => Promise<WindowManager | undefined>;
  readonly #orphans = new Orphans();

  constructor(manager: (call: Call) => Promise<WindowManager | undefined>) {
    this.#manager = manager;
  }

  /** Bottom to top, without those whose process has ended. Rejects with `unsupported` where no window manager answers. */
  async list(call: Call): Promise<NativeWindow[]> {
    const manager = await this.#connected("list the windows", call);
    return windowsOf(this.#orphans.without(await manager.windows(call)));
  }

  /** Rejects with `unsupported`, or `refused` by the window manager. */
  async act(id: number, action: WindowAction, call: Call): Promise<void> {
    const doing = `${action.do} window ${id}`;
    const manager = await this.#connected(doing, call);
    const window = windowsOf(await manager.windows(call)).find((one) => one.id === id);
    if (window === undefined) throw new BackstepError("stale", `Cannot ${doing}: it is not there any more`);
    const acts = actsOf(id, action, window);
    if (acts) {
      for (const act of acts) await managedBy(manager).perform(act, call);
    } else if (manager.kind === "sway") {
      // Its scratchpad is where a window goes that is not to be seen; one that is shown would be hidden by "show".
      if (action.do === "minimise") await manager.command(`[con_id=${id}] move scratchpad`, call);
      else if (window.minimised) await manager.command(`[con_id=${id}] scratchpad show`, call);
    } else {
      throw new BackstepError("unsupported", `Cannot ${doing}: ${manager.kind} hides no windows`);
    }
  }

  async #connected(doing: string, call: Call): Promise<WindowManager> {
    const manager = await this.#manager(call);
    if (manager) return manager;
    throw new BackstepError(
      "unsupported",
      `Cannot ${doing}: no window manager that tells of windows answers`,
      {
        hint:
          "On Wayland sway, i3 and niri do; a private desktop has one: --session isolated --display wayland.",
      },
    );
  }
}
