import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue } from "../../catalogue.ts";
import type { RunEvent } from "../../contract/events.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../../desktop/simulated/simulated-desktop.ts";
import type { Session } from "../../session/session.ts";
import { SimulatedLauncher } from "../../session/simulated-launcher.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { resolveVariables } from "../../workflow/values.ts";
import type { FileNow } from "./steering.ts";
import { InteractiveRun } from "./interactive-run.ts";

/** An interactive run on a desktop in memory. */
export interface Trial {
  readonly interactive: InteractiveRun;
  readonly state: string;
  readonly events: RunEvent[];
  /** The desktop that there is now. */
  desktop(): SimulatedDesktop;
  /** How often the desktop was replaced. */
  readonly rebuilt: { count: number };
  open(): Promise<Session>;
}

/** A file with these lines as its steps; `files` are those that it runs, by name. */
export function fileOf(
  steps: string,
  head = "",
  files: Readonly<Record<string, string>> = {},
): FileNow {
  const yaml = `name: trial\napp: sim.settings\n${head}\nsteps:\n${steps.replace(/^\n+/, "")}`;
  const workflow = parseWorkflow(yaml, {
    file: "trial.yaml",
    operations: catalogue,
    load: (name) => ({ file: name, key: name, folder: ".", bytes: files[name] ?? "" }),
  });
  return { workflow, vars: resolveVariables(workflow) };
}

/** Begins an interactive run of a file; what belongs to it goes with `use`. */
export async function trial(
  file: FileNow,
  use: (trial: Trial) => Promise<void>,
  options: { readonly replaceable?: boolean } = {},
): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "backstep-trial-"));
  const opened: SimulatedDesktop[] = [];
  const events: RunEvent[] = [];
  const rebuilt = { count: 0 };
  const made = (replaceable: boolean): Session & { now(): SimulatedDesktop } => {
    const begin = () => {
      const desktop = simulate({ applications: ["sim.settings"], clock: "virtual" });
      opened.push(desktop);
      return { desktop, launcher: new SimulatedLauncher(desktop) };
    };
    let own = begin();
    return {
      kind: "simulated",
      label: "simulated",
      get desktop() {
        return own.desktop;
      },
      get launcher() {
        return own.launcher;
      },
      home: undefined,
      id: undefined,
      now: () => own.desktop,
      ...(replaceable
        ? {
          async rebuild() {
            rebuilt.count++;
            await own.desktop.close();
            own = begin();
          },
        }
        : {}),
      close: () => own.desktop.close(),
    };
  };
  const session = made(options.replaceable ?? true);
  try {
    const interactive = await InteractiveRun.begin({
      file,
      operations: catalogue,
      session,
      surroundings: { env: () => undefined, secret: () => undefined },
      folder: state,
      state,
      listener: (event) => events.push(event),
    });
    const open = () => Promise.resolve(made(false));
    await use({ interactive, state, events, desktop: () => session.now(), rebuilt, open });
  } finally {
    for (const desktop of opened) await desktop.close();
    rmSync(state, { recursive: true });
  }
}
