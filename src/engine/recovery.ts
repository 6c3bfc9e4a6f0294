import { Deadline } from "../base/call.ts";
import type { RollbackStep, RunListener, RunResult } from "../contract/events.ts";
import type { Operation } from "../contract/operation.ts";
import type { Difference } from "../contract/participant.ts";
import type { Session } from "../session/session.ts";
import { Artefacts } from "./artefacts.ts";
import type { AskConflict } from "./conflicts.ts";
import type { Journal } from "./journal.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";
import { Hidden } from "./evidence/hidden.ts";
import { listening, makeContext } from "./make-context.ts";
import { Mask } from "./mask.ts";
import type { Past, PastDeed } from "./past.ts";
import { entryOf } from "./past-ledger.ts";
import { reachBack } from "./sealed-participant.ts";
import { probe, type Probed } from "./probe.ts";
import type { Reattach } from "./reattach.ts";
import type { RunContext } from "./run-context.ts";
import type { Surroundings } from "./scope.ts";
import type { Seal } from "./seal.ts";
import { secretsAgain } from "./secrets.ts";
import type { Sink } from "./sink.ts";
import type { OnConflict, Workflow } from "./step.ts";
import { Withheld } from "./withheld.ts";
import { withheldSession } from "./withheld-session.ts";

/** What recovering a run needs. */
export interface RecoverOptions {
  readonly run: string;
  readonly state: string;
  /** What becomes of it; default: it is taken back. */
  readonly way?: "rollback" | "resume";
  /** It is taken back to the last savepoint of this name that it passed, and no further; "last": to the last of all. */
  readonly savepoint?: string;
  /** Only looks: nothing is written, pressed or released. */
  readonly dryRun?: boolean;
  readonly operations: Iterable<Operation>;
  readonly surroundings: Surroundings;
  /** Reads the workflow file again, as the run had it; for resuming. */
  readonly load?: (file: string, given: Past["given"]) => Workflow;
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
  | "restored" // taken back: everything protected reads as at the beginning
  | "resumed" // it went on to its end
  | "drift" // taken back but for what is named
  | "failed" // something could not be taken back, or did not answer
  | "in doubt" // a deed may or may not have happened, and nothing tells
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
  /** What was taken back, last first; of a dry run what would be. */
  readonly steps: readonly (RollbackStep | { readonly path: string; readonly what: string })[];
  /** Each property that is not as it is to be. */
  readonly drift: readonly Difference[];
  /** Steps that were cut off between intent and outcome. */
  readonly probed: readonly ProbedStep[];
  /** The irreversible step that the way back ended at. */
  readonly barrier?: { readonly path: string; readonly name: string };
  /** The savepoint that it was taken back to. */
  readonly savepoint?: string;
  /** Why, where it was refused or its desktop is gone. */
  readonly reason?: string;
  /** What the resumed run came to. */
  readonly result?: RunResult;
}

/** What recovering works with, once the desktop is found. */
export interface Recovery {
  readonly options: RecoverOptions;
  readonly past: Past;
  readonly session: Session;
  readonly journal: Journal;
  readonly seal: Seal;
  readonly context: RunContext;
  readonly probed: ProbedStep[];
}

/** Takes over: lets go of what a dead process held, and makes what a way back works with. */
export async function begin(
  given: RecoverOptions,
  past: Past,
  raw: Session,
  journal: Journal,
  seal: Seal,
): Promise<Recovery> {
  const surroundings = secretsAgain(past.given.secretFiles ?? {}, given.surroundings);
  const options = { ...given, surroundings };
  const secrets = past.head.secrets.flatMap((name) => surroundings.secret(name) ?? []);
  const mask = new Mask(secrets);
  const withheld = new Withheld(mask, new Hidden(mask));
  withheld.restore(past.lines);
  const session = withheld.active || past.head.secrets.length > 0 ? withheldSession(raw, withheld) : raw;
  const context = await contextOf(options, past, session, journal, seal, {
    mask,
    sealing: new Mask(secrets),
    withheld,
  });
  const recovery: Recovery = { options, past, session, journal, seal, context, probed: [] };
  if (options.dryRun) return recovery;
  journal.durability = past.head.durability ?? "barriers";
  journal.write({ kind: "recover", way: options.way ?? "rollback" });
  if (session.desktop.capabilities.input) {
    // On the user's own desktop a person's keys are theirs, unless a deed of ours was cut off.
    const all = session.kind !== "attached" || past.deeds.some(({ outcome }) => outcome === "none");
    await session.desktop.releaseInput({ ...Deadline.after(2_000).call(), all });
  }
  return recovery;
}

async function contextOf(
  options: RecoverOptions,
  past: Past,
  session: Session,
  journal: Journal,
  seal: Seal,
  secret: Pick<RunContext, "mask" | "sealing" | "withheld">,
): Promise<RunContext> {
  const { run, operations, surroundings } = options;
  const { mask, sealing, withheld } = secret;
  return await makeContext({
    run,
    session,
    operations,
    folder: past.given.folder,
    journal,
    seal,
    mask,
    sealing,
    withheld,
    surroundings,
    emit: listening(options.listener, mask).emit,
    policy: options.onConflict ?? past.given.policy,
    askConflict: options.askConflict,
    signal: options.signal,
    hardStop: options.hardStop,
  });
}

/** The deeds as a ledger that can be taken back; those that were cut off are looked at first. */
export async function ledgerOf(
  deeds: readonly PastDeed[],
  owner: string,
  recovery: Recovery,
): Promise<Ledger> {
  const ledger = new Ledger(0, undefined, owner);
  for (const deed of deeds) ledger.entries.push(await revived(deed, recovery));
  ledger.entries.splice(0, Infinity, ...reachBack(ledger.entries));
  return ledger;
}

/** A deed that can be taken back. One that was cut off is looked at. */
export async function revived(deed: PastDeed, recovery: Recovery): Promise<LedgerEntry> {
  const { context, session, options, journal, seal } = recovery;
  const store = new Artefacts(journal.folder, seal, options.sink);
  const sealed = recovery.past.head.secrets.length > 0 ? context.sealing : undefined;
  const finding = { session, store, surroundings: options.surroundings, sealed };
  const deadline = Deadline.after(context.budgets.check, options.hardStop);
  const entry = await entryOf(deed, finding, deadline.call());
  for (const enrolment of entry.enrolments) {
    if (enrolment.participant.late) context.late.set(enrolment.participant.key, enrolment);
  }
  if (deed.outcome === "none" && deed.undone.size === 0 && deed.undoing.size === 0) {
    const state = await probe(deed, entry, context);
    recovery.probed.push({ path: entry.path, name: entry.name, state });
    if (state === "in doubt" && entry.barrier) context.doubts.add(entry);
  } else if (deed.outcome === "unknown" && entry.barrier) context.doubts.add(entry);
  await halfUndone(deed, entry, context);
  return entry;
}

/** An opposite deed that was cut off: where all is as before, it was done. */
async function halfUndone(deed: PastDeed, entry: LedgerEntry, run: RunContext): Promise<void> {
  const what = `deed ${entry.name}`;
  if (!deed.undoing.has(what) || deed.undone.has(what) || entry.undo) return;
  if (await probe(deed, { ...entry }, run) !== "not done") return;
  deed.undone.set(what, "compensated");
  run.journal.write({ kind: "undone", path: entry.path, intent: entry.intent, what, verdict: "compensated" });
}
