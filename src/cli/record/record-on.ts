import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { RecordedEvidence } from "../../heal/recorded.ts";
import type { Recording } from "../../record/output/model.ts";
import { count } from "../../report/style.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";
import { typed } from "../typed.ts";
import { onOneDesktop, type Unsaid } from "../with-session.ts";
import { shownPath } from "./shown-path.ts";
import { recorded } from "./recorded.ts";
import { type Continued, placeOf, runUpTo } from "./run-up-to.ts";
import { writeWhole } from "../../record/output/write-whole.ts";

/** Runs a file up to a step, and writes what is recorded from there into it. */
export async function recordOn(
  command: Command,
  from: Continued,
  args: Arguments,
  io: Io,
): Promise<number> {
  const { file, loaded, at } = from;
  const { settings, mode, session: kind } = loaded;
  const unsaid: Unsaid = { session: kind, ...defined({ settings, mode }) };
  return await onOneDesktop(command, args, io, unsaid, async (session, stop) => {
    const result = await runUpTo(from, session, io, stop);
    if (result.status !== "passed") {
      io.json({ what: "failed", run: result });
      io.note(`Nothing was recorded: ${file} does not run up to step ${at.map((n) => n + 1).join(".")}`);
      return result.exit === 0 ? 1 : result.exit;
    }
    io.json({ what: "ready", run: result.run, file: resolve(file), step: at.map((n) => n + 1).join(".") });
    // Where the file names no application, each step does.
    const name = loaded.workflow.name, app = loaded.workflow.app ?? "";
    const { RecordedEvidence } = await import("../../heal/recorded.ts");
    const evidence = new RecordedEvidence();
    const recording = await recorded(session, { name, app }, io, stop, evidence);
    const { forTransaction, withTransactions, withUndoHints } = await import(
      "../../record/output/arrange.ts"
    );
    const { secretsAsNames } = await import("../../record/output/secrets-as-names.ts");
    const { insertSteps } = await import("../../record/output/insert-steps.ts");
    const secrets = new Map(loaded.workflow.secrets.flatMap((secret) => {
      const value = loaded.surroundings.secret(secret);
      return value === undefined ? [] : [[secret, value] as const];
    }));
    const hidden = secretsAsNames(recording, secrets);
    const whole = at.length > 1 ? forTransaction(hidden) : withTransactions(withUndoHints(hidden));
    const options = { file, at, operations: loaded.operations };
    const now = readFileSync(file, "utf8");
    if (now !== from.source) throw await savedBeside(file, whole, "it was changed while this recorded");
    const text = insertSteps(now, whole, options);
    await mustRead(file, text, whole);
    writeWhole(resolve(file), text);
    await written(file, recording, evidence, io);
    const rest = loaded.workflow.steps.length - at[0] - 1;
    io.text(`${io.style.bold(placeOf(from))}: ${count(recording.steps.length, "step")} more\n`);
    if (rest > 0) io.text(`What follows (${count(rest, "step")}) stays as it was, and was not run.\n`);
    io.text(`Run it: ${typed(`run ${shownPath(file)}`)}\n`);
    return 0;
  });
}

/** Keeps what the steps of a file stand for, and tells a program what was written. */
export async function written(
  file: string,
  { steps, settings }: Recording,
  evidence: RecordedEvidence,
  io: Io,
): Promise<void> {
  const { stateFolder } = await import("../../session/lease.ts");
  evidence.keep(stateFolder(), resolve(file), (message) => io.note(message));
  io.json({ what: "written", file: resolve(file), steps: steps.length, secrets: settings.secrets ?? [] });
}

/** What was written into a file reads as a workflow. */
async function mustRead(file: string, text: string, recording: Recording): Promise<void> {
  const { parseWorkflow } = await import("../../workflow/parse.ts");
  const { loadYaml } = await import("../../script/load-file.ts");
  const { catalogue } = await import("../../catalogue.ts");
  const plain = !/^\s*-?\s*run:/m.test(text);
  try {
    // Other files that it runs were read before.
    if (plain) parseWorkflow(text, { file, operations: catalogue });
    else loadYaml(file);
  } catch (thrown) {
    throw await savedBeside(file, recording, "what would be written does not read as a workflow", thrown);
  }
}

/** Keeps a recording that cannot go into its file in one of its own: nothing that was done is lost. */
async function savedBeside(
  file: string,
  recording: Recording,
  why: string,
  cause?: unknown,
): Promise<BackstepError> {
  const { writeYaml } = await import("../../record/output/write-yaml.ts");
  const { catalogue } = await import("../../catalogue.ts");
  const beside = `${resolve(file)}.recorded-${Date.now()}.yaml`;
  const { app, ...settings } = recording.settings;
  const named = app === undefined || app === "" ? settings : recording.settings;
  writeWhole(beside, writeYaml({ ...recording, settings: named }, catalogue));
  return new BackstepError("refused", `Cannot record into ${file}: ${why}`, {
    hint: `What was recorded is in ${beside}.`,
    ...defined({ cause }),
  });
}
