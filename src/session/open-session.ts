import { join } from "node:path";
import { type Call, Deadline } from "../base/call.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { type Attachment, attachToDesktop, attachToUser } from "./attach.ts";
import { stateFolder } from "./lease.ts";
import { type LaunchPlace, NativeLauncher } from "./native-launcher.ts";
import { type PrivateDesktop, type PrivateDesktopOptions, startPrivateDesktop } from "./private-desktop.ts";
import { adoptDesktop } from "./reap.ts";
import type { Session } from "./session.ts";
import { SimulatedLauncher, type SimulatedPlace } from "./simulated-launcher.ts";

/** How the native provider connects to a real desktop; `src/desktop/native/connect.ts` is the one there is. */
export type ConnectNative = (
  options: {
    readonly kind: "isolated" | "attached";
    readonly label: string;
    readonly a11yBus?: string;
    readonly sessionBus?: string;
    readonly display?: string;
  },
  call?: Call,
) => Promise<Desktop>;

/** A new private desktop, ended with the session unless it is kept. */
export interface IsolatedOptions extends PrivateDesktopOptions {
  readonly kind: "isolated";
  readonly connect?: ConnectNative;
}

/** The user's own desktop, or a private one that was left running. */
export interface AttachOptions {
  readonly kind: "attach";
  /** Id of a private desktop; default: the user's own. */
  readonly id?: string;
  /** Become the owner of the private desktop, so that it ends with this session; its owner must be gone. */
  readonly adopt?: boolean;
  /** State folder; default `stateFolder()`. */
  readonly state?: string;
  readonly connect?: ConnectNative;
}

/** A desktop in memory. */
export interface SimulatedOptions {
  readonly kind: "simulated";
  /** Makes it; default: `simulate()` with nothing running. */
  readonly simulate?: () => SimulatedPlace;
}

/** Which desktop a session is to have. */
export type OpenSessionOptions = IsolatedOptions | AttachOptions | SimulatedOptions;

/** A session on a real desktop knows more than the contract asks for. */
export interface NativeSession extends Session {
  /** The environment of what is launched on it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The private desktop that belongs to it; undefined when it was there before. */
  readonly privateDesktop: PrivateDesktop | undefined;
}

/** Milliseconds for a desktop to be there and to answer. */
const OPEN = 20_000;

/**
 * Opens a session: a private desktop is started, the user's own is found, a simulated one is made. What was started is
 * ended again when anything fails.
 *
 * Rejects with `missing`, `no_desktop`, `not_found` (no such private desktop), `timeout` or `cancelled`.
 *
 * @example
 * ```ts
 * import { openSession } from "./open-session.ts";
 * const session = await openSession({ kind: "simulated" });
 * try {
 *   const { processId } = await session.launcher.launch("sim.calculator");
 *   const [running] = await session.launcher.list();
 *   if (running?.processId !== processId) throw new Error("it does not run");
 * } finally {
 *   await session.close();
 * }
 * ```
 */
export function openSession(options: IsolatedOptions | AttachOptions, call?: Call): Promise<NativeSession>;
export function openSession(options: OpenSessionOptions, call?: Call): Promise<Session>;
export function openSession(options: OpenSessionOptions, call?: Call): Promise<Session> {
  switch (options.kind) {
    case "isolated":
      return openIsolated(options, Deadline.of(call, OPEN));
    case "attach":
      return openAttached(options, Deadline.of(call, OPEN));
    case "simulated":
      return openSimulated(options);
  }
}

async function openIsolated(options: IsolatedOptions, deadline: Deadline): Promise<NativeSession> {
  const desktop = await startPrivateDesktop(options, deadline.call());
  try {
    const attachment: Attachment = { ...desktop, lease: desktop.lease, home: desktop.folders.home };
    return await connectTo(attachment, options.connect, desktop.managed, deadline, {
      privateDesktop: desktop,
      stop: () => desktop.lease.kept ? Promise.resolve() : desktop.stop(),
    });
  } catch (error) {
    await desktop.stop();
    throw error;
  }
}

async function openAttached(options: AttachOptions, deadline: Deadline): Promise<NativeSession> {
  const { id, adopt, state, connect } = options;
  if (id === undefined) return connectTo(await attachToUser(deadline.call()), connect, settled, deadline, {});
  const attachment = attachToDesktop(id, state);
  const stop = adopt ? adoptDesktop(id, state) : undefined;
  return connectTo(attachment, connect, settled, deadline, stop ? { stop } : {});
}

const settled = Promise.resolve();

async function openSimulated(options: SimulatedOptions): Promise<Session> {
  const desktop = (options.simulate ?? (await import("../desktop/simulated/simulate.ts")).simulate)();
  return {
    kind: "simulated",
    label: desktop.label,
    desktop,
    launcher: new SimulatedLauncher(desktop),
    home: undefined,
    id: undefined,
    close: () => desktop.close(),
  };
}

async function connectTo(
  attachment: Attachment,
  connect: ConnectNative | undefined,
  managed: Promise<void>,
  deadline: Deadline,
  own: { readonly privateDesktop?: PrivateDesktop; stop?(): Promise<void> },
): Promise<NativeSession> {
  const { display, sessionBus, accessibilityBus, environment, lease } = attachment;
  const kind = lease === undefined ? "attached" : "isolated";
  const label = lease === undefined
    ? `${display || "no display"} (yours)`
    : `${display} (private ${lease.id})`;
  const desktop = await (connect ?? await nativeProvider())({
    kind,
    label,
    a11yBus: accessibilityBus,
    ...(sessionBus === "" ? {} : { sessionBus }),
    ...(display === "" ? {} : { display }),
  }, deadline.call());
  const launcher = new NativeLauncher(desktop, placeOf(attachment, managed));
  let closed: Promise<void> | undefined;
  const close = async (leave: boolean) => {
    launcher.close();
    try {
      await desktop.close();
    } finally {
      if (!leave) await own.stop?.();
    }
  };
  return {
    kind,
    label,
    desktop,
    launcher,
    home: attachment.home,
    id: lease?.id,
    environment,
    privateDesktop: own.privateDesktop,
    close: (options) => closed ??= close(options?.leave === true),
  };
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
      managed,
    };
}

/** Loaded when it is needed: a simulated session works without the native core. */
async function nativeProvider(): Promise<ConnectNative> {
  return (await import("../desktop/native/connect.ts")).connectNative;
}
