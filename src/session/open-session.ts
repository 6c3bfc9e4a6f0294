import type { Call } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Mode } from "../desktop/desktop.ts";
import { inBackground } from "../desktop/mode.ts";
import type { SimulatedDesktop } from "../desktop/simulated/simulated-desktop.ts";
import { type AttachOptions, type IsolatedOptions, openNative } from "./open-native.ts";
import type { Session } from "./session.ts";
import type { DesktopSettings } from "./settings/settings.ts";
import { SimulatedLauncher } from "./simulated-launcher.ts";

/** A desktop in memory. */
export interface SimulatedOptions {
  /** Says that it is to be a desktop in memory. */
  readonly kind: "simulated";
  /** Makes it; default: `simulate()` with nothing running. */
  readonly simulate?: () => SimulatedDesktop;
  /** "background" to see what would be refused on a desktop that somebody works on; default "focus". */
  readonly mode?: Mode;
  /** Of use to a private desktop alone: `unsupported` is thrown for any. */
  readonly settings?: DesktopSettings;
}

/** Which desktop a session is to have. */
export type OpenSessionOptions = IsolatedOptions | AttachOptions | SimulatedOptions;

/**
 * Opens a session: a private desktop is started, the user's own is found, a simulated one is made. What was started is
 * ended again when anything fails.
 *
 * @throws {BackstepError} `missing`, `no_desktop`, `not_found` (no such private desktop), `timeout` or `cancelled`.
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
  if (options.settings !== undefined) {
    throw new BackstepError(
      "unsupported",
      "Cannot use a simulated desktop as `desktop:` wants it: it has no screen",
      {
        hint: "Use a new private desktop (--session isolated), or leave `desktop:` out.",
      },
    );
  }
  const simulate = options.simulate ?? (await import("../desktop/simulated/simulate.ts")).simulate;
  const used = () => {
    const machine = simulate();
    return {
      machine,
      desktop: options.mode === "background" ? inBackground(machine) : machine,
      launcher: new SimulatedLauncher(machine),
    };
  };
  let now = used();
  return {
    kind: "simulated",
    label: options.mode === "background" ? `${now.machine.label}, in the background` : now.machine.label,
    get desktop() {
      return now.desktop;
    },
    get launcher() {
      return now.launcher;
    },
    home: undefined,
    id: undefined,
    async rebuild() {
      await now.machine.close();
      now = used();
    },
    close: () => now.machine.close(),
  };
}
