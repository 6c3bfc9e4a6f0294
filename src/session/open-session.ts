import type { Call } from "../base/call.ts";
import type { SimulatedDesktop } from "../desktop/simulated/simulated-desktop.ts";
import { type AttachOptions, type IsolatedOptions, openNative } from "./open-native.ts";
import type { Session } from "./session.ts";
import { SimulatedLauncher } from "./simulated-launcher.ts";

/** A desktop in memory. */
export interface SimulatedOptions {
  /** Says that it is to be a desktop in memory. */
  readonly kind: "simulated";
  /** Makes it; default: `simulate()` with nothing running. */
  readonly simulate?: () => SimulatedDesktop;
}

/** Which desktop a session is to have. */
export type OpenSessionOptions = IsolatedOptions | AttachOptions | SimulatedOptions;

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
export function openSession(options: OpenSessionOptions, call?: Call): Promise<Session> {
  return options.kind === "simulated" ? openSimulated(options) : openNative(options, call);
}

async function openSimulated(options: SimulatedOptions): Promise<Session> {
  const simulate = options.simulate ?? (await import("../desktop/simulated/simulate.ts")).simulate;
  let desktop = simulate();
  let launcher = new SimulatedLauncher(desktop);
  return {
    kind: "simulated",
    label: desktop.label,
    get desktop() {
      return desktop;
    },
    get launcher() {
      return launcher;
    },
    home: undefined,
    id: undefined,
    async rebuild() {
      await desktop.close();
      desktop = simulate();
      launcher = new SimulatedLauncher(desktop);
    },
    close: () => desktop.close(),
  };
}
