import process from "node:process";
import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Mode } from "../../desktop/desktop.ts";
import { inBackground } from "../../desktop/mode.ts";
import type { NativeSession } from "../native-session.ts";
import { MacLauncher } from "./launcher.ts";
import { type MacSystem, macSystem } from "./system.ts";

/** macOS has one desktop, the person's own. */
export function noPrivateDesktop(): BackstepError {
  return new BackstepError("unsupported", "Cannot start a private desktop: macOS has none", {
    hint:
      "Use your own desktop (--session attach), where clicks and typing stay in the background by default, or one in memory (--session simulated).",
  });
}

/** Opens a session on the person's own desktop. */
export async function openMac(
  { mode = "background" }: { readonly mode?: Mode | undefined },
  deadline: Deadline,
  system: MacSystem = macSystem,
): Promise<NativeSession> {
  const label = `macOS (yours${mode === "background" ? ", in the background" : ""})`;
  const { connectNative } = await import("../../desktop/native/connect.ts");
  const connected = await connectNative({ kind: "attached", label, platform: true }, deadline.call());
  const desktop = mode === "background" ? inBackground(connected) : connected;
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) environment[name] = value;
  return {
    kind: "attached",
    label,
    desktop,
    launcher: new MacLauncher(desktop, system),
    home: process.env["HOME"],
    id: undefined,
    settings: undefined,
    environment,
    privateDesktop: undefined,
    windowManager: () => Promise.resolve(undefined),
    close: () => desktop.close(),
  };
}
