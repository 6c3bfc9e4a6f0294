import type { Call } from "../../base/call.ts";
import { Core } from "../../ffi/core.ts";
import type { CoreSession } from "../../ffi/session.ts";
import { Op } from "../../ffi/op.ts";
import { Request } from "../../ffi/request.ts";
import type { WindowManager } from "../../wm/model.ts";
import type { Desktop, DesktopKind } from "../desktop.ts";
import { ClickNotes } from "./click-notes.ts";
import { Clicks } from "./clicks.ts";
import { NativeDesktop } from "./native-desktop.ts";
import { decodeConnection } from "./replies.ts";
import { ManagedWindows } from "./managed-windows.ts";

/** Which desktop to connect to: an address at least, or the platform's own. */
export interface NativeOptions {
  readonly kind: DesktopKind;
  /** For people: ":7 (private)". */
  readonly label: string;
  /** Address of the accessibility bus; default: the session bus is asked for it. */
  readonly a11yBus?: string;
  /** Address of the session bus; default: none. */
  readonly sessionBus?: string;
  /**
   * X display such as ":7", or "wayland:/path/of/socket"; default: none, which leaves out input, pictures, windows and the
   * clipboard.
   */
  readonly display?: string;
  /** The desktop that this process runs on: the only one of macOS, which has no addresses. Default false. */
  readonly platform?: boolean;
  /**
   * On Wayland: make a keyboard and a pointer, which sway shows an application by taking the focus away and returning it;
   * default true. Without them input is `unsupported`.
   */
  readonly devices?: boolean;
  /** On Wayland: who knows the windows. Default: nobody, which leaves out windows and places. */
  readonly windowManager?: (call: Call) => Promise<WindowManager | undefined>;
  /** A file in which all who drive the desktop note their clicks. Default: none, and others' clicks are not known. */
  readonly clicks?: string;
}

const nobody = () => Promise.resolve(undefined);

/** The display is nobody else's: what runs on it may be arranged on the processors. */
const PRIVATE = 1;
/** No keyboard and no pointer are made there. */
const WITHOUT_DEVICES = 2;
/** The desktop that this process runs on. */
const PLATFORM = 4;
/** Milliseconds to connect in, when the call does not say. */
const DEFAULT_TIMEOUT = 10_000;

/** A desktop that was dropped without `close` holds its session, and with it this process, no longer than memory. */
const dropped = new FinalizationRegistry<CoreSession>((session) => void session.close());

/**
 * Connects to a real desktop through the native core. Events are registered for before this resolves.
 *
 * @throws {BackstepError} `missing`: no native core; `no_desktop`: nothing answers at an address; `timeout`, `cancelled`.
 */
export async function connectNative(options: NativeOptions, call: Call = {}): Promise<Desktop> {
  const session = (await Core.open()).session();
  try {
    const request = new Request()
      .str(options.a11yBus ?? "").str(options.sessionBus ?? "").str(options.display ?? "")
      .u32(
        (options.kind === "isolated" ? PRIVATE : 0) | (options.devices === false ? WITHOUT_DEVICES : 0) |
          (options.platform ? PLATFORM : 0),
      );
    const reply = await session.submit(
      Op.connect,
      request.bytes(),
      { timeout: DEFAULT_TIMEOUT, ...call },
      `connect to the desktop ${options.label}`,
    );
    const wayland = options.display?.startsWith("wayland:") === true;
    const manager = wayland ? new ManagedWindows(options.windowManager ?? nobody) : undefined;
    const connection = decodeConnection(reply);
    const clicks = new Clicks(options.clicks === undefined ? undefined : new ClickNotes(options.clicks));
    const desktop = new NativeDesktop(session, options.kind, options.label, connection, manager, clicks);
    dropped.register(desktop, session);
    return desktop;
  } catch (error) {
    await session.close();
    throw error;
  }
}
