import { tmpdir } from "node:os";
import { BackstepError } from "../base/error.ts";
import { catalogue } from "../catalogue.ts";
import type { UpdateMode } from "../contract/baselines.ts";
import type { Elements } from "../contract/elements.ts";
import { type DispatchOptions, Gate, OPEN_PORTS } from "../contract/gate.ts";
import type { Mode } from "../desktop/desktop.ts";
import { inBackground } from "../desktop/mode.ts";
import type { ApplicationDescription } from "../desktop/simulated/describe.ts";
import type { Fault } from "../desktop/simulated/faults.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../desktop/simulated/simulated-desktop.ts";
import { SimulatedLauncher } from "../session/simulated-launcher.ts";
import type { Session } from "../session/session.ts";
import type { WindowManager } from "../wm/model.ts";
import { baselinesOf } from "./baseline-folder.ts";

/** A gate over a simulated desktop, for tests. */
export interface Fixture extends AsyncDisposable {
  readonly desktop: SimulatedDesktop;
  readonly gate: Gate;
  /** Dispatches and answers the output. */
  run(operation: string, input: unknown, options?: DispatchOptions): Promise<unknown>;
  /** Dispatches what must fail and answers the error. */
  fail(operation: string, input: unknown, options?: DispatchOptions): Promise<BackstepError>;
}

/** A bench with these applications running. */
export function fixture(
  applications: readonly (string | ApplicationDescription)[],
  options: {
    readonly faults?: readonly Fault[];
    readonly folder?: string;
    readonly home?: string;
    readonly mode?: Mode;
    readonly update?: UpdateMode;
    readonly elements?: Elements;
    /** Default: none answers. */
    readonly windowManager?: () => Promise<WindowManager | undefined>;
  } = {},
): Fixture {
  const desktop = simulate({ applications, faults: options.faults ?? [] });
  const session: Session = {
    kind: "simulated",
    label: "simulated",
    desktop: options.mode === "background" ? inBackground(desktop) : desktop,
    launcher: new SimulatedLauncher(desktop),
    home: options.home,
    id: undefined,
    ...(options.windowManager ? { windowManager: options.windowManager } : {}),
    close: () => desktop.close(),
  };
  const folder = options.folder ?? tmpdir();
  const gate = new Gate({
    operations: catalogue,
    session,
    folder,
    ports: OPEN_PORTS,
    baselines: baselinesOf(folder, options.update ?? "missing"),
    ...(options.elements ? { elements: options.elements } : {}),
  });
  return {
    desktop,
    gate,
    run: async (operation, input, more = {}) => (await gate.dispatch({ operation, input }, more)).output,
    async fail(operation, input, more = {}) {
      try {
        await gate.dispatch({ operation, input }, more);
      } catch (thrown) {
        if (thrown instanceof BackstepError) return thrown;
        throw thrown;
      }
      throw new Error(`${operation} did not fail`);
    },
    [Symbol.asyncDispose]: () => desktop.close(),
  };
}
