import { isAbsolute, join } from "node:path";
import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { findWindowManager } from "../../wm/open.ts";
import { globalsOf } from "./globals.ts";
import { managerVariables, WAYLAND } from "./variables.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The person's own Wayland session, which can be attached to. */
export interface OwnWayland {
  /** "wayland:" and the path of its socket. */
  readonly display: string;
  readonly compositor: "sway" | "niri";
}

/** Without these there is no keyboard and no pointer. */
const NEEDED = ["wl_seat", "zwlr_virtual_pointer_manager_v1", "zwp_virtual_keyboard_manager_v1"] as const;

/** What is possible where attaching is not. */
export const PRIVATE_INSTEAD =
  "Attaching is possible on sway and niri. A private Wayland desktop is possible under every compositor: --session isolated --display wayland";

/**
 * Finds the person's own Wayland session by WAYLAND_DISPLAY (a path, or a name in XDG_RUNTIME_DIR) and its window manager by
 * SWAYSOCK or NIRI_SOCKET. Nothing is made there. Rejects with `no_desktop` (no such session, or nobody answers), with
 * `unsupported` where the compositor has not what attaching needs, `timeout`, `cancelled`.
 */
export async function findOwnWayland(environment: Environment, deadline: Deadline): Promise<OwnWayland> {
  const path = socketOf(environment);
  const offered = await globalsOf(path, deadline);
  const lacking = NEEDED.filter((name) => !offered.has(name));
  const name = compositorName(environment);
  if (lacking.length > 0) {
    throw notThere(name, `it does not offer ${lacking.join(", ")}`, { path, lacking });
  }
  const variables = managerVariables(environment);
  const { manager, tried } = await findWindowManager(variables, deadline.call());
  manager?.close();
  if (manager?.kind === "sway" || manager?.kind === "niri") {
    return { display: WAYLAND + path, compositor: manager.kind };
  }
  const reasons = tried.filter(({ by }) => variables[by]).map(({ by, error }) => `${by}: ${error.message}`);
  const why = manager
    ? `SWAYSOCK leads to ${manager.kind}, which is none of Wayland's`
    : reasons.length > 0
    ? `its window manager does not answer (${reasons.join("; ")})`
    : "SWAYSOCK and NIRI_SOCKET are not set, so nobody tells where windows are";
  throw notThere(name, why, { path });
}

/** What the session calls itself; for people. */
export function compositorName(environment: Environment): string {
  const called = environment["XDG_CURRENT_DESKTOP"];
  if (called) return called;
  if (environment["NIRI_SOCKET"]) return "niri";
  return environment["SWAYSOCK"] ? "sway" : "a compositor without a name";
}

function socketOf(environment: Environment): string {
  const { WAYLAND_DISPLAY: name, XDG_RUNTIME_DIR: folder } = environment;
  if (name && isAbsolute(name)) return name;
  if (name && folder) return join(folder, name);
  const missing = name ? "XDG_RUNTIME_DIR" : "WAYLAND_DISPLAY";
  throw new BackstepError("no_desktop", `Cannot attach to your Wayland desktop: ${missing} is not set`, {
    hint:
      "Run inside a Wayland session, leave --display wayland out for DISPLAY, or use a private desktop: " +
      "--session isolated --display wayland",
    details: { missing: [missing] },
  });
}

function notThere(name: string, why: string, details: { path: string; lacking?: string[] }): BackstepError {
  return new BackstepError("unsupported", `Cannot attach to your Wayland desktop (${name}) yet: ${why}`, {
    hint: PRIVATE_INSTEAD,
    details: { compositor: name, ...details },
  });
}
