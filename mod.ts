/**
 * Backstep: desktop workflows where every step knows the way back.
 *
 * A session is a desktop with what belongs to it: a private one, the user's own, or a simulated one in memory. A
 * workflow is a YAML file of steps. What it did is taken back when it fails, and read back afterwards.
 *
 * @example Run a workflow on the simulated desktop
 * ```ts
 * import { catalogue, openSession, parseWorkflow, resolveVariables, runWorkflow } from "./mod.ts";
 * import { mkdtempSync, rmSync } from "node:fs";
 *
 * const workflow = parseWorkflow(`
 * name: Fill a form and take it back
 * app: sim.settings
 * before: [ { launch: sim.settings } ]
 * steps:
 *   - transaction:
 *       - set: { target: 'textfield[name="Name"]', value: Grace }
 *       - assert: { target: 'button[name="Nowhere"]', timeout: 0 }
 * `, { file: "form.yaml", operations: catalogue });
 *
 * const session = await openSession({ kind: "simulated" });
 * const state = mkdtempSync("/tmp/backstep-");
 * try {
 *   const result = await runWorkflow(workflow, {
 *     operations: catalogue,
 *     session,
 *     vars: resolveVariables(workflow),
 *     surroundings: { env: () => undefined, secret: () => undefined },
 *     folder: ".",
 *     state,
 *   });
 *   if (result.status !== "failed" || result.rollback.verdict !== "restored") throw new Error();
 * } finally {
 *   await session.close();
 *   rmSync(state, { recursive: true });
 * }
 * ```
 *
 * @module
 */
export { BackstepError } from "./src/base/error.ts";
export type { BackstepErrorOptions, ErrorCode, ErrorJson, Json, Place } from "./src/base/error.ts";
export { catalogue } from "./src/catalogue.ts";
export { defineOperation } from "./src/contract/operation.ts";
export { openSession } from "./src/session/open-session.ts";
export { simulate } from "./src/desktop/simulated/simulate.ts";
export { loadWorkflow } from "./src/workflow/load.ts";
export { parseWorkflow } from "./src/workflow/parse.ts";
export { resolveVariables } from "./src/workflow/values.ts";
export { runWorkflow } from "./src/engine/run.ts";

// The types that these take and answer.
export type { Call, Deadline } from "./src/base/call.ts";
export type { Effect, Hints } from "./src/contract/effect.ts";
export type {
  Enrolled,
  RollbackResult,
  RollbackStep,
  RollbackVerdict,
  RunEvent,
  RunListener,
  RunResult,
  StepResult,
  StepStatus,
  StepVerdict,
} from "./src/contract/events.ts";
export type {
  CliArgument,
  CliView,
  Context,
  Invocation,
  Operation,
  OperationDeclaration,
  Prepared,
  Resolved,
  Views,
  YamlView,
} from "./src/contract/operation.ts";
export type { Difference, Image, Participant } from "./src/contract/participant.ts";
export type { Application, Desktop, DesktopKind, ElementRef } from "./src/desktop/desktop.ts";
export type { ApplicationDescription, Behaviour } from "./src/desktop/simulated/describe.ts";
export type { Fault } from "./src/desktop/simulated/faults.ts";
export type { SimulateOptions } from "./src/desktop/simulated/simulate.ts";
export type { SimulatedDesktop } from "./src/desktop/simulated/simulated-desktop.ts";
export type { RunOptions } from "./src/engine/run.ts";
export type { Surroundings } from "./src/engine/scope.ts";
export type { Condition, Expectation, Step, Variable, Workflow } from "./src/engine/step.ts";
export type {
  AttachOptions,
  ConnectNative,
  IsolatedOptions,
  NativeSession,
  OpenSessionOptions,
  SimulatedOptions,
} from "./src/session/open-session.ts";
export type {
  CatalogueEntry,
  Launcher,
  LaunchResult,
  QuitResult,
  RunningApplication,
  Session,
} from "./src/session/session.ts";
export type { LoadOptions } from "./src/workflow/load.ts";
export type { ParseOptions, Source } from "./src/workflow/parse.ts";
export type { SelectorCheck } from "./src/workflow/reading.ts";
export type { Given } from "./src/workflow/values.ts";
