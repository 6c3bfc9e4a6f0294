import { defined } from "../../base/defined.ts";
import { Deadline } from "../../base/call.ts";
import type { RollbackStep, RunListener, RunResult } from "../../contract/events.ts";
import type { Operation } from "../../contract/operation.ts";
import type { Difference } from "../../contract/participant.ts";
import type { Session } from "../../session/session.ts";
import { ACTION } from "../../contract/rollback-what.ts";
import { Artefacts } from "../journal/artefacts.ts";
import type { AskConflict } from "../rollback/conflicts.ts";
import type { Journal } from "../journal/journal.ts";
import { type UndoEntry, UndoLog } from "../rollback/undo-log.ts";
import { Hidden } from "../secrets/hidden.ts";
import { listening, makeContext } from "../run/make-context.ts";
import type { Masking } from "../secrets/masking.ts";
import { Mask } from "../secrets/mask.ts";
import type { PastAction, PastRun } from "../journal/past-run.ts";
import { reachBack } from "../rollback/encrypted-participant.ts";
import type { RunContext } from "../run/run-context.ts";
import type { Surroundings } from "../model/scope.ts";
import type { Encryption } from "../journal/encryption.ts";
import { secretsAgain } from "../secrets/secrets.ts";
import type { Sink } from "../journal/sink.ts";
import type { OnConflict, Workflow } from "../model/step.ts";
import { Withheld } from "../secrets/withheld.ts";
import { withheldSession } from "../secrets/withheld-session.ts";
import { entryOf } from "./past-undo-log.ts";
import { probe, type Probed } from "./probe.ts";
import type { Reattach } from "./reattach.ts";

/** What recovering a run needs. */
export interface RecoverOptions {
  readonly run: string;
  readonly state: string;
  /** What becomes of it; default: it is rolled back. */
  readonly way?: "rollback" | "resume";
  /** It is rolled back to the last savepoint of this name that it passed, and no further; "last": to the last of all. */
  readonly savepoint?: string;
  /** Only looks: nothing is written, pressed or released. */
  readonly dryRun?: boolean;
  readonly operations: Iterable<Operation>;
  readonly surroundings: Surroundings;
  /** Reads the workflow file again, as the run had it; for resuming. */
  readonly load?: (file: string, given: PastRun["given"]) => Workflow;
  /** Finds the desktop again; default: by its lease. */
  readonly reattach?: Reattach;
  readonly onConflict?: OnConflict;
  readonly askConflict?: AskConflict;
  readonly listener?: RunListener;
  readonly signal?: AbortSignal;
  readonly hardStop?: AbortSignal;
  readonly sink?: Sink;
}

/** What became of a run that had been cut off. */
export type RecoveryVerdict =
  | "restored" // rolled back: everything protected reads as at the beginning
  | "resumed" // it went on to its end
  | "drift" // rolled back but for what is named
  | "failed" // something could not be undone, or did not answer
  | "in doubt" // an action may or may not have happened, and nothing tells
  | "gone" // its desktop died
  | "refused" // it was not resumed, for the reason that is given; nothing was changed
  | "open"; // only looked at

/** A step that was cut off, and what a look at it told. */
export interface ProbedStep {
  readonly path: string;
  readonly name: string;
  readonly state: Probed;
}

/** One recovered run, as `--format json` tells it. */
export interface Recovered {
  readonly run: string;
  readonly workflow: string;
  readonly verdict: RecoveryVerdict;
  readonly exit: number;
  /** What was rolled back, last first; of a dry run what would be. */
  readonly steps: readonly (RollbackStep | { readonly path: string; readonly what: string })[];
  /** Each property that is not as it is to be. */
  readonly drift: readonly Difference[];
  /** Steps that were cut off between intent and outcome. */
  readonly probed: readonly ProbedStep[];
  /** The irreversible step that the rollback ended at. */
  readonly barrier?: { readonly path: string; readonly name: string };
  /** The savepoint that it was rolled back to. */
  readonly savepoint?: string;
  /** Why, where it was refused or its desktop is gone. */
  readonly reason?: string;
  /** What the resumed run came to. */
  readonly result?: RunResult;
}

/** What recovering works with, once the desktop is found. */
export interface Recovery {
  readonly options: RecoverOptions;
  readonly pastRun: PastRun;
  readonly session: Session;
  readonly journal: Journal;
  readonly encryption: Encryption;
  readonly context: RunContext;
  readonly probed: ProbedStep[];
}

/** Takes over: lets go of what a dead process held, and makes what a rollback works with. */
export async function begin(
  given: RecoverOptions,
  pastRun: PastRun,
  raw: Session,
  journal: Journal,
  encryption: Encryption,
): Promise<Recovery> {
  const { item = given.surroundings.item, secretFiles = {} } = pastRun.given;
  const surroundings = secretsAgain(secretFiles, { ...given.surroundings, ...defined({ item }) });
  const options = { ...given, surroundings };
  const secrets = pastRun.head.secrets.flatMap((name) => surroundings.secret(name) ?? []);
  const mask = new Mask(secrets);
  const withheld = new Withheld(mask, new Hidden(mask));
  withheld.restore(pastRun.records);
  const session = withheld.active || pastRun.head.secrets.length > 0 ? withheldSession(raw, withheld) : raw;
  const context = await contextOf(options, pastRun, session, journal, encryption, {
    mask,
    encryptionMask: new Mask(secrets),
    withheld,
  });
  const recovery: Recovery = { options, pastRun, session, journal, encryption, context, probed: [] };
  if (options.dryRun) return recovery;
  journal.durability = pastRun.head.durability ?? "barriers";
  journal.write({ kind: "recover", way: options.way ?? "rollback" });
  if (session.desktop.capabilities.input) {
    // On the user's own desktop a person's keys are theirs, unless an action of ours was cut off.
    const all = session.kind !== "attached" || pastRun.actions.some(({ outcome }) => outcome === "none");
    await session.desktop.releaseInput({ ...Deadline.after(2_000).call(), all });
  }
  return recovery;
}

async function contextOf(
  options: RecoverOptions,
  pastRun: PastRun,
  session: Session,
  journal: Journal,
  encryption: Encryption,
  secret: Masking,
): Promise<RunContext> {
  const { run, operations, surroundings } = options;
  const { mask, encryptionMask, withheld } = secret;
  return await makeContext({
    run,
    session,
    operations,
    folder: pastRun.given.folder,
    journal,
    encryption,
    mask,
    encryptionMask,
    withheld,
    surroundings,
    emit: listening(options.listener, mask).emit,
    policy: options.onConflict ?? pastRun.given.policy,
    askConflict: options.askConflict,
    signal: options.signal,
    hardStop: options.hardStop,
  });
}

/** The actions as an undo log that can be undone; those that were cut off are looked at first. */
export async function undoLogOf(
  actions: readonly PastAction[],
  owner: string,
  recovery: Recovery,
): Promise<UndoLog> {
  const undoLog = new UndoLog(0, undefined, owner);
  for (const action of actions) undoLog.entries.push(await revived(action, recovery));
  undoLog.entries.splice(0, Infinity, ...reachBack(undoLog.entries));
  return undoLog;
}

/** An action that can be undone. One that was cut off is looked at. */
export async function revived(action: PastAction, recovery: Recovery): Promise<UndoEntry> {
  const { context, session, options, journal, encryption } = recovery;
  const store = new Artefacts(journal.folder, encryption, options.sink);
  const encryptionMask = recovery.pastRun.head.secrets.length > 0 ? context.encryptionMask : undefined;
  const finding = { session, store, surroundings: options.surroundings, encryptionMask };
  const deadline = Deadline.after(context.budgets.check, options.hardStop);
  const entry = await entryOf(action, finding, deadline.call());
  for (const image of entry.beforeImages) {
    if (image.participant.late) context.late.set(image.participant.key, image);
  }
  if (action.outcome === "none" && action.undone.size === 0 && action.undoing.size === 0) {
    const state = await probe(action, entry, context);
    recovery.probed.push({ path: entry.path, name: entry.name, state });
    if (state === "in doubt" && entry.barrier) context.doubts.add(entry);
  } else if (action.outcome === "unknown" && entry.barrier) context.doubts.add(entry);
  await halfUndone(action, entry, context);
  return entry;
}

/** An opposite action that was cut off: where all is as before, it was done. */
async function halfUndone(action: PastAction, entry: UndoEntry, run: RunContext): Promise<void> {
  const what = `${ACTION}${entry.name}`;
  if (!action.undoing.has(what) || action.undone.has(what) || entry.undo) return;
  if (await probe(action, { ...entry }, run) !== "not done") return;
  action.undone.set(what, "compensated");
  run.journal.write({ kind: "undone", path: entry.path, begin: entry.intent, what, verdict: "compensated" });
}
