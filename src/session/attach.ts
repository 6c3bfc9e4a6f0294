import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type Call, Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { BusConnection } from "./bus-connection.ts";

import { desktopEnvironment, foldersOf } from "./environment.ts";
import { type Lease, Leases } from "./lease.ts";
import { bootId, isAlive } from "./processes.ts";
import { findLease } from "./reap.ts";
import type { DisplayKind } from "./settings/settings.ts";
import { findOwnWayland } from "./wayland/own.ts";
import { displayVariables } from "./wayland/variables.ts";

/** Where a desktop that runs already can be reached. */
export interface Attachment {
  /** ":0", or "wayland:" and the path of a socket; "" when there is none: no pictures, keys, pointer or windows then. */
  readonly display: string;
  /** "" when there is none. */
  readonly sessionBus: string;
  readonly accessibilityBus: string;
  /** For what is launched on it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly home: string | undefined;
  /** The lease of a private desktop. */
  readonly lease: Lease | undefined;
}

/** Milliseconds that the user's bus gets to tell where the accessibility bus is. */
const ASK = 5_000;

/**
 * Finds the user's own desktop: DISPLAY, DBUS_SESSION_BUS_ADDRESS (or the bus in XDG_RUNTIME_DIR) and
 * AT_SPI_BUS_ADDRESS (or the answer of org.a11y.Bus). Only where `display` asks for Wayland it is WAYLAND_DISPLAY instead of
 * DISPLAY. Rejects with `no_desktop`, saying exactly what is missing, and with `unsupported` on a compositor of Wayland that
 * cannot be attached to.
 */
export async function attachToUser(
  call?: Call,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  { display: kind = "x11" }: { readonly display?: DisplayKind | undefined } = {},
): Promise<Attachment> {
  const deadline = Deadline.of(call, ASK);
  const display = kind === "wayland"
    ? (await findOwnWayland(environment, deadline)).display
    : environment["DISPLAY"] ?? "";
  const sessionBus = environment["DBUS_SESSION_BUS_ADDRESS"] ||
    busInRuntimeFolder(environment["XDG_RUNTIME_DIR"]);
  const accessibilityBus = environment["AT_SPI_BUS_ADDRESS"] ||
    await askSessionBus(sessionBus, display, deadline);
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) defined[name] = value;
  if (sessionBus !== "") defined["DBUS_SESSION_BUS_ADDRESS"] = sessionBus;
  return {
    display,
    sessionBus,
    accessibilityBus,
    environment: defined,
    home: environment["HOME"],
    lease: undefined,
  };
}

/** Finds a private desktop that was left running, by its id. Rejects with `not_found` or `no_desktop`. */
export function attachToDesktop(id: string, state?: string): Attachment {
  const lease = findLease(new Leases(state), id);
  const dead = lease.boot !== bootId()
    ? [{ name: "everything (the machine was booted since)" }]
    : lease.parts.filter((part) => !isAlive(part));
  if (!lease.ready || dead.length > 0) {
    const why = lease.ready ? `gone: ${dead.map((part) => part.name).join(", ")}` : "it never became ready";
    throw new BackstepError("no_desktop", `Cannot attach to desktop ${id}: ${why}`, {
      hint: `Remove what is left of it: backstep session stop ${id}`,
    });
  }
  const folders = foldersOf(lease.folder);
  const { display, sessionBus, accessibilityBus } = lease;
  const bare = desktopEnvironment(id, folders, process.env);
  const environment = { ...bare, ...displayVariables(display, folders), ...lease.environment };
  return { display, sessionBus, accessibilityBus, environment, home: folders.home, lease };
}

async function askSessionBus(sessionBus: string, display: string, deadline: Deadline): Promise<string> {
  if (sessionBus === "") {
    const missing = ["DBUS_SESSION_BUS_ADDRESS", ...(display === "" ? ["DISPLAY"] : [])];
    throw new BackstepError("no_desktop", `Cannot attach to your desktop: ${missing.join(" and ")} not set`, {
      hint: "Run inside a graphical session, or use a private desktop: session: isolated",
      details: { missing },
    });
  }
  try {
    const connection = await BusConnection.open(sessionBus, deadline);
    try {
      return await connection.accessibilityBus(deadline);
    } finally {
      connection.close();
    }
  } catch (cause) {
    if (cause instanceof BackstepError && cause.code === "cancelled") throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackstepError("no_desktop", `Cannot attach to your desktop: ${why}`, {
      cause,
      hint:
        "Accessibility comes from the Debian package at-spi2-core; switch it on in the desktop's settings, " +
        "or use a private desktop: session: isolated",
      details: { missing: ["org.a11y.Bus"] },
    });
  }
}

function busInRuntimeFolder(folder: string | undefined): string {
  const socket = folder ? join(folder, "bus") : "";
  return socket !== "" && existsSync(socket) ? `unix:path=${socket}` : "";
}
