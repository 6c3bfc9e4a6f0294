import { defined } from "../base/defined.ts";
import type { RunListener, RunResult } from "../contract/events.ts";
import type { PolicyPort } from "../contract/gate.ts";
import { Healer } from "../heal/healer.ts";
import type { Claims } from "../engine/run/claims.ts";
import { runProgram } from "../engine/run/run.ts";
import { loadFile } from "../script/load-file.ts";
import { stateFolder } from "../session/lease.ts";
import type { Session } from "../session/session.ts";
import type { Choice } from "./desk.ts";
import type { Job } from "./wire.ts";

/** What a try is done with. */
export interface Doing {
  /** Opens the desktop that the file is to have; whoever gives it closes it. */
  readonly take: (choice: Choice) => Promise<Session>;
  /** What judges the acts of the run on this desktop; default: nothing does. */
  readonly admission?: (session: Session) => Promise<readonly PolicyPort[]>;
  readonly listener: RunListener;
  /** Allows actions that cannot be undone; absent: all are. */
  readonly claims?: Claims;
  /** Told what cannot be kept for healing; absent: nothing is kept. */
  readonly note?: (message: string) => void;
  readonly signal?: AbortSignal;
  readonly hardStop?: AbortSignal;
}

/** Reads one file, opens its desktop and runs it. Rejects when it could not begin. */
export async function runFile(job: Job, doing: Doing): Promise<RunResult> {
  const { session: wanted, mode, timeout, desktop } = job;
  const { workflow: read, program, ...given } = await loadFile(job.file, { doing: "test", ...job });
  const workflow = timeout === undefined ? read : { ...read, timeout };
  const session = await doing.take({
    session: wanted ?? workflow.session ?? "isolated",
    mode: mode ?? workflow.mode,
    settings: desktop === undefined ? workflow.desktop : { ...workflow.desktop, ...desktop },
  });
  const admission = await doing.admission?.(session) ?? [];
  return await runProgram(workflow, {
    ...given,
    session,
    admission,
    run: job.run,
    state: job.state,
    // A suite's report speaks of all of its runs.
    keptRuns: Infinity,
    evidence: job.evidence ?? "on-failure",
    // The state folder of a suite goes with it; what is found outlives that.
    ...(doing.note
      ? {
        healing: new Healer({
          state: stateFolder(),
          run: job.run,
          proves: job.heal === true,
          note: doing.note,
        }),
      }
      : {}),
    ...defined({ updateBaselines: job.updateBaselines, claims: doing.claims }),
    listener: doing.listener,
    ...(doing.signal ? { signal: doing.signal } : {}),
    ...(doing.hardStop ? { hardStop: doing.hardStop } : {}),
  }, program);
}
