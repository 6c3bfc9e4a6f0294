import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import { randomInt } from "node:crypto";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { BackstepError } from "../../base/error.ts";
import { type DesktopFolders, MARKER } from "../environment.ts";
import type { PartsPlan, RunningDisplay, StartPart } from "../parts-plan.ts";
import { findProgram } from "../programs.ts";
import { outputsOf, READY, swayConfig, XWAYLAND_SCRIPT } from "./outputs.ts";
import { displayVariables, ipcOf, runtimeOf, WAYLAND } from "./variables.ts";

/**
 * Users that a compositor may run as where Backstep is root: sway refuses root. Nobody's by Debian's policy, below 65,536, which
 * a container may end at. A new one for each desktop, so that no two compositors can reach each other.
 */
const USERS = { first: 61_184, end: 65_519 } as const;

/**
 * Starts sway without hardware, as an ordinary user where this process is root: applications, HOME and files keep the caller's
 * identity. Rejects with `no_desktop`, or `io` where its folder cannot be made.
 */
export async function startCompositor(
  { folders, environment, screen }: PartsPlan,
  start: StartPart,
  deadline: Deadline,
): Promise<RunningDisplay> {
  const path = environment["PATH"] ?? "";
  const runtime = runtimeOf(folders);
  const xwayland = findProgram("Xwayland", path) !== undefined;
  const user = process.getuid?.() === 0 ? randomInt(USERS.first, USERS.end) : undefined;
  writeRuntime(folders, swayConfig(screen, xwayland), user);
  const part = await start("sway", {
    args: ["--config", join(runtime, "config")],
    environment: {
      PATH: path,
      LANG: environment["LANG"] ?? "C.UTF-8",
      [MARKER]: environment[MARKER] ?? "",
      HOME: runtime,
      XDG_RUNTIME_DIR: runtime,
      XAUTHORITY: join(runtime, "Xauthority"),
      SWAYSOCK: ipcOf(folders),
      WLR_BACKENDS: "headless",
      WLR_HEADLESS_OUTPUTS: String(outputsOf(screen).length),
      WLR_LIBINPUT_NO_DEVICES: "1",
      WLR_RENDERER: "pixman",
      WLR_XWAYLAND: join(runtime, "xwayland"),
      XKB_DEFAULT_LAYOUT: "us",
    },
    ...defined({ user }),
  });
  const sign = join(runtime, READY);
  const signed = appears(runtime, sign);
  try {
    await part.whileAlive(signed.appeared, deadline, "it was not ready in time");
  } finally {
    signed.close();
  }
  const [socket = "", xDisplay = ""] = readFileSync(sign, "utf8").split("\n");
  if (!/^wayland-\d+$/.test(socket)) throw part.failure(`it wrote "${socket}" for its socket`);
  const display = WAYLAND + join(runtime, socket);
  return {
    display,
    variables: {
      ...displayVariables(display, folders),
      ...(/^:\d+$/.test(xDisplay) ? { DISPLAY: xDisplay } : {}),
    },
    managed: Promise.resolve(),
    // Applications ask the session bus. AT_SPI_BUS_ADDRESS would leave Qt 6.4 without a tree; there is no root window.
    accessible: () => Promise.resolve({}),
  };
}

/** The first folder above a desktop that only its owner and group may go through; undefined: there is none. */
function closedAbove(folder: string): string | undefined {
  for (let above = dirname(folder);; above = dirname(above)) {
    if ((statSync(above).mode & 0o001) === 0) return above;
    if (above === dirname(above)) return undefined;
  }
}

/** The compositor's own folder: what it needs, and nothing of the desktop's. */
function writeRuntime(folders: DesktopFolders, config: string, user: number | undefined): void {
  const runtime = runtimeOf(folders);
  const at = (name: string) => join(runtime, name);
  try {
    mkdirSync(runtime, { mode: 0o700 });
    writeFileSync(at("config"), config, { mode: 0o600 });
    writeFileSync(at("xwayland"), XWAYLAND_SCRIPT, { mode: 0o700 });
    copyFileSync(folders.authority, at("Xauthority"));
    chmodSync(at("Xauthority"), 0o600);
    if (user === undefined) return;
    const closed = closedAbove(folders.root);
    if (closed !== undefined) {
      throw new BackstepError(
        "no_desktop",
        `Cannot start sway as user ${user}: it may not go through ${closed}`,
        {
          hint:
            `sway refuses to run as root. Set TMPDIR to a folder that every user may go through, or \`chmod o+x ${closed}\`.`,
        },
      );
    }
    for (const path of [runtime, at("config"), at("xwayland"), at("Xauthority")]) chownSync(path, user, user);
    // Its own folder may be reached; each other one in there stays closed.
    chmodSync(folders.root, 0o711);
  } catch (cause) {
    if (cause instanceof BackstepError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackstepError("io", `Cannot make the folder of a Wayland compositor: ${why}`, {
      cause,
      hint: user === undefined
        ? "Set TMPDIR to a writable folder with free space."
        : `sway refuses to run as root, and gets user ${user}; run Backstep as an ordinary user, or use an X11 desktop.`,
    });
  }
}

/** `appeared` settles once a file is there; until it is closed it keeps the process alive. */
function appears(folder: string, file: string): { readonly appeared: Promise<void>; close(): void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => {
    if (existsSync(file)) resolve();
  };
  const watcher = watch(folder, look);
  watcher.on("error", reject);
  look();
  return { appeared: promise, close: () => watcher.close() };
}
