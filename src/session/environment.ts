import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeAuthority } from "../x11/authority.ts";
import { userName } from "./user-name.ts";

/** Names of the variables that mark every process of a private desktop, and every launch on it. */
export const MARKER = "BACKSTEP_DESKTOP";
export const LAUNCH_MARKER = "BACKSTEP_LAUNCH";

/** What of the user's own environment goes into a private desktop: where programs are and how the network is reached. */
const INHERITED = [
  "PATH",
  "SHELL",
  "TZ",
  "LD_LIBRARY_PATH",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
] as const;

/** Folders of a private desktop; all of them lie in its one folder. */
export interface DesktopFolders {
  readonly root: string;
  readonly runtime: string;
  readonly home: string;
  readonly temporary: string;
  readonly logs: string;
  readonly launches: string;
  /** The file that lets its reader into the display. */
  readonly authority: string;
}

/** The folders of the desktop whose folder is `root`. Names are short: a socket's path must fit in 108 bytes. */
export function foldersOf(root: string): DesktopFolders {
  const at = (name: string) => join(root, name);
  return {
    root,
    runtime: at("run"),
    home: at("home"),
    temporary: at("tmp"),
    logs: at("log"),
    launches: at("apps"),
    authority: at("Xauthority"),
  };
}

/**
 * The folder that private desktops lie in: the one for temporary files, or /tmp where its path is too long for sockets
 * below it or holds what a bus address or a command line would have to quote.
 */
export function baseFolder(temporary: string): string {
  return /^\/[\w./-]{1,39}$/.test(temporary) ? temporary : "/tmp";
}

/** Makes the folders, closed to everybody else, and the key of the display. Fails when `root` is there already. */
export function makeFolders(folders: DesktopFolders): void {
  mkdirSync(folders.root, { mode: 0o700 });
  const inHome = [".config", ".cache", ".local/share", ".local/state"].map((name) =>
    join(folders.home, name)
  );
  for (const folder of [folders.runtime, folders.temporary, folders.logs, folders.launches, ...inHome]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  writeAuthority(folders.authority);
}

/**
 * The environment of everything that runs on a private desktop. Built from nothing, so that no secret, input method,
 * theme or bus of the user reaches it (but for the password that the address of a proxy may hold): what is not named
 * here is not set.
 */
export function desktopEnvironment(
  id: string,
  folders: DesktopFolders,
  users: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = users[name];
    if (value !== undefined) environment[name] = value;
  }
  // Any login sets both, and programs rely on that; containers do not.
  const user = users["USER"] || users["LOGNAME"] || userName();
  if (user !== undefined) environment["USER"] = environment["LOGNAME"] = user;
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    ...environment,
    [MARKER]: id,
    HOME: folders.home,
    TMPDIR: folders.temporary,
    XAUTHORITY: folders.authority,
    XDG_RUNTIME_DIR: folders.runtime,
    XDG_CONFIG_HOME: join(folders.home, ".config"),
    XDG_CACHE_HOME: join(folders.home, ".cache"),
    XDG_DATA_HOME: join(folders.home, ".local/share"),
    XDG_STATE_HOME: join(folders.home, ".local/state"),
    XDG_DATA_DIRS: users["XDG_DATA_DIRS"] || "/usr/local/share:/usr/share",
    XDG_CONFIG_DIRS: "/etc/xdg",
    XDG_SESSION_TYPE: "x11",
    XDG_CURRENT_DESKTOP: "Backstep",
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folders.runtime, "bus")}`,
    LANG: "C.UTF-8",
    // Settings live and die with the application; GVfs would wait for services that are not there.
    GSETTINGS_BACKEND: "memory",
    GIO_USE_VFS: "local",
    GTK_USE_PORTAL: "0",
    GTK_A11Y: "atspi",
    GDK_BACKEND: "x11",
    GSK_RENDERER: "cairo",
    LIBGL_ALWAYS_SOFTWARE: "1",
    QT_QPA_PLATFORM: "xcb",
    QT_LINUX_ACCESSIBILITY_ALWAYS_ON: "1",
    // Input methods off: what is typed is what arrives.
    GTK_IM_MODULE: "gtk-im-context-simple",
    QT_IM_MODULE: "",
    XMODIFIERS: "@im=none",
  };
}
