import { type Call, Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { authorityOf } from "../x11/authority.ts";
import { onDisplay } from "../x11/display-connection.ts";
import { getProperty, utf8 } from "../x11/requests.ts";
import { connectEwmh } from "./ewmh/connect.ts";
import { connectI3 } from "./i3-ipc.ts";
import type { WindowManager } from "./model.ts";
import { connectNiri } from "./niri-ipc.ts";

/** Milliseconds for all ways together, and for one of them. */
const ALL = 6_000, ONE = 2_000;
/** Words of four bytes of a socket's path. */
const PATH_WORDS = 1_024;

/** A way that led to no window manager. */
export interface Tried {
  /** The variable, or the property of the display, that would name it. */
  readonly by: string;
  /** Why: `no_desktop` where it is not set, or nobody answers. */
  readonly error: BackstepError;
}

/** The window manager of an environment, and why the ways before it led to none. */
export interface FoundWindowManager {
  /** Undefined: none answers. */
  readonly manager: WindowManager | undefined;
  readonly tried: readonly Tried[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The window manager that the variables of an environment lead to; the first that answers, of: NIRI_SOCKET, SWAYSOCK, I3SOCK,
 * i3 by the property I3_SOCKET_PATH of DISPLAY, and DISPLAY where its window manager keeps to EWMH. A socket that was left
 * behind by one that is gone does not hide the next. Undefined: none answers; `findWindowManager` says why. Rejects with
 * `cancelled`.
 *
 * @example
 * ```ts ignore
 * const wm = await openWindowManager(process.env);
 * const titles = (await wm?.windows())?.map(({ title }) => title);
 * ```
 */
export async function openWindowManager(
  environment: Environment,
  call?: Call,
): Promise<WindowManager | undefined> {
  return (await findWindowManager(environment, call)).manager;
}

/** As `openWindowManager`, with the reason of each way that led to none. */
export async function findWindowManager(environment: Environment, call?: Call): Promise<FoundWindowManager> {
  const deadline = Deadline.of(call, ALL);
  const tried: Tried[] = [];
  for (const { by, open } of WAYS) {
    try {
      deadline.check("reach the window manager");
      return { manager: await open(environment, deadline.within(ONE)), tried };
    } catch (error) {
      if (!(error instanceof BackstepError) || error.code === "cancelled") throw error;
      tried.push({ by, error });
    }
  }
  return { manager: undefined, tried };
}

const WAYS: readonly {
  readonly by: string;
  readonly open: (environment: Environment, deadline: Deadline) => Promise<WindowManager>;
}[] = [
  { by: "NIRI_SOCKET", open: bySocket("NIRI_SOCKET", connectNiri) },
  { by: "SWAYSOCK", open: bySocket("SWAYSOCK", connectI3) },
  { by: "I3SOCK", open: bySocket("I3SOCK", connectI3) },
  {
    by: "I3_SOCKET_PATH",
    open: async (environment, deadline) =>
      await connectI3(await i3SocketOf(environment, deadline), deadline.call()),
  },
  {
    by: "DISPLAY",
    open: async (environment, deadline) =>
      await connectEwmh(valueOf(environment, "DISPLAY"), authorityOf(environment), deadline.call()),
  },
];

function bySocket(variable: string, connect: (path: string, call: Call) => Promise<WindowManager>) {
  return async (environment: Environment, deadline: Deadline) =>
    await connect(valueOf(environment, variable), deadline.call());
}

/** Where i3 listens, as it says on the root window. */
async function i3SocketOf(environment: Environment, deadline: Deadline): Promise<string> {
  const display = valueOf(environment, "DISPLAY"), authority = authorityOf(environment);
  const doing = `ask display ${display} for i3's socket`;
  return await onDisplay({ display, authority, doing, deadline }, async (connection) => {
    const name = await connection.atom("I3_SOCKET_PATH");
    const property = await connection.ask(getProperty(connection.screen.root, name, PATH_WORDS));
    const path = property?.format === 8 ? utf8(property.data) : "";
    if (!path.startsWith("/")) throw new Error("it has no property I3_SOCKET_PATH");
    return path;
  });
}

function valueOf(environment: Environment, variable: string): string {
  const value = environment[variable];
  if (value) return value;
  throw new BackstepError("no_desktop", `Cannot reach a window manager by ${variable}: it is not set`);
}
