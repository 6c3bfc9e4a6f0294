import { join } from "node:path";
import process from "node:process";
import { type Call, Deadline } from "../base/call.ts";
import { defined } from "../base/defined.ts";
import { BackstepError, toBackstepError } from "../base/error.ts";
import type { Desktop, Mode } from "../desktop/desktop.ts";
import { inBackground } from "../desktop/mode.ts";
import { onDisplay } from "../x11/display-connection.ts";
import { pointerOn } from "../x11/requests.ts";
import { type Attachment, attachToDesktop, attachToUser } from "./attach.ts";
import { stateFolder } from "./lease.ts";
import { type LaunchPlace, NativeLauncher } from "./native-launcher.ts";
import { platformOf } from "../base/platform.ts";
import { noPrivateDesktop, openMac } from "./macos/open.ts";
import { type PrivateDesktop, type PrivateDesktopOptions, startPrivateDesktop } from "./private-desktop.ts";
import { OwnWindowManager } from "./own-window-manager.ts";
import { adoptDesktop } from "./reap.ts";
import type { NativeSession } from "./native-session.ts";
import { type DesktopSettings, unlike } from "./settings/settings.ts";
import { isWayland, managerVariables } from "./wayland/variables.ts";

/** A new private desktop, ended with the session unless it is kept. */
export interface IsolatedOptions extends PrivateDesktopOptions {
  /** Says that it is to be a private desktop. */
  readonly kind: "isolated";
}

/** The user's own desktop, or a private one that was left running. */
export interface AttachOptions {
  /** Says that the desktop is there already. */
  readonly kind: "attach";
  /** Id of a private desktop; default: the user's own. */
  readonly id?: string;
  /** Become the owner of the private desktop, so that it ends with this session; its owner must be gone. */
  readonly adopt?: boolean;
  /** Folder of the program's state; default: BACKSTEP_STATE, else `backstep` in XDG_STATE_HOME or ~/.local/state. */
  readonly state?: string;
  /**
   * Whether it may take the keyboard, the pointer and the place in front. Default: "background" on the user's own desktop,
   * "focus" on a private one, where that disturbs nobody.
   */
  readonly mode?: Mode;
  /**
   * What the desktop has to be like: `unsupported` is thrown where it is not. On the user's own desktop `display` alone can be
   * given: "wayland" attaches to WAYLAND_DISPLAY (sway, niri), "x11" (the default) to DISPLAY.
   */
  readonly settings?: DesktopSettings;
}

export type { NativeSession } from "./native-session.ts";

/** Milliseconds for a desktop to be there and to answer. */
const OPEN = 20_000;
/** Milliseconds for one question to the display. */
const ASKS = 2_000;
/** Milliseconds for another process to take the clipboard over. */
const LEAVES = 5_000;

/** Opens a session on a real desktop; see `openSession`. */
export function openNative(options: IsolatedOptions | AttachOptions, call?: Call): Promise<NativeSession> {
  const deadline = Deadline.of(call, OPEN);
  if (platformOf() === "macos" && options.kind === "isolated") return Promise.reject(noPrivateDesktop());
  return options.kind === "isolated" ? openIsolated(options, deadline) : openAttached(options, deadline);
}

/** A new private desktop, which may be replaced by another one. */
async function openIsolated(options: IsolatedOptions, deadline: Deadline): Promise<NativeSession> {
  let now = await startIsolated(options, deadline);
  return {
    get kind() {
      return now.kind;
    },
    get label() {
      return now.label;
    },
    get desktop() {
      return now.desktop;
    },
    get launcher() {
      return now.launcher;
    },
    get home() {
      return now.home;
    },
    get id() {
      return now.id;
    },
    get settings() {
      return now.settings;
    },
    get environment() {
      return now.environment;
    },
    get privateDesktop() {
      return now.privateDesktop;
    },
    windowManager: (call) => now.windowManager(call),
    // A new desktop has a display of the same kind.
    ...(now.pointer === undefined ? {} : { pointer: async (call) => await now.pointer?.(call) }),
    async rebuild(call) {
      const old = now;
      // The new one first: when there is none to be had, the old one is still there to be looked at.
      now = await startIsolated(options, Deadline.of(call, OPEN));
      try {
        await old.close({ leave: true });
      } finally {
        await old.privateDesktop?.stop();
      }
    },
    close: (how) => now.close(how),
  };
}

async function startIsolated(options: IsolatedOptions, deadline: Deadline): Promise<NativeSession> {
  const desktop = await startPrivateDesktop(options, deadline.call());
  try {
    const attachment: Attachment = { ...desktop, lease: desktop.lease, home: desktop.folders.home };
    return await connectTo(attachment, desktop.managed, deadline, {
      mode: "focus",
      privateDesktop: desktop,
      stop: () => desktop.lease.kept ? Promise.resolve() : desktop.stop(),
    });
  } catch (error) {
    await desktop.stop();
    throw error;
  }
}

async function openAttached(options: AttachOptions, deadline: Deadline): Promise<NativeSession> {
  const { id, adopt, state } = options;
  if (id === undefined && platformOf() === "macos") {
    const asked = Object.keys(defined({ ...options.settings }));
    if (asked.length > 0) throw elsewhere("your own desktop", []);
    return await openMac(options, deadline);
  }
  if (id === undefined) {
    const mode = options.mode ?? "background";
    const { display, ...others } = options.settings ?? {};
    if (Object.keys(defined(others)).length > 0) throw elsewhere("your own desktop", []);
    const attachment = await attachToUser(deadline.call(), process.env, { display });
    return connectTo(attachment, nothingToWaitFor, deadline, { mode });
  }
  const attachment = attachToDesktop(id, state);
  const others = unlike(options.settings ?? {}, attachment.lease?.settings ?? {});
  if (others.length > 0) throw elsewhere(`desktop ${id}`, others);
  const stop = adopt ? adoptDesktop(id, state) : undefined;
  const mode = options.mode ?? "focus";
  return connectTo(attachment, nothingToWaitFor, deadline, stop ? { mode, stop } : { mode });
}

/** A desktop that is there cannot be made another: it is not used as if it were what was asked for. */
function elsewhere(which: string, others: readonly string[]): BackstepError {
  return new BackstepError(
    "unsupported",
    `Cannot use ${which} as \`desktop:\` wants it${
      others.length === 0 ? "" : `: its ${others.join(", its ")}`
    }`,
    {
      hint:
        "Use a new private desktop (--session isolated), or start one with these settings: backstep session start --help",
    },
  );
}

const nothingToWaitFor = Promise.resolve();

async function connectTo(
  attachment: Attachment,
  managed: Promise<void>,
  deadline: Deadline,
  own: { readonly mode: Mode; readonly privateDesktop?: PrivateDesktop; stop?(): Promise<void> },
): Promise<NativeSession> {
  const { display, sessionBus, accessibilityBus, environment, lease } = attachment;
  const kind = lease === undefined ? "attached" : "isolated";
  const whose = lease === undefined ? "yours" : `private ${lease.id}`;
  const { mode } = own;
  const windowManager = new OwnWindowManager(
    isWayland(display) ? managerVariables(environment) : environment,
  );
  const label = `${display || "no display"} (${whose}${mode === "background" ? ", in the background" : ""})`;
  // Loaded when it is needed: a simulated session works without the native core.
  const { connectNative } = await import("../desktop/native/connect.ts");
  const connected = await connectNative({
    kind,
    label,
    a11yBus: accessibilityBus,
    ...(sessionBus === "" ? {} : { sessionBus }),
    ...(display === "" ? {} : { display: addressOf(display, environment["XAUTHORITY"]) }),
    windowManager: (call) => windowManager.get(call),
    devices: mode !== "background",
    ...(lease === undefined ? {} : { clicks: join(lease.folder, "clicks") }),
  }, deadline.call());
  const desktop = mode === "background" ? inBackground(connected) : connected;
  const launcher = new NativeLauncher(desktop, placeOf(attachment, managed));
  let closed: Promise<void> | undefined;
  const close = async (leave: boolean) => {
    launcher.close();
    windowManager.close();
    try {
      // With a desktop that ends goes its clipboard.
      if (own.stop === undefined || lease?.kept === true) await leaveClipboard(connected);
    } finally {
      try {
        await desktop.close();
      } finally {
        if (!leave) await own.stop?.();
      }
    }
  };
  return {
    kind,
    label,
    desktop,
    launcher,
    home: attachment.home,
    id: lease?.id,
    settings: lease?.settings,
    environment,
    privateDesktop: own.privateDesktop,
    windowManager: (call) => windowManager.get(call),
    ...(display === "" || isWayland(display)
      ? {}
      : { pointer: (call) => pointerAt(display, environment["XAUTHORITY"], Deadline.of(call, ASKS)) }),
    close: (options) => closed ??= close(options?.leave === true),
  };
}

/** What was written or restored there stays when this process ends. */
async function leaveClipboard(desktop: Desktop): Promise<void> {
  try {
    await desktop.leaveClipboard?.({ timeout: LEAVES });
  } catch (thrown) {
    // The display went first.
    if (toBackstepError(thrown).code !== "no_desktop") throw thrown;
  }
}

/** Where the pointer is. */
async function pointerAt(
  display: string,
  authority: string | undefined,
  deadline: Deadline,
): Promise<{ readonly x: number; readonly y: number } | undefined> {
  return await onDisplay(
    { display, authority, doing: "ask where the pointer is", deadline },
    (connection) => connection.ask(pointerOn(connection.screen.root)),
  );
}

/** A display as the core takes it: with the file that lets us in, where X11 has one. */
function addressOf(display: string, authority: string | undefined): string {
  return authority === undefined || isWayland(display) ? display : `${display} ${authority}`;
}

function placeOf(attachment: Attachment, managed: Promise<void>): LaunchPlace {
  const { environment, home = "/", lease } = attachment;
  return lease === undefined
    ? { environment, home, logs: join(stateFolder(), "logs"), notes: undefined, isolated: false, managed }
    : {
      environment,
      home,
      logs: join(lease.folder, "log"),
      notes: join(lease.folder, "apps"),
      isolated: true,
      settings: lease.settings,
      managed,
    };
}
