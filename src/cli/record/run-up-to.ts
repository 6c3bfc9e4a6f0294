import { existsSync, readFileSync } from "node:fs";
import { BackstepError, type Json } from "../../base/error.ts";
import type { RunResult } from "../../contract/events.ts";
import type { StepIndex } from "../../record/output/step-at.ts";
import type { Session } from "../../session/session.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";
import { type LoadedFile, loadFile } from "../workflow-file.ts";
import { shownPath } from "./shown-path.ts";

/** A workflow file that is recorded on from one of its steps. */
export interface Continued {
  /** As it was given. */
  readonly file: string;
  readonly source: string;
  readonly loaded: LoadedFile;
  readonly at: StepIndex;
}

/** What `--from` names. Throws `usage` or `workflow` for what cannot be recorded on from, before any desktop is opened. */
export async function continued(command: Command, args: Arguments, from: string): Promise<Continued> {
  const cut = from.lastIndexOf("@");
  if (cut < 1 || cut === from.length - 1) {
    throw usage(command, `--from takes FILE@STEP or RUN@STEP, not "${from}"`, "STEP is a number or a name.");
  }
  const named = from.slice(0, cut);
  const run = existsSync(named) ? undefined : await fileOfRun(named);
  const file = run?.file ?? named;
  const loaded = await loadFile(command, args, { file, ...(run === undefined ? {} : { given: run.vars }) });
  if (loaded.program !== undefined) {
    throw new BackstepError("usage", `Cannot record into ${file}: it is a program`, {
      hint: "Record into a workflow file (.yaml), and convert it: backstep convert.",
    });
  }
  const { stepAt } = await import("../../record/output/step-at.ts");
  const { mustTakeSteps } = await import("../../record/output/insert-steps.ts");
  const at = stepAt(loaded.workflow, from.slice(cut + 1));
  const source = readFileSync(file, "utf8");
  mustTakeSteps(source, { file, at, operations: loaded.operations });
  return { file, source, loaded, at };
}

/** The file of a run, and the values that its variables had; undefined: no run has this id. */
async function fileOfRun(
  id: string,
): Promise<{ file: string; vars: Readonly<Record<string, Json>> } | undefined> {
  if (!/^\d{8}-\d{6}-[0-9a-f]{6}$/.test(id)) return undefined;
  const { stateFolder } = await import("../../session/lease.ts");
  const { findRun } = await import("../../engine/journal/runs.ts");
  const { runFolder } = await import("../../engine/journal/journal.ts");
  const { Encryption } = await import("../../engine/journal/encryption.ts");
  const { runContent } = await import("../../engine/journal/run-content.ts");
  const state = stateFolder();
  findRun(state, id);
  return runContent(runFolder(state, id), Encryption.open(state, id));
}

/** Runs a file up to its step, as `run` does, and leaves the desktop as it is then. */
export async function runUpTo(
  { loaded, at }: Continued,
  session: Session,
  io: Io,
  signal: AbortSignal,
): Promise<RunResult> {
  const { upTo } = await import("../../record/output/step-at.ts");
  const { runWorkflow } = await import("../../engine/run/run.ts");
  const { listReport } = await import("../../report/list.ts");
  const { consent } = await import("../consent.ts");
  const { workflow, operations, vars, surroundings, folder } = loaded;
  const { terminal, live, columns } = io;
  const write = (text: string) => io.text(text);
  return await runWorkflow(upTo(workflow, at), {
    operations,
    session,
    vars,
    surroundings,
    folder,
    admission: [...consent()],
    listener: listReport({ write, terminal, live, columns }, io.style),
    signal,
  });
}

/** Where the steps stand, for people: "form.yaml, after step 2.1". */
export function placeOf({ file, at }: Pick<Continued, "file" | "at">): string {
  return `${shownPath(file)}, after step ${at.map((n) => n + 1).join(".")}`;
}
