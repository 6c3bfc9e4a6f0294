import { type Call, Deadline } from "../../../base/call.ts";
import { BackstepError, toBackstepError } from "../../../base/error.ts";
import { cut } from "../../../desktop/describe.ts";
import type {
  WindowManager,
  WmKeyboardLayouts,
  WmLayer,
  WmOutput,
  WmPart,
  WmWindow,
  WmWorkspace,
} from "../../../wm/model.ts";
import { timed } from "../../../wm/socket.ts";
import type { SharedHost } from "../../server/call.ts";
import { INTERNAL_ERROR, ProtocolError } from "../../server/wire.ts";
import { noSuch } from "../axterminator/address.ts";

/** Characters of a text of an application; longer ones end in "…". */
const MOST = 500;

/** The window manager of a server's desktop. Rejects with `no_desktop` where none answers, with `timeout` in the end. */
export async function managerOf(host: SharedHost, deadline: Deadline): Promise<WindowManager> {
  const doing = "reach the window manager";
  const asked = host.desktop.windowManager?.(deadline.call());
  // The attempt goes on for whoever asks next: this one waits as long as its own deadline.
  const manager = asked === undefined ? undefined : await timed<WindowManager | undefined>(
    deadline,
    doing,
    "not_sent",
    (resolve, reject) => {
      asked.then(resolve, (error: unknown) => reject(toBackstepError(error)));
      return () => {};
    },
  );
  if (manager !== undefined) return manager;
  throw new BackstepError("no_desktop", `Cannot ${doing}: this desktop has none that is supported`, {
    hint:
      "Supported are niri, sway and i3, found by NIRI_SOCKET, SWAYSOCK and I3SOCK, and on X11 those that keep to EWMH.",
  });
}

/** -32603 with the reason, for a window manager that does not answer as it should; what else was thrown stays. */
export function unreadable(thrown: unknown, uri: string): unknown {
  if (!(thrown instanceof BackstepError) || thrown.code === "cancelled") return thrown;
  const { code, message, hint } = thrown;
  const text = `Cannot read ${uri.slice(0, 300)}: ${message.slice(0, 500)}`;
  return new ProtocolError(INTERNAL_ERROR, text, {
    uri: uri.slice(0, 2_000),
    code,
    ...(hint ? { hint } : {}),
  });
}

/** What a window manager holds, each part read at most once: all that is made of one reading fits together. */
export class Reading {
  readonly manager: WindowManager;
  readonly #call: Call;
  #outputs: Promise<readonly WmOutput[]> | undefined;
  #workspaces: Promise<readonly WmWorkspace[]> | undefined;
  #windows: Promise<readonly WmWindow[]> | undefined;
  #layers: Promise<readonly WmLayer[]> | undefined;
  #layouts: Promise<WmKeyboardLayouts> | undefined;
  #overview: Promise<{ readonly is_open: boolean }> | undefined;

  constructor(manager: WindowManager, deadline: Deadline) {
    this.manager = manager;
    this.#call = deadline.call();
  }

  outputs(): Promise<readonly WmOutput[]> {
    return this.#outputs ??= this.manager.outputs(this.#call);
  }

  workspaces(): Promise<readonly WmWorkspace[]> {
    return this.#workspaces ??= this.manager.workspaces(this.#call);
  }

  windows(): Promise<readonly WmWindow[]> {
    return this.#windows ??= this.manager.windows(this.#call).then((all) =>
      all.map((one) => ({ ...one, title: shown(one.title), app_id: shown(one.app_id) }))
    );
  }

  /** Throws -32002 where the window manager has none; so do the next two. */
  async layers(uri: string): Promise<readonly WmLayer[]> {
    this.#need("layers", uri);
    return await (this.#layers ??= this.manager.layers(this.#call));
  }

  async layouts(uri: string): Promise<WmKeyboardLayouts> {
    this.#need("keyboard-layouts", uri);
    return await (this.#layouts ??= this.manager.keyboardLayouts(this.#call));
  }

  async overview(uri: string): Promise<{ readonly is_open: boolean }> {
    this.#need("overview-state", uri);
    return await (this.#overview ??= this.manager.overview(this.#call));
  }

  #need(part: WmPart, uri: string): void {
    const { kind, parts } = this.manager;
    if (!parts.has(part)) throw noSuch(uri, `${kind} has no ${PARTS[part]}`, { code: "unsupported" });
  }
}

const PARTS: Readonly<Record<WmPart, string>> = {
  "layers": "list of layers in its protocol",
  "keyboard-layouts": "keyboard layouts in its protocol",
  "overview-state": "overview in its protocol",
};

function shown(text: string | null): string | null {
  return text === null ? null : cut(text.toWellFormed(), MOST);
}
