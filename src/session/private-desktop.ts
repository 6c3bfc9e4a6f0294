import { randomInt } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Call, Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import {
  baseFolder,
  desktopEnvironment,
  type DesktopFolders,
  foldersOf,
  makeFolders,
} from "./environment.ts";
import { type Lease, Leases, thisOwner } from "./lease.ts";
import type { Part } from "./part.ts";
import { startParts } from "./parts.ts";
import type { Programs } from "./parts-plan.ts";
import { bootId } from "./processes.ts";
import { applySettings } from "./settings/apply.ts";
import { monitorsOf } from "./settings/monitors.ts";
import { type DesktopSettings, requireSettings, screenOf as screenIn } from "./settings/settings.ts";
import { tearDown } from "./teardown.ts";

/** What a private desktop is to be. */
export interface PrivateDesktopOptions {
  /** In pixels; default 1280. `settings.size` goes before it. */
  readonly width?: number;
  /** In pixels; default 800. `settings.size` goes before it. */
  readonly height?: number;
  /** Its screen, language and theme, and the services on its bus. */
  readonly settings?: DesktopSettings;
  /** Bits a pixel: 16 or 24, the default. */
  readonly depth?: number;
  /** Run openbox, so that windows have a place, a frame and the focus; default true. */
  readonly windowManager?: boolean;
  /** Offer OpenGL through GLX, drawn by the processor; default true. Without it the display is there 35 ms earlier. */
  readonly gl?: boolean;
  /** Stay after this process ends, until `stopDesktop`; default false. */
  readonly keep?: boolean;
  /** Folder of the program's state; default: BACKSTEP_STATE, else `backstep` in XDG_STATE_HOME or ~/.local/state. */
  readonly state?: string;
}

/** A private desktop with programs of one's own. */
export interface PrivateDesktopSetup extends PrivateDesktopOptions {
  /** Programs to use instead of those on PATH. */
  readonly programs?: Programs;
}

/** A headless desktop of its own: display, buses, window manager, home. */
export interface PrivateDesktop {
  readonly id: string;
  /** ":7", or "wayland:" and the path of its socket. */
  readonly display: string;
  readonly sessionBus: string;
  readonly accessibilityBus: string;
  /** The whole environment of everything that runs on it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folders: DesktopFolders;
  readonly lease: Lease;
  /**
   * Settles when the window manager is in charge, some 50 ms after the rest: windows that are opened before it are
   * taken over by it. Rejects with `no_desktop`. At once when there is none.
   */
  readonly managed: Promise<void>;
  /** Milliseconds from the call to a desktop that was ready. */
  readonly took: number;
  /** Says that the desktop is to stay after this process (or no longer). */
  keep(kept: boolean): void;
  /** Ends everything on it and removes every trace. May be called more than once. */
  stop(): Promise<void>;
}

/** Milliseconds that a desktop gets to become ready; it takes about a hundred. */
const START = 15_000;

/**
 * Starts a headless desktop: Xvfb, a session bus, an accessibility bus and openbox, all at once, in a home and an
 * environment of their own. Ready means: the display and both buses answer; `managed` says when openbox does. Works
 * without systemd, without a login session, and as root. What was started is ended again when any part fails.
 *
 * Its display lets in who can read the authority file in its folder, nobody else.
 *
 * Its parts run in sessions of their own: they survive the death of this process, and its lease says what is to become
 * of them (see `reap.ts`).
 *
 * Rejects with `missing` (names the package), `no_desktop` (with the last words of the part), `io` (no folder for it, or
 * for its lease), `cancelled`.
 *
 * @example
 * ```ts
 * import { startPrivateDesktop } from "./private-desktop.ts";
 * const desktop = await startPrivateDesktop({ width: 800, height: 600 });
 * try {
 *   await desktop.managed;
 *   if (!/^:\d+$/.test(desktop.display)) throw new Error(desktop.display);
 * } finally {
 *   await desktop.stop();
 * }
 * ```
 */
export async function startPrivateDesktop(
  options: PrivateDesktopSetup = {},
  call?: Call,
): Promise<PrivateDesktop> {
  const began = performance.now();
  const deadline = Deadline.of(call, START);
  deadline.check("start a private desktop");
  requireSettings(options.settings ?? {});
  const { width, height, depth } = screenOf(options);
  const leases = new Leases(options.state);
  const { id, folders } = makeHome();
  const parts: Part[] = [];
  let lease: Lease = {
    version: 1,
    id,
    owner: thisOwner(),
    boot: bootId(),
    ready: false,
    parts: [],
    display: "",
    sessionBus: "",
    accessibilityBus: "",
    folder: folders.root,
    created: new Date().toISOString(),
    kept: options.keep ?? false,
    ...defined({ settings: options.settings }),
  };
  const write = (changes: Partial<Lease>) => {
    lease = { ...lease, ...changes };
    leases.write(lease);
  };
  let stopped: Promise<void> | undefined;
  const end = () => tearDown(lease).then(() => leases.remove(id));
  // What could not be ended is tried again by the next call.
  const stop = () =>
    stopped ??= end().catch((error: unknown) => {
      stopped = undefined;
      throw error;
    });

  try {
    // Written before the first process: if we die in the middle, the mark in their environment finds them.
    write({});
    const windowManager = options.windowManager ?? true;
    const started = (part: Part) => {
      parts.push(part);
      lease = { ...lease, parts: parts.map(({ name, identity }) => ({ name, ...identity })) };
    };
    const { programs = {}, gl = true, settings = {} } = options;
    const bare = desktopEnvironment(id, folders, process.env);
    const additions = await applySettings(settings, folders, bare, deadline);
    const environment = { ...bare, ...additions };
    if (Object.keys(additions).length > 0) write({ environment: additions });
    const { dpi, display: kind = "x11", monitors = [], scale = 1 } = settings;
    const screen = { width, height, depth, dpi, monitors: monitorsOf(monitors), scale };
    const services = (settings.services ?? []).length > 0;
    const { managed, variables, ...running } = await startParts(
      { kind, folders, environment, screen, gl, windowManager, services, programs, started },
      deadline,
    );
    write({ ready: true, ...running, environment: { ...additions, ...variables } });
    return {
      id,
      ...running,
      managed,
      environment: { ...environment, ...variables },
      folders,
      get lease() {
        return lease;
      },
      took: performance.now() - began,
      keep: (kept) => write({ kept }),
      stop,
    };
  } catch (error) {
    // Why there is no desktop matters more than what is left of it: that has a lease or a mark, and `check` ends it.
    await stop().catch(() => {});
    throw error;
  }
}

/** A new folder in the folder for temporary files. */
function makeHome(): { id: string; folders: DesktopFolders } {
  const base = baseFolder(tmpdir());
  for (let tries = 0;; tries++) {
    const id = Array.from({ length: 6 }, () => "abcdefghijkmnpqrstuvwxyz23456789"[randomInt(32)]).join("");
    const folders = foldersOf(join(base, `bs-${id}`));
    try {
      makeFolders(folders);
      return { id, folders };
    } catch (cause) {
      const taken = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
      if (taken && tries < 10) continue;
      if (!taken) rmSync(folders.root, { recursive: true, force: true });
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new BackstepError("io", `Cannot make a folder for a private desktop: ${why}`, {
        cause,
        hint: "Set TMPDIR to a writable folder with free space.",
      });
    }
  }
}

function screenOf(options: PrivateDesktopOptions): { width: number; height: number; depth: number } {
  const { width = 1280, height = 800, depth = 24 } = { ...options, ...screenIn(options.settings ?? {}) };
  const fits = (pixels: number) => Number.isInteger(pixels) && pixels >= 64 && pixels <= 16_384;
  if (fits(width) && fits(height) && (depth === 16 || depth === 24)) return { width, height, depth };
  throw new BackstepError(
    "invalid",
    `Cannot start a private desktop: ${width}x${height}x${depth} is no screen`,
    {
      hint: "Width and height are 64 to 16384 pixels, depth is 16 or 24 bits.",
    },
  );
}
