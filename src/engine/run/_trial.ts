import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue } from "../../catalogue.ts";
import type { Json } from "../../base/error.ts";
import { isList } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import type { RollbackStep, RunEvent, RunResult, StepVerdict } from "../../contract/events.ts";
import type { Operation } from "../../contract/operation.ts";
import type { ApplicationDescription } from "../../desktop/simulated/describe.ts";
import type { Fault } from "../../desktop/simulated/faults.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../../desktop/simulated/simulated-desktop.ts";
import { SimulatedLauncher } from "../../session/simulated-launcher.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { resolveVariables } from "../../workflow/values.ts";
import { runFolder } from "../journal/journal.ts";
import { runWorkflow } from "./run.ts";
import type { RunOptions } from "./run-options.ts";

/** How a workflow is run in a test. */
export interface TrialOptions extends
  Partial<
    Pick<
      RunOptions,
      | "signal"
      | "hardStop"
      | "state"
      | "run"
      | "evidence"
      | "budgets"
      | "onConflict"
      | "askConflict"
      | "onInterference"
    >
  > {
  readonly applications?: readonly (string | ApplicationDescription)[];
  readonly faults?: readonly Fault[];
  readonly clock?: "real" | "virtual";
  /** The work item that it is for. */
  readonly item?: Readonly<Record<string, Json>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Other files, by the name that `run:` gives them. */
  readonly files?: Readonly<Record<string, string>>;
  readonly operations?: readonly Operation[];
  /** Hears every event, with the desktop at hand: a person may interfere, an interrupt may come. */
  readonly on?: (event: RunEvent, desktop: SimulatedDesktop, folder: string) => void;
  /** The HOME of each desktop, the rebuilt ones too; default: none. */
  readonly homeOf?: (folder: string) => string;
  /** Before the run begins. */
  readonly prepare?: (desktop: SimulatedDesktop, folder: string) => void | Promise<void>;
}

/** What a trial left. */
export interface Trial {
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
  readonly desktop: SimulatedDesktop;
  /** All that was real before the run and after it. */
  readonly before: Json;
  readonly after: Json;
  readonly state: string;
  readonly folder: string;
}

/** The YAML of the settings form with these lines as its steps. */
export function settings(steps: string, head = ""): string {
  return `name: trial\napp: sim.settings\n${head}\nsteps:\n${steps.replace(/^\n+/, "")}`;
}

/** Runs a workflow, written as YAML, on a simulated desktop of its own; its state folder goes with `use`. */
export async function trial<R>(
  yaml: string,
  options: TrialOptions,
  use: (trial: Trial) => R | Promise<R>,
): Promise<R> {
  const own = mkdtempSync(join(tmpdir(), "backstep-engine-"));
  const state = options.state ?? own;
  const operations = options.operations ?? catalogue;
  const begin = (applications: readonly (string | ApplicationDescription)[], faults: readonly Fault[]) =>
    simulate({ applications, faults, clock: options.clock ?? "virtual" });
  let desktop = begin(options.applications ?? ["sim.settings"], options.faults ?? []);
  let launcher = new SimulatedLauncher(desktop);
  let home = options.homeOf?.(own);
  try {
    const files = options.files ?? {};
    const workflow = parseWorkflow(yaml, {
      file: "trial.yaml",
      operations,
      load: (name) => ({ file: name, key: name, folder: ".", bytes: files[name] ?? "" }),
    });
    await options.prepare?.(desktop, own);
    const before = desktop.world();
    const events: RunEvent[] = [];
    const value = (name: string) => options.environment?.[name];
    const result = await runWorkflow(workflow, {
      operations,
      session: {
        kind: "simulated",
        label: "simulated",
        get desktop() {
          return desktop;
        },
        get launcher() {
          return launcher;
        },
        get home() {
          return home;
        },
        id: undefined,
        // A new desktop is as a run finds it, without what was wrong with the old one.
        async rebuild() {
          await desktop.close();
          desktop = begin(options.applications ?? ["sim.settings"], []);
          launcher = new SimulatedLauncher(desktop);
          home = options.homeOf?.(own);
        },
        close: () => desktop.close(),
      },
      vars: resolveVariables(workflow),
      surroundings: { ...defined({ item: options.item }), env: value, secret: value },
      folder: own,
      state,
      ...defined({
        run: options.run,
        signal: options.signal,
        hardStop: options.hardStop,
        budgets: options.budgets,
        onConflict: options.onConflict,
        onInterference: options.onInterference,
        askConflict: options.askConflict,
        evidence: options.evidence,
      }),
      listener(event) {
        events.push(event);
        options.on?.(event, desktop, own);
      },
    });
    const folder = runFolder(state, result.run);
    return await use({ result, events, desktop, before, after: desktop.world(), state, folder });
  } finally {
    await desktop.close();
    rmSync(own, { recursive: true, force: true });
  }
}

/** A field of the real world: `at(world, "sim.settings", "name", "text")`. */
export function at(world: Json, app: string, widget: string, property: string): Json {
  return dig(world, ["applications", app, "widgets", widget, property]);
}

/** What lies at a path in JSON; null where nothing does. */
export function dig(json: Json, path: readonly string[]): Json {
  let value: Json = json;
  for (const key of path) {
    if (value === null || typeof value !== "object" || isList(value)) return null;
    value = value[key] ?? null;
  }
  return value;
}

/** The steps of the rollback that count, without the focus. */
export function counted(result: RunResult): RollbackStep[] {
  return result.rollback.steps.filter((step) => step.incidental !== true);
}

/** Their verdicts, in order. */
export function verdicts(result: RunResult): StepVerdict[] {
  return counted(result).map((step) => step.verdict);
}

/** What happened to the applications by our actions: "act sim.settings#name", in order. */
export function actions(desktop: SimulatedDesktop): string[] {
  return desktop.log.entries.filter((entry) => entry.by === "caller" && entry.changes.length > 0)
    .map((entry) => `${entry.did} ${entry.app}#${entry.element}`);
}

/** Every byte that a run wrote into its folder, as text. */
export function bytesOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")).join("\n");
}

/** A step that always fails, at once. */
export const FAILS = `  - assert: { target: 'button[name="Nowhere"]', timeout: 0 }`;
