import { Deadline } from "../../base/call.ts";
import { type BackstepError, type ErrorCode, type ErrorJson, toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Effect } from "../../contract/effect.ts";
import type { Act, ActOutcome } from "../../contract/gate.ts";
import { toJson } from "../../base/json.ts";
import type { ReadCall } from "../../desktop/desktop.ts";
import { noteGone, noteGoneLate } from "../rollback/gone.ts";
import { guardDigest, leftStanding } from "../rollback/guard-digest.ts";
import { sentNothing } from "../rollback/nothing-sent.ts";
import { isIncidental } from "../rollback/restore.ts";
import { type BeforeImage, imageJson, surfaceJson, type UndoEntry } from "../rollback/undo-log.ts";
import type { LeftStanding } from "../model/left-standing.ts";
import type { OperationStep } from "../model/step.ts";
import { encryptedWords } from "../journal/encrypted-words.ts";
import { nameOf } from "../model/step-name.ts";
import { differences, type Participant } from "../../contract/participant.ts";
import type { ActionEndContent } from "../journal/records/action.ts";
import type { RecordOf } from "../journal/records/mod.ts";
import type { Standing } from "./standing.ts";
import type { RunContext } from "./run-context.ts";
import { wordsOf } from "./step-words.ts";

/** Captures what the action may change and writes the intent: both before the action, since one that times out may land. */
export async function enter(
  act: Act,
  effect: Effect,
  step: OperationStep,
  at: Standing,
  run: RunContext,
): Promise<UndoEntry> {
  const deadline = deadlineOf(act, step, run);
  await noteGoneLate(at.undoLog, run, deadline);
  const images: BeforeImage[] = [];
  for (const participant of run.always) images.push(await captured(participant, run, deadline, []));
  const { target, written } = await targetOf(act, effect, images, step, at, run, deadline);
  const intent = run.journal.write({
    kind: "action-begin",
    path: at.path,
    operation: step.operation,
    effect,
    undoLog: at.undoLog.owner ?? null,
    ...written,
  }, { sync: mustLast(target, run) });
  const entry: UndoEntry = {
    path: at.path,
    operation: step.operation,
    ...defined({ tool: step.tool }),
    ...target,
    inverse: undefined,
    history: run.history.length,
    intent,
    outcome: "pending",
  };
  at.undoLog.entries.push(entry);
  at.undoLog.trees.add(entry, act.resolved.spots[0]?.snapshot);
  // What a rollback itself does has no undo log that anybody owns.
  if (at.undoLog.owner !== undefined) run.finalReads.acted(entry);
  return entry;
}

/** The same action on another element: the one that was entered went before anything was sent. */
export async function enterAnew(
  entry: UndoEntry,
  act: Act,
  effect: Effect,
  step: OperationStep,
  at: Standing,
  run: RunContext,
): Promise<void> {
  // What is always protected is as it was: nothing was sent.
  const images = entry.beforeImages.slice(0, run.always.length);
  const { target, written } = await targetOf(
    act,
    effect,
    images,
    step,
    at,
    run,
    deadlineOf(act, step, run),
  );
  run.journal.write(
    { kind: "action-renewed", path: at.path, begin: entry.intent, effect, ...written },
    { sync: mustLast(target, run) },
  );
  Object.assign(entry, target);
  if (at.undoLog.owner !== undefined) run.finalReads.acted(entry);
}

function deadlineOf(act: Act, step: OperationStep, run: RunContext): Deadline {
  const limit = run.budgets.resolve ?? act.operation.timeout;
  return run.deadline.within(Math.min(limit, step.timeout ?? Infinity));
}

/** What outlives a power cut must not do so without its undo. */
function mustLast({ barrier }: Target, run: RunContext): boolean {
  return barrier || run.always.length > 0;
}

/** `absent`: before which steps it was not there. */
async function captured(
  participant: Participant,
  run: RunContext,
  deadline: Deadline,
  absent: readonly number[],
): Promise<BeforeImage> {
  // What verified the target is how it was.
  const before = await participant.capture(run.session.desktop, { ...deadline.call(), recent: true });
  const image: BeforeImage = {
    participant,
    before,
    after: undefined,
    ...(absent.length === 0 ? {} : { absent }),
  };
  if (participant.late) follow(image, run);
  return image;
}

/** What an entry says of the element that is acted on. */
type Target = Pick<
  UndoEntry,
  "name" | "effect" | "beforeImages" | "undo" | "opened" | "barrier" | "passable"
>;

/** How what it acts on is before it, as the entry has it and as it is written down. */
async function targetOf(
  act: Act,
  effect: Effect,
  always: readonly BeforeImage[],
  step: OperationStep,
  at: Standing,
  run: RunContext,
  deadline: Deadline,
): Promise<{ target: Target; written: Pick<RecordOf<"action-renewed">, "encrypted" | "passable"> }> {
  const beforeImages = [...always];
  for (const participant of act.resolved.participants) {
    beforeImages.push(await captured(participant, run, deadline, at.undoLog.lacking(participant)));
  }
  const subject = act.resolved.subject;
  const watched = effect === "observed" || (step.undo !== undefined && step.undo.guard === undefined);
  const stood = watched ? await guardDigest(run.session, at.app, deadline) : undefined;
  // As late as it can be: after this comes the action.
  run.guard?.check(at.path, step.operation);
  const name = run.mask.text(nameOf(step.operation, subject));
  const barrier = effect === "irreversible";
  const passable = barrier && step.raw === true && step.irreversible !== true;
  const encrypted = run.encryption.encrypt(encryptedWords({
    ...wordsOf(step, at, run.encryptionMask),
    // What goes into a password field is written down nowhere, not even under a key.
    input: beforeImages.some((e) => e.before.secure) ? null : toJson(act.input),
    subject: subject ?? null,
    name,
    app: at.app ?? null,
    stood: stood ?? null,
    beforeImages: beforeImages.map(({ participant, before, absent }) => ({
      participant: participant.describe(),
      key: participant.key,
      image: imageJson(before),
      ...defined({ absent }),
      ...(participant.surface ? { surface: surfaceJson(participant.surface) } : {}),
    })),
  }, run));
  const target: Target = {
    name,
    effect,
    beforeImages,
    undo: step.undo
      ? { declared: step.undo, scope: at.scope, app: at.app, before: stood, left: undefined }
      : undefined,
    opened: effect === "observed" && stood !== undefined
      ? { app: at.app, before: stood, left: undefined }
      : undefined,
    barrier,
    passable,
  };
  return { target, written: { ...(passable ? { passable } : {}), encrypted } };
}

/** What is late is as it is now because of the action before, unless that is known not to have happened. */
function follow(image: BeforeImage, run: RunContext): void {
  const { key } = image.participant;
  const last = run.late.get(key);
  if (last) last.after = image.before;
  run.late.set(key, image);
}

/** Reads what the action left, and writes the outcome. */
export async function finishEntry(
  entry: UndoEntry,
  act: Act,
  outcome: ActOutcome,
  step: OperationStep,
  at: Standing,
  run: RunContext,
): Promise<void> {
  entry.outcome = outcome.ok ? "done" : outcome.began ? "unknown" : happened(outcome.error);
  if (outcome.ok) entry.inverse = outcome.inverse;
  if (entry.barrier && entry.outcome === "unknown") run.doubts.add(entry);
  // The act's own time may be over; reading what it left must not depend on it. Who answered is there, if slow: without what
  // it left, a change by somebody else cannot be told from it.
  const { settle, check } = run.budgets;
  const deadline = Deadline.after(outcome.ok ? Math.max(settle, check) : settle, run.hardStop);
  const unread: string[] = [];
  for (const image of entry.beforeImages) {
    // How it was left decides nothing there.
    if (isIncidental(image.before)) continue;
    try {
      // What the action read back is how it left it.
      const call: ReadCall = { ...deadline.call(), ...(outcome.ok ? { recent: true } : {}) };
      image.after = await image.participant.capture(run.session.desktop, call);
    } catch (thrown) {
      unread.push(`${image.participant.label}: ${toBackstepError(thrown).message}`);
    }
  }
  const unsent = entry.effect === "restorable" && sentNothing(outcome) ? leaveToOthers(entry, run) : [];
  await noteGone(at.undoLog, entry, run, deadline);
  const guarded = entry.undo !== undefined && step.undo?.guard === undefined;
  if ((guarded || entry.opened) && entry.outcome !== "failed") {
    try {
      const left = await leftStanding(run.session, at.app, deadline);
      if (entry.undo) entry.undo.left = left;
      if (entry.opened) entry.opened.left = left;
    } catch (thrown) {
      unread.push(`windows: ${toBackstepError(thrown).message}`);
    }
  }
  run.journal.write({
    kind: "action-end",
    path: entry.path,
    begin: entry.intent,
    operation: act.operation.name,
    outcome: entry.outcome,
    ...(outcome.ok ? {} : { error: run.mask.apply<ErrorJson>(outcome.error.toJSON()) }),
    ...(unread.length > 0 ? { unread: run.mask.apply(unread) } : {}),
    ...(unsent.length > 0 ? { unsent } : {}),
    encrypted: run.encryption.encrypt(encryptedWords({
      afterImages: entry.beforeImages.map((e) => e.after ? imageJson(e.after) : null),
      inverse: entry.inverse
        ? { operation: entry.inverse.operation, input: toJson(entry.inverse.input) }
        : null,
      ...leftJson(entry.opened?.left ?? entry.undo?.left),
      // What can be restored exactly is done again where its answer was lost; of the rest the answer is kept.
      output: outcome.ok && entry.effect !== "restorable" ? toJson(outcome.output) : null,
    }, run)),
  });
}

function leftJson(left: LeftStanding | undefined): Pick<ActionEndContent, "left" | "front"> {
  return { left: left?.windows ?? null, ...defined({ front: left?.front }) };
}

/** Nothing was sent: what became otherwise since a before-image was read is somebody else's. Answers which have another one. */
function leaveToOthers({ beforeImages }: UndoEntry, { always }: RunContext): number[] {
  return beforeImages.flatMap((image, index) => {
    // An earlier action may still write what is always protected.
    if (index < always.length || !image.after) return [];
    if (differences("", image.before, image.after).length === 0) return [];
    image.before = image.after;
    return [index];
  });
}

/** Errors that say that nothing was done. */
const NOT_HAPPENED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "invalid",
  "unsupported",
  "refused",
  "stale",
  "not_found",
  "ambiguous",
  "not_actionable",
  "needs_focus",
  "app_not_found",
  "app_not_running",
  "launch_failed",
  "quit_blocked",
  "secure",
  "policy",
  "limit",
]);

function happened(error: BackstepError): "failed" | "unknown" {
  // It runs although no window came in time.
  if (error.code === "launch_failed" && error.details?.processId !== undefined) return "unknown";
  if (error.details?.outcome === "not_sent") return "failed";
  if (error.details?.outcome === "unknown") return "unknown";
  return NOT_HAPPENED.has(error.code) ? "failed" : "unknown";
}
