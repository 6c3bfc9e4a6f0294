/**
 * Backstep: desktop workflows where every step knows the way back.
 *
 * A session is a desktop with what belongs to it: a private one, the user's own, or a simulated one in memory. A
 * workflow is a YAML file of steps. What it did is rolled back when it fails, and read back afterwards.
 *
 * @example Run a workflow on the simulated desktop
 * ```ts
 * import { catalogue, openSession, parseWorkflow, resolveVariables, runWorkflow } from "./mod.ts";
 * import { mkdtempSync, rmSync } from "node:fs";
 * import { tmpdir } from "node:os";
 *
 * const workflow = parseWorkflow(`
 * name: Fill a form and undo it
 * app: sim.settings
 * before: [ { launch: sim.settings } ]
 * steps:
 *   - transaction:
 *       - set: { target: 'textfield[name="Name"]', value: Grace }
 *       - assert: { target: 'button[name="Nowhere"]', timeout: 0 }
 * `, { file: "form.yaml", operations: catalogue });
 *
 * const session = await openSession({ kind: "simulated" });
 * const state = mkdtempSync(`${tmpdir()}/backstep-`);
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
// Open a session, load a workflow and run it.
export { openSession } from "./src/session/open-session.ts";
export type { DesktopSettings, DisplayKind } from "./src/session/settings/settings.ts";
export { loadWorkflow } from "./src/workflow/load.ts";
export { parseWorkflow } from "./src/workflow/parse.ts";
export { secretValues } from "./src/workflow/secret-values.ts";
export { answerOf, parseToolCalls } from "./src/workflow/tool-calls.ts";
export { resolveVariables } from "./src/workflow/values.ts";
export { runWorkflow } from "./src/engine/run/run.ts";
export { planWorkflow } from "./src/engine/plan/plan.ts";
export { diffRuns } from "./src/engine/journal/run-diff.ts";
// Workflows that are programs.
export { workflow } from "./src/script/workflow.ts";
export { runScript } from "./src/script/run-script.ts";
// What a step can call.
export { catalogue, typedCatalogue } from "./src/catalogue.ts";
export { defineOperation } from "./src/contract/operation.ts";
// The desktop in memory.
export { simulate } from "./src/desktop/simulated/simulate.ts";
export { describeApplication } from "./src/desktop/simulated/describe.ts";
// The settings of test runs.
export { defineConfig } from "./src/testing/config/define-config.ts";
export type { TestConfig, TestProject, TestSettings } from "./src/testing/config/types.ts";
// What goes wrong.
export { BackstepError } from "./src/base/error.ts";

// The types of a session.
export type { AttachOptions, IsolatedOptions } from "./src/session/open-native.ts";
export type { OpenSessionOptions, SimulatedOptions } from "./src/session/open-session.ts";
export type { PrivateDesktopOptions } from "./src/session/private-desktop.ts";
export type {
  CatalogueEntry,
  CloseOptions,
  Launcher,
  LaunchOptions,
  LaunchResult,
  QuitOptions,
  QuitResult,
  RunningApplication,
  Session,
} from "./src/session/session.ts";
export type { Unsaved } from "./src/session/unsaved.ts";
export type {
  WindowManager,
  WmKeyboardLayouts,
  WmLayer,
  WmLogical,
  WmMode,
  WmOutput,
  WmPart,
  WmRect,
  WmWindow,
  WmWorkspace,
} from "./src/wm/model.ts";
export type { WmAct, WmPoint, WorkspaceTarget } from "./src/wm/commands.ts";
export type { ManagedDesktop, ReachManager } from "./src/wm/managed.ts";

// The types of a desktop.
export type {
  ActCall,
  Action,
  Application,
  Area,
  AtPointOptions,
  Capabilities,
  Desktop,
  DesktopEvent,
  DesktopKind,
  Drawn,
  ElementRef,
  Fingerprint,
  ForeignInput,
  Frame,
  Gesture,
  Hit,
  InputWatch,
  ItemMark,
  Mode,
  Modifier,
  NumericValue,
  PointerGesture,
  ReadCall,
  Reading,
  Rect,
  Refreshed,
  RefreshOptions,
  Said,
  ScreenshotCall,
  SnapshotField,
  SnapshotOptions,
  SnapshotSource,
  StateBits,
  VerifyManagedOptions,
  Watch,
  Window,
  WindowAction,
} from "./src/desktop/desktop.ts";
export type {
  ButtonInput,
  InputEvent,
  InputRecording,
  KeyInput,
  PlacedInput,
  RestInput,
  TextInput,
  WheelInput,
} from "./src/desktop/input-events.ts";
export type {
  ClipboardContent,
  ClipboardItem,
  ClipboardLimits,
  WholeClipboard,
} from "./src/desktop/whole-clipboard.ts";
export type { AskHolders, DisplayClient, Holder, Holders, HoldersQuery } from "./src/desktop/holders.ts";
export type { Columns, MirrorOrigin, Snapshot, SnapshotOrigin, StringTable } from "./src/desktop/snapshot.ts";
export type { StateName } from "./src/desktop/states.ts";

// The types of a desktop in memory.
export type {
  ApplicationControls,
  ApplicationDescription,
  Behaviour,
  WidgetDescription,
  WindowDescription,
} from "./src/desktop/simulated/describe.ts";
export type {
  CallName,
  Fault,
  FaultCommon,
  Interference,
  Look,
  When,
} from "./src/desktop/simulated/faults.ts";
export type { Kind as WidgetKind } from "./src/desktop/simulated/kinds.ts";
export type { Actor, Change, LogEntry } from "./src/desktop/simulated/log.ts";
export type { Due } from "./src/desktop/simulated/schedule.ts";
export type { SimulateOptions } from "./src/desktop/simulated/simulate.ts";
export type { SimulatedDesktop, SimulatedLog } from "./src/desktop/simulated/simulated-desktop.ts";

// The types of a workflow.
export type {
  Case,
  Changes,
  Composed,
  Condition,
  Expectation,
  ForEachStep,
  IfStep,
  Interpolated,
  Needs,
  OnConflict,
  OnInterference,
  OperationStep,
  Placeholder,
  RejectStep,
  RepeatStep,
  RollbackToStep,
  RunStep,
  SavepointStep,
  SecretSource,
  Step,
  StepCommon,
  Template,
  TemplateList,
  TemplateMap,
  TransactionStep,
  Undo,
  UndoStep,
  Variable,
  Workflow,
} from "./src/engine/model/step.ts";
export type { LoadOptions } from "./src/workflow/load.ts";
export type { ParseOptions } from "./src/workflow/parse.ts";
export type { Source } from "./src/workflow/reading.ts";
export type { SelectorCheck } from "./src/workflow/reading.ts";
export type { ToolCall } from "./src/workflow/tool-calls.ts";
export type { AskSecret, SecretPlaces } from "./src/workflow/secret-values.ts";
export type { Given } from "./src/workflow/values.ts";

// The types of a run.
export type { Budgets } from "./src/engine/model/budgets.ts";
export type { AskConflict, ConflictQuestion } from "./src/engine/rollback/conflicts.ts";
export type { EvidenceMode } from "./src/engine/evidence/mode.ts";
export type { RunOptions } from "./src/engine/run/run-options.ts";
export type { Surroundings } from "./src/engine/model/scope.ts";
export type { Durability } from "./src/engine/model/durability.ts";
export type {
  ChangedAfterwards,
  Conflict,
  Enrolled,
  InterferenceResult,
  RollbackResult,
  RollbackStep,
  RollbackVerdict,
  RunEvent,
  RunListener,
  RunResult,
  StepEvidence,
  StepLook,
  StepResult,
  StepStatus,
  StepVerdict,
  WentBack,
} from "./src/contract/events.ts";

// Comparing pictures.
export { comparePngFiles } from "./src/operations/png-files.ts";
export type { PngComparison, PngOptions } from "./src/operations/png-files.ts";
export type { PictureDifference } from "./src/checks/visual/explain.ts";
export type { VisualMode } from "./src/checks/visual/modes.ts";
export type { Movement } from "./src/checks/visual/moved.ts";

// Baselines.
export type {
  Baseline,
  BaselineFile,
  Baselines,
  Evidence,
  UpdateMode,
  Variant,
  VariantKey,
} from "./src/contract/baselines.ts";

// What stands around every act.
export type { Elements, ReferencedElement } from "./src/contract/elements.ts";
export type { FoundElement } from "./src/contract/found-element.ts";
export type { Sight, VisionModel } from "./src/contract/vision.ts";
export type { Act, ActOutcome, AuditPort, PolicyPort, Terms, Undoing } from "./src/contract/ports.ts";
export type { Reach, Spot } from "./src/desktop/reach.ts";
export type { Sent } from "./src/desktop/sent.ts";

// The types of an operation.
export type { CatalogueOperation } from "./src/catalogue.ts";
export type { Effect, Hints } from "./src/contract/effect.ts";
export type {
  ActResult,
  CliArgument,
  CliDeclaration,
  CliView,
  Context,
  Invocation,
  Operation,
  OperationDeclaration,
  Prepared,
  Resolved,
  Shown,
  TypedOperation,
  Views,
  ViewsDeclaration,
  YamlView,
} from "./src/contract/operation.ts";
export type { Difference, Image, Participant, PartlyRestored, Surface } from "./src/contract/participant.ts";
export type { Trait, Traits } from "./src/contract/traits.ts";
export type { Schema, SchemaIssue, SchemaVerdict } from "./src/contract/schema.ts";

// The types of plans, of programs, and of runs beside each other.
export type { AcceptedPlan, PlanOptions } from "./src/engine/plan/plan.ts";
export type { Plan, PlanBarrier, PlanStatus, PlanStep } from "./src/engine/plan/plan-model.ts";
export type { Divergence, FieldDifference, RunDiff } from "./src/engine/journal/run-diff.ts";
export type { RunScriptOptions } from "./src/script/run-script.ts";
export type {
  App,
  AppMethods,
  Assertions,
  Camel,
  ElementMethods,
  Expectations,
  Expected,
  ExpectOptions,
  ExpectTreeOptions,
  Flags,
  InputOf,
  IsUnion,
  Locator,
  Method,
  Methods,
  OperationNamed,
  OutputOf,
  RequiredKeys,
  Short,
  StepOptions,
  Tools,
} from "./src/script/types.ts";
export type { Script, ScriptOptions } from "./src/script/workflow.ts";

// What all of them share.
export type { Call, Deadline } from "./src/base/call.ts";
export type { BackstepErrorOptions, ErrorCode, ErrorJson, Json, Place } from "./src/base/error.ts";
