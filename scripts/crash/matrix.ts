import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Deadline } from "../../src/base/call.ts";
import { BackstepError, toBackstepError } from "../../src/base/error.ts";
import { defined } from "../../src/base/defined.ts";
import { catalogue } from "../../src/catalogue.ts";
import type { Difference } from "../../src/contract/participant.ts";
import { readJournal, runFolder } from "../../src/engine/journal/journal.ts";
import {
  changesBetween,
  plain,
  takeTreeSnapshot,
  type TreeSnapshot,
} from "../../src/engine/model/tree-snapshot.ts";
import { recoverRun } from "../../src/engine/recovery/recover.ts";
import { settled } from "../../src/engine/model/settle.ts";
import { undoRun } from "../../src/engine/recovery/undo-run.ts";
import { openSession } from "../../src/session/open-session.ts";
import { stopDesktop } from "../../src/session/reap.ts";
import type { Session } from "../../src/session/session.ts";
import { loadWorkflow } from "../../src/workflow/load.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const VICTIM = fileURLToPath(new URL("run.ts", import.meta.url));
const APP = "gtk3-widget-factory";

/** One cell: where the run was killed, how it was recovered, and what came of it. */
export interface Cell {
  readonly at: number;
  /** "before a line: intent". */
  readonly point: string;
  readonly way: "rollback" | "resume";
  /** "ended": nothing was left to recover. */
  readonly verdict: string;
  readonly good: boolean;
  readonly why?: string;
  readonly milliseconds: number;
}

/** A private desktop with one application on it, which every cell leaves as it found it. */
export class Matrix {
  readonly #state: string;
  readonly #session: Session;
  readonly #start: TreeSnapshot;
  readonly #file: string;

  private constructor(state: string, session: Session, start: TreeSnapshot, file: string) {
    this.#state = state;
    this.#session = session;
    this.#start = start;
    this.#file = file;
  }

  static async open(file = fileURLToPath(new URL("workflow.yaml", import.meta.url))): Promise<Matrix> {
    const state = mkdtempSync(join(tmpdir(), "bs-crash-"));
    const session = await openSession({ kind: "isolated", state, keep: true });
    try {
      writeFileSync(join(session.home ?? state, "Draft.txt"), "As it was.\n");
      await session.launcher.launch(APP);
      return new Matrix(state, session, await treeSnapshotOf(session), file);
    } catch (error) {
      await endDesktop(session, state);
      rmSync(state, { recursive: true, force: true });
      throw error;
    }
  }

  /** Every point that a run passes which is not killed; what it did is undone. */
  async points(): Promise<string[]> {
    const out = await this.#victim("whole", -1);
    const { status, error, passed } = JSON.parse(out);
    if (status !== "passed") {
      throw new BackstepError(
        "internal",
        `Cannot make a crash matrix: its workflow failed: ${JSON.stringify(error)}`,
      );
    }
    await this.#undo("whole");
    const left = await this.#left();
    if (left.length > 0) throw new BackstepError("internal", `Cannot undo: ${JSON.stringify(left)}`);
    return passed;
  }

  /** Kills a run at a point, recovers it, and looks at every element of the application. */
  async cell(at: number, way: "rollback" | "resume"): Promise<Cell> {
    const began = performance.now();
    const run = `cell-${at}-${way}`;
    const out = await this.#victim(run, at);
    const done = (point: string, verdict: string, why?: string): Cell => ({
      at,
      point,
      way,
      verdict,
      good: why === undefined,
      ...defined({ why }),
      milliseconds: Math.round(performance.now() - began),
    });
    const point = out === "" ? "" : "not reached";
    try {
      const lines = readJournal(runFolder(this.#state, run));
      if (lines.length === 0) return done(point, "not begun", await this.#differs());
      if (lines.at(-1)?.kind === "end") {
        await this.#undo(run);
        return done(point, "ended", await this.#differs());
      }
      const { verdict, reason, drift, steps } = await recoverRun({
        run,
        state: this.#state,
        way,
        operations: catalogue,
        surroundings: { env: () => undefined, secret: () => undefined },
        load: (file, { folder }) => loadWorkflow(file, { operations: catalogue, root: folder }),
      });
      const wanted = way === "resume" ? "resumed" : "restored";
      if (verdict !== wanted) {
        return done(point, verdict, `${reason ?? ""} ${JSON.stringify({ drift, steps }).slice(0, 1_500)}`);
      }
      if (way === "resume") await this.#undo(run);
      return done(point, verdict, await this.#differs());
    } catch (thrown) {
      return done(point, "failed", toBackstepError(thrown).message);
    }
  }

  async close(): Promise<void> {
    await endDesktop(this.#session, this.#state);
    rmSync(this.#state, { recursive: true, force: true });
  }

  async #undo(run: string): Promise<void> {
    const { verdict, drift } = await undoRun({
      run,
      state: this.#state,
      operations: catalogue,
      surroundings: { env: () => undefined, secret: () => undefined },
    });
    // "already": a step failed on a busy machine before the point was reached, and the run rolled itself back.
    if (verdict === "restored" || verdict === "already") return;
    throw new BackstepError(
      "drift",
      `Cannot undo run ${run}: ${verdict} ${JSON.stringify(drift).slice(0, 500)}`,
    );
  }

  async #differs(): Promise<string | undefined> {
    const left = await this.#left();
    return left.length === 0 ? undefined : `not as before: ${JSON.stringify(left).slice(0, 800)}`;
  }

  async #left(): Promise<Difference[]> {
    const limit = Deadline.after(2_000);
    for (;;) {
      const now = changesBetween(this.#start, await treeSnapshotOf(this.#session)).map(plain).filter(counts);
      if (now.length === 0 || limit.passed) return now;
    }
  }

  /** Answers what the victim printed: nothing where it was killed. */
  async #victim(run: string, at: number): Promise<string> {
    const reported = { state: this.#state, desktop: this.#session.id, file: this.#file, root: ROOT, run, at };
    const child = spawn(process.execPath, ["run", "-A", "--no-check", VICTIM, JSON.stringify(reported)], {
      env: { ...process.env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 120_000,
      killSignal: "SIGKILL",
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => out += String(chunk));
    child.stderr.on("data", (chunk) => err += String(chunk));
    const [code, signal] = await once(child, "close");
    if (code !== 0 && signal !== "SIGKILL") {
      throw new BackstepError("internal", `Cannot run the victim: ${err.slice(-800)}`);
    }
    return out;
  }
}

/** It is kept, so that no cell ends it: this does. */
async function endDesktop(session: Session, state: string): Promise<void> {
  await session.close();
  if (session.id !== undefined) await stopDesktop(session.id, { state, evenRunning: true });
}

/** A progress bar that moves by itself, and where a list is scrolled to by the focus, are no part of a promise. */
function counts({ participant }: Difference): boolean {
  return !/progress|spinner/i.test(participant);
}

async function treeSnapshotOf({ desktop }: Session): Promise<TreeSnapshot> {
  const deadline = Deadline.after(10_000);
  await settled(desktop, 100, deadline);
  const [application] = await desktop.applications(deadline.call());
  if (!application) throw new BackstepError("app_not_running", `Cannot look at ${APP}: it does not run`);
  return await takeTreeSnapshot(desktop, application, deadline);
}
