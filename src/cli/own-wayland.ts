type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds that a compositor and its window manager get to answer. */
const ANSWER = 3_000;

/** Was the program started in a Wayland session? */
export function isOnWayland(environment: Environment): boolean {
  return Boolean(environment["WAYLAND_DISPLAY"]) || environment["XDG_SESSION_TYPE"] === "wayland";
}

/** Which Wayland session it is, and how it is attached to. Rejects where it cannot be, with the reason. */
export async function ownWayland(environment: Environment, signal: AbortSignal): Promise<string> {
  const { findOwnWayland } = await import("../session/wayland/own.ts");
  const { Deadline } = await import("../base/call.ts");
  const { compositor, display } = await findOwnWayland(environment, Deadline.after(ANSWER, signal));
  return `${compositor} at ${display}: attach to it by --session attach --display wayland`;
}
