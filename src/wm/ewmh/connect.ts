import { type Call, Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { queryExtension } from "../../x11/requests.ts";
import { Connection } from "../connection.ts";
import type { WindowManager, WmOutput, WmPart } from "../model.ts";
import { sendCommand } from "./commands.ts";
import { listenEwmh } from "./events.ts";
import { ewmhLayouts } from "./layouts.ts";
import { answered, EwmhLink } from "./link.ts";
import { ewmhOutputs } from "./outputs.ts";
import { readRoot, requireManager } from "./root.ts";
import { ewmhWindows } from "./windows.ts";
import { ewmhWorkspaces } from "./workspaces.ts";

/** Milliseconds to connect. */
const CONNECT = 2_000;
/** The outputs of XWayland, before it had an extension that says so. */
const XWAYLAND = /^XWAYLAND\d+$/;

/**
 * Reaches the window manager of a display of this machine, where it keeps to EWMH; `authority` is the file that lets us in.
 * Rejects with `no_desktop` where none does, `unsupported` on XWayland, whose display does not tell of Wayland's windows,
 * `timeout`, `cancelled`, `invalid`.
 *
 * @example
 * ```ts ignore
 * const wm = await connectEwmh(":0", "/home/me/.Xauthority");
 * await wm.command({ PlaceWindow: { id: 0x1400003, x: 0, y: 0 } });
 * ```
 */
export async function connectEwmh(
  display: string,
  authority: string | undefined,
  call?: Call,
): Promise<WindowManager> {
  const connection = new Connection<EwmhLink>(`display ${display}`, {
    open: (deadline) => EwmhLink.open(display, authority, deadline),
    listen: listenEwmh,
  });
  const read = <T>(doing: string, talk: (link: EwmhLink) => Promise<T>, call?: Call): Promise<T> =>
    connection.use((link, deadline) => answered(() => talk(link), doing, deadline), call);
  const lacks = (what: string) =>
    Promise.reject(new BackstepError("unsupported", `Cannot read the ${what}: EWMH has none`));
  const deadline = Deadline.of(call, CONNECT);
  const parts = new Set<WmPart>();
  try {
    const doing = `reach the window manager of display ${display}`;
    await read(doing, async (link) => {
      const [outputs, extension] = await Promise.all([
        ewmhOutputs(link),
        link.x.ask(queryExtension("XWAYLAND")),
      ]);
      if (extension !== undefined || outputs.every(({ name }) => XWAYLAND.test(name))) throw onWayland(doing);
      await requireManager(link, doing);
      if (link.xkb !== undefined) parts.add("keyboard-layouts");
    }, deadline.call());
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    kind: "ewmh",
    parts,
    outputs: async (call) => byName(await read("list outputs", ewmhOutputs, call)),
    workspaces: (call) =>
      read("list workspaces", async (link) => {
        const [root, outputs] = await Promise.all([readRoot(link, "list workspaces"), ewmhOutputs(link)]);
        return ewmhWorkspaces(root, await ewmhWindows(link, root), outputs);
      }, call),
    windows: (call) =>
      read("list windows", async (link) => ewmhWindows(link, await readRoot(link, "list windows")), call),
    layers: () => lacks("layers"),
    keyboardLayouts: (call) => read("list keyboard layouts", ewmhLayouts, call),
    overview: () => lacks("overview"),
    command: (command, call) =>
      read("command the window manager", (link) => sendCommand(link, command), call),
    on: (changed) => connection.on(changed),
    close: () => connection.close(),
  };
}

function byName(outputs: readonly WmOutput[]): readonly WmOutput[] {
  return [...outputs].sort((a, b) => a.name < b.name ? -1 : 1);
}

function onWayland(doing: string): BackstepError {
  return new BackstepError("unsupported", `Cannot ${doing}: it is XWayland, which has X11's windows alone`, {
    hint: "Name the socket of the Wayland compositor: NIRI_SOCKET or SWAYSOCK.",
  });
}
