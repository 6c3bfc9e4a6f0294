import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Window, WindowAction } from "../desktop.ts";
import type { World } from "./world.ts";

/** Popups have numbers of their own, beyond those of windows. */
const POPUP = 10_000;

/** The windows, bottom to top; what a menu or combo box opened is a popup, and popups come last. */
export function windowsOf(world: World): Window[] {
  const active = world.active();
  const windows: Window[] = world.stack.map((window) => ({
    id: window.id,
    pid: window.app.pid,
    rect: { x: window.x, y: window.y, width: window.width, height: window.height },
    title: window.widget.name,
    windowClass: window.app.id,
    active: window === active,
    minimised: window.minimised,
    popup: false,
  }));
  for (const { popup, id, pid, windows: own } of world.running) {
    const first = popup?.children[0];
    if (popup === undefined || first === undefined) continue;
    popup.app.layOutAll();
    // Its window was minimised, and it went with it.
    if (!first.showing) continue;
    const last = popup.children.at(-1) ?? first;
    const rect = { x: first.x, y: first.y, width: first.width, height: last.y + last.height - first.y };
    const of = own.findIndex((window) => window.widget === popup.app.windowOf(popup)?.widget);
    windows.push({
      id: POPUP * pid + of,
      pid,
      rect,
      title: "",
      windowClass: id,
      active: false,
      minimised: false,
      popup: true,
    });
  }
  return windows;
}

/** Does what a window manager does to a window. */
export function applyWindowAction(world: World, id: number, action: WindowAction): void {
  const window = world.stack.find((one) => one.id === id);
  if (window === undefined) {
    throw new BackstepError("stale", `Cannot ${action.do} window ${id}: it is gone`, {
      details: { windows: world.stack.map((one) => ({ id: one.id, title: one.widget.name.slice(0, 80) })) },
    });
  }
  switch (action.do) {
    case "activate":
    case "restore":
      if (action.do === "activate" || window.minimised) world.raise(window);
      return;
    case "close":
      if (!world.blockedBy(window)) window.app.requestClose(window.key);
      return;
    case "minimise":
      if (window.minimised) return;
      world.log.changed(window.app.id, window.key, "minimised", false, true);
      world.restack(() => window.minimised = true);
      window.app.dirty();
      return;
    case "place": {
      const { x, y, width, height } = action;
      world.place(window, {
        ...defined({ x, y }),
        ...(width === undefined ? {} : { width: Math.max(1, width) }),
        ...(height === undefined ? {} : { height: Math.max(1, height) }),
      });
    }
  }
}
