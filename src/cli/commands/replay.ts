import { resolve } from "node:path";
import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { RunResult } from "../../contract/events.ts";
import type { Workflow } from "../../engine/model/step.ts";
import type { KeptRun } from "../../record/replay/facts.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import { DESKTOP_OPTIONS } from "../desktop-options.ts";
import type { Io } from "../io.ts";
import { ON_OTHERS, runLoaded } from "../run-loaded.ts";
import { ENV_FILE, loadFile, ON_A_WORKFLOW } from "../workflow-file.ts";

/** `backstep replay <file>`. */
export const replay: Command = {
  name: "replay",
  summary: "Run a recording, and report what is not as it was recorded",
  details: [
    "Runs a workflow file, or the arguments of the MCP tool ax_workflow (.json), as `run` does. It then compares " +
    "each step with the recording in FILE.recording.json: where its element was found, how long the step took, and " +
    "what the element is named, shows and holds. --against compares with the evidence of an earlier run, which tells no " +
    "places.",
    "The exit code is that of `run`. Drift does not change it.",
  ],
  positionals: [{
    name: "file",
    description: "A workflow file (.yaml or .ts), or arguments of ax_workflow (.json)",
    required: true,
  }],
  options: [
    ENV_FILE,
    ...ON_A_WORKFLOW,
    ...DESKTOP_OPTIONS,
    {
      name: "save",
      kind: "boolean",
      description: "Keep what this run finds as the recording, if the run passes",
    },
    {
      name: "recording",
      kind: "string",
      value: "<file>",
      description: "The recording; default: FILE.recording.json beside the file",
    },
    {
      name: "against",
      kind: "string",
      value: "<run>",
      description: "Compare with this run, which kept evidence (`run --evidence on`), instead of a recording",
    },
    ...ON_OTHERS,
  ],
  examples: [
    "backstep replay workflows/form.yaml --save",
    "backstep replay workflows/form.yaml --format json",
    "backstep replay workflows/form.yaml --against 20261120-233000-c3f9a1",
  ],
  run: replayFile,
};

async function replayFile(args: Arguments, io: Io): Promise<number> {
  const { digestOf, keptFile, readKept, writeKept } = await import("../../record/replay/keep.ts");
  const { FactObserver } = await import("../../record/replay/observer.ts");
  const { compareRuns } = await import("../../record/replay/compare.ts");
  const { readSource } = await import("../../record/read-source.ts");
  const { secretsOf } = await import("../../engine/secrets/secrets.ts");
  const { driftLines } = await import("../../report/drift.ts");
  const [file = ""] = args.positionals;
  const save = args.boolean("save");
  const earlier = args.string("against");
  if (earlier !== undefined && (save || args.given("recording"))) {
    throw usage(replay, "--against compares with a run, so it takes no --recording and no --save");
  }
  const against = earlier ?? args.string("recording") ?? keptFile(file);
  const loaded = await loadFile(replay, args, { toolWorkflows: true });
  const source = digestOf(readSource(file));
  const recorded = earlier === undefined
    ? readKept(against)
    : await keptOfRun(earlier, loaded.workflow, source);
  if (recorded === undefined && !save) {
    throw new BackstepError("usage", `Cannot replay ${file}: there is no recording ${against}`, {
      hint: "`--save` runs the file and makes it.",
    });
  }
  const { workflow, surroundings } = loaded;
  const observer = new FactObserver(
    [...secretsOf(workflow)].flatMap((name) => surroundings.secret(name) ?? []),
  );
  const finish = (run: RunResult) => {
    const found: KeptRun = {
      version: 1,
      workflow: workflow.name,
      source,
      desktop: run.desktop.kind,
      steps: observer.steps,
    };
    const drift = recorded === undefined
      ? undefined
      : compareRuns(recorded, found, against, { places: earlier === undefined });
    if (drift !== undefined) {
      io.text(`${driftLines(drift, io.style, io.terminal ? io.columns : Infinity).join("\n")}\n`);
    }
    const saved = save && run.status === "passed" ? resolve(against) : undefined;
    if (saved !== undefined) {
      writeKept(against, found);
      io.text(`Wrote ${against}\n`);
    } else if (save) io.note(`Not written, since the run did not pass: ${against}`);
    return { run, ...defined({ drift, saved }) };
  };
  return await runLoaded(replay, args, io, loaded, {
    listener: observer.listener,
    admission: observer.policy,
    audit: observer.audit,
    finish,
  });
}

/** What an earlier run found, of the same file where that is as it was. */
async function keptOfRun(run: string, workflow: Workflow, source: string): Promise<KeptRun> {
  const { factsOfRun } = await import("../../record/replay/evidence-facts.ts");
  const { digestOf } = await import("../../engine/model/digest.ts");
  const { stateFolder } = await import("../../session/lease.ts");
  const { kept, digest } = factsOfRun(stateFolder(), run);
  return { ...kept, source: digest === digestOf(workflow) ? source : digest };
}
