import { resolve } from "node:path";
import type { Baselines } from "../../contract/baselines.ts";
import { baselinesOf, usualUpdateMode } from "../../operations/baseline-folder.ts";
import { stateFolder } from "../../session/lease.ts";
import type { Session } from "../../session/session.ts";
import { Observer } from "../evidence/observer.ts";
import { Artefacts } from "../journal/artefacts.ts";
import { Encryption } from "../journal/encryption.ts";
import { Journal } from "../journal/journal.ts";
import { type RunContent, VERSION } from "../journal/records/run.ts";
import { lockRun } from "../journal/lock.ts";
import { pruneRuns } from "../journal/prune.ts";
import { digestOf } from "../model/digest.ts";
import type { Durability } from "../model/durability.ts";
import { Scope } from "../model/scope.ts";
import type { OnConflict, Workflow } from "../model/step.ts";
import { AsLeft } from "../rollback/as-left.ts";
import { UndoLog } from "../rollback/undo-log.ts";
import { Hidden } from "../secrets/hidden.ts";
import { Mask } from "../secrets/mask.ts";
import type { Masking } from "../secrets/masking.ts";
import { showsSecret, withoutSecrets } from "../secrets/secret-baselines.ts";
import { secretFiles, secretsOf } from "../secrets/secrets.ts";
import { withheldSession } from "../secrets/withheld-session.ts";
import { Withheld } from "../secrets/withheld.ts";
import { declaredFiles } from "./declared-files.ts";
import { InputGuard } from "./interference.ts";
import { type Listening, listening, makeContext } from "./make-context.ts";
import type { RunContext } from "./run-context.ts";
import { newRunId } from "./run-id.ts";
import type { Inside, RunOptions } from "./run-options.ts";
import type { Standing } from "./standing.ts";

/** A run that has its desktop, its journal and its lock. Whoever opened it closes it. */
export interface OpenRun {
  readonly context: RunContext;
  /** Where the steps of its file stand. */
  readonly at: Omit<Standing, "path">;
  readonly listener: Listening;
  close(): Promise<void>;
}

/** What hides the secrets of a workflow, and its desktop as it is seen through that. */
interface Secrecy {
  readonly masking: Masking;
  readonly hidden: Hidden;
  readonly session: Session;
}

/** Opens the journal of a run, begins to watch its desktop, and writes the first line. */
export async function openRun(workflow: Workflow, options: RunOptions & Inside): Promise<OpenRun> {
  const state = options.state ?? stateFolder();
  const run = options.run ?? newRunId();
  const { resumed, sink } = options;
  const { masking, hidden, session } = secrecyOf(workflow, options);
  const { mask } = masking;
  const listener = listening(options.listener, mask);
  if (!resumed) pruneRuns(state, options.keptRuns);
  const journal = resumed?.journal ?? Journal.create(state, run, sink);
  let observer: Observer | undefined;
  let unlock: (() => void) | undefined;
  let guard: InputGuard | undefined;
  const close = async () => {
    await observer?.close();
    await guard?.close();
    journal.close();
    unlock?.();
  };
  try {
    if (!resumed) unlock = lockRun(state, run);
    const encryption = resumed?.encryption ?? Encryption.create(state, run);
    const durability = options.durability ?? workflow.durability ?? "barriers";
    if (!resumed) {
      journal.durability = durability;
      journal.rests((sink) => Encryption.sync(state, run, sink));
    }
    const store = new Artefacts(journal.folder, encryption, sink);
    if (!resumed && (options.evidence ?? "off") !== "off") {
      const { folder } = store;
      observer = new Observer({ session, mask, hidden, folder, encryption, signal: options.hardStop });
    }
    const wanted = options.onInterference ?? workflow.onInterference;
    guard = await InputGuard.begin(wanted, { session, journal, emit: listener.emit });
    const policy = options.onConflict ?? workflow.onConflict ?? "stop";
    const context = await makeContext({
      ...options,
      ...masking,
      run,
      session,
      journal,
      encryption,
      baselines: withoutSecrets(baselinesFor(options), mask, session, hidden),
      showsSecret: () => showsSecret(session, hidden),
      evidence: store,
      guard,
      observer,
      emit: listener.emit,
      policy,
      declare: () => declaredFiles(workflow, options, store),
      way: workflow.rollback ?? "restore",
      timeout: workflow.timeout,
      memory: resumed?.memory,
      asLeft: new AsLeft(),
    });
    if (!resumed) writeFirstLine(workflow, options, context, { policy, durability });
    const desktop = { kind: session.kind, label: session.label };
    listener.emit({ event: "run-started", run, workflow: workflow.name, file: workflow.file, desktop });
    const at = {
      scope: new Scope(options.vars, options.surroundings),
      app: workflow.app,
      undoLog: new UndoLog(),
      inTransaction: false,
      file: "",
    };
    return { context, at, listener, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

function secrecyOf(workflow: Workflow, { session, surroundings }: RunOptions): Secrecy {
  const secrets = [...secretsOf(workflow)].flatMap((name) => surroundings.secret(name) ?? []);
  const mask = new Mask(secrets);
  const hidden = new Hidden(mask);
  const withheld = new Withheld(mask, hidden);
  return {
    masking: { mask, encryptionMask: new Mask(secrets), withheld },
    hidden,
    session: withheld.active ? withheldSession(session, withheld) : session,
  };
}

function baselinesFor({ folder, updateBaselines, surroundings }: RunOptions): Baselines {
  return baselinesOf(folder, updateBaselines ?? usualUpdateMode((name) => surroundings.env(name)));
}

/** What another process needs to roll this run back, or to go on with it. */
function writeFirstLine(
  workflow: Workflow,
  { vars, folder, surroundings: { item } }: RunOptions,
  { run, session, journal, encryption, mask }: RunContext,
  { policy, durability }: { readonly policy: OnConflict; readonly durability: Durability },
): void {
  const { kind, label, id = null, desktop: { mode } } = session;
  journal.write({
    kind: "run",
    version: VERSION,
    run,
    workflow: workflow.name,
    file: resolve(workflow.file),
    digest: digestOf(workflow),
    desktop: { kind, label, id, mode },
    secrets: [...secretsOf(workflow)],
    ...(durability === "full" ? { durability } : {}),
    encrypted: encryption.encrypt(mask.json(
      {
        vars,
        ...(item ? { item } : {}),
        app: workflow.app ?? null,
        folder,
        policy,
        secretFiles: secretFiles(workflow),
      } satisfies RunContent,
    )),
  });
}
