import { join } from "node:path";
import type { DesktopFolders } from "../environment.ts";

/** What the name of a Wayland display begins with; the path of its socket follows. */
export const WAYLAND = "wayland:";

/** Is a display one of Wayland's? */
export function isWayland(display: string): boolean {
  return display.startsWith(WAYLAND);
}

/** Where the window managers of Wayland listen. */
const MANAGERS = ["NIRI_SOCKET", "SWAYSOCK"] as const;

/**
 * The variables that lead to the window manager of a Wayland display, and no others: by DISPLAY one of XWayland's answers,
 * which knows the windows of X11 alone.
 */
export function managerVariables(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(MANAGERS.flatMap((name) => {
    const value = environment[name];
    return value ? [[name, value] as const] : [];
  }));
}

/** The folder of the compositor's sockets: its own, since it may run as another user. */
export function runtimeOf({ root }: Pick<DesktopFolders, "root">): string {
  return join(root, "wl");
}

/** The socket that the compositor takes commands at. */
export function ipcOf(folders: Pick<DesktopFolders, "root">): string {
  return join(runtimeOf(folders), "ipc");
}

/** The variables by which applications find a display: ":7", or "wayland:/path" and XWayland's number where it has one. */
export function displayVariables(
  display: string,
  folders: Pick<DesktopFolders, "root">,
): Record<string, string> {
  if (!isWayland(display)) return { DISPLAY: display };
  return {
    WAYLAND_DISPLAY: display.slice(WAYLAND.length),
    SWAYSOCK: ipcOf(folders),
    XDG_SESSION_TYPE: "wayland",
    GDK_BACKEND: "wayland",
    QT_QPA_PLATFORM: "wayland",
    // The compositor draws none either: a window is what it shows.
    QT_WAYLAND_DISABLE_WINDOWDECORATION: "1",
    MOZ_ENABLE_WAYLAND: "1",
    ELECTRON_OZONE_PLATFORM_HINT: "wayland",
  };
}
