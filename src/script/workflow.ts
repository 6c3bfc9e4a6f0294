import type { Json } from "../base/error.ts";
import type { Durability } from "../engine/model/durability.ts";
import type { Expectation, Needs, OnConflict, SecretSource } from "../engine/model/step.ts";
import type { DesktopSettings } from "../session/settings/settings.ts";
import type { Tools } from "./types.ts";

/** What a workflow that is a program says beside its steps; the same as the keys of a file. */
export interface ScriptOptions<V> {
  /** More about it, for people. */
  readonly description?: string;
  /** What test runs select by. */
  readonly tags?: readonly string[];
  /** Default target of its steps: a name or an id. */
  readonly app?: string;
  /** The desktop it wants; the command line's `--session` goes before it. */
  readonly session?: "isolated" | "attach" | "simulated";
  /** Whether a desktop that was there before may be disturbed. */
  readonly mode?: "background" | "focus";
  /** What its private desktop is to be like. */
  readonly desktop?: DesktopSettings;
  /** Variables with their defaults, which say their types; `--var` sets others. */
  readonly vars?: V;
  /** Sets of values that a test run runs it with, each a test of its own; `name` is what reports call it. */
  readonly cases?: readonly { readonly name: string; readonly values: Partial<V> }[];
  /** Names of environment variables whose values are secret, or for each name where it comes from. */
  readonly secrets?: readonly string[] | Readonly<Record<string, SecretSource>>;
  /** Files and folders that a rollback restores. */
  readonly files?: readonly string[];
  /** Milliseconds for the whole flow. */
  readonly timeout?: number;
  /** What a failure does; default "rollback". */
  readonly onFailure?: "rollback" | "stop";
  /** What is done about what somebody else changed meanwhile; default "stop". */
  readonly onConflict?: OnConflict;
  /** "full": every line of the journal is on the disk before what it announces; default "barriers". */
  readonly durability?: Durability;
  /** How a rollback is done; default "restore". */
  readonly rollback?: "restore" | "rebuild";
  /** Without it, a run that fails is just that. */
  readonly expect?: Expectation;
  /** What it shares with other files: of two with the same lock, a test run does one at a time. */
  readonly locks?: readonly string[];
  /** What a test run skips it without: programs (paths, or names on PATH) and environment variables. */
  readonly needs?: Partial<Needs>;
  /** Why a test run is to skip it. */
  readonly skip?: string;
  /** Where one file of a test run says so, the files that do not are left out. */
  readonly only?: boolean;
  /** What reports say of it beside its result, by name: a ticket, an owner. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Prepares; not part of what a failure undoes. */
  before?(t: Tools<V>): Promise<void>;
  /** Always runs, whatever happened. */
  after?(t: Tools<V>): Promise<void>;
}

/** A workflow that is a program: what a file exports as its default. */
export interface Script<V = { readonly [name: string]: Json }> {
  /** Tells it from anything else that a file may export. */
  readonly kind: "backstep.workflow";
  /** What it does, for people. */
  readonly name: string;
  /** What it says beside its steps. */
  readonly options: ScriptOptions<V>;
  /** Its steps. */
  steps(t: Tools<V>): Promise<void>;
}

/**
 * Declares a workflow that is a program. Its steps go through the same engine as a file's: the same journal, the same rollback,
 * the same verdicts. What it does beside its steps (files, the network) is its own, and is not rolled back.
 *
 * @example
 * ```ts
 * import { openSession } from "../session/open-session.ts";
 * import { runScript } from "./run-script.ts";
 * import { workflow } from "./workflow.ts";
 *
 * const script = workflow("rename", { vars: { name: "Grace" } }, async (t) => {
 *   const settings = await t.launch("sim.settings");
 *   await t.transaction("fill in", async () => {
 *     await settings.locator('textfield[name="Name"]').set(t.vars.name);
 *     await settings.press("F5", { undo: (app) => app.press("F6") });
 *   });
 *   await t.expect(settings.locator('textfield[name="Name"]')).toHaveValue(/^Gra/);
 * });
 *
 * const session = await openSession({ kind: "simulated" });
 * const result = await runScript(script, { session });
 * await session.close();
 * if (result.status !== "passed") throw new Error(result.error?.message);
 * ```
 */
export function workflow<V extends { readonly [name: string]: Json }>(
  name: string,
  options: ScriptOptions<V>,
  steps: (t: Tools<V>) => Promise<void>,
): Script<V>;
/** The same without options. */
export function workflow(
  name: string,
  steps: (t: Tools) => Promise<void>,
): Script;
export function workflow<V extends { readonly [name: string]: Json }>(
  name: string,
  ...rest: [ScriptOptions<V>, (t: Tools<V>) => Promise<void>] | [(t: Tools<V>) => Promise<void>]
): Script<V> {
  const [options, steps] = rest.length === 2 ? rest : [{}, rest[0]];
  return { kind: "backstep.workflow", name, options, steps };
}
