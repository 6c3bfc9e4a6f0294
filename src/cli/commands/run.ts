import { usage } from "../arguments.ts";
import type { Command } from "../command.ts";
import { DESKTOP_OPTIONS } from "../desktop-options.ts";
import { DEBUG, isDebugged } from "../dev/debugger.ts";
import { ON_OTHERS, runLoaded } from "../run-loaded.ts";
import {
  CASE,
  ENV_FILE,
  EVIDENCE,
  HEAL,
  loadFile,
  ON_A_WORKFLOW,
  UPDATE_BASELINES,
} from "../workflow-file.ts";

/** What a run that a person steers does not do. */
const UNDEBUGGED = ["keep", "evidence", "heal", "report", "durability", "plan"] as const;

/** `backstep run <file>`. */
export const run: Command = {
  name: "run",
  summary: "Run a workflow file; when it fails, it is rolled back",
  details: [
    "The desktop is that of --session, or that of `session:` in the file, or a new private one that is " +
    "removed afterwards.",
    "Ctrl-C stops the run and rolls it back; a second Ctrl-C also stops the rollback.",
  ],
  positionals: [{ name: "file", description: "A workflow file (.yaml or .ts)", required: true }],
  options: [
    CASE,
    ENV_FILE,
    ...ON_A_WORKFLOW,
    ...DESKTOP_OPTIONS,
    {
      name: "keep",
      kind: "boolean",
      description: "Keep the private desktop afterwards (`backstep session list`)",
    },
    ...ON_OTHERS,
    UPDATE_BASELINES,
    EVIDENCE,
    HEAL,
    {
      name: "report",
      kind: "string",
      value: "<file>",
      description:
        "Write a report of the run as one HTML file, with screenshots of each step (--evidence on)",
    },
    {
      name: "durability",
      kind: "string",
      value: "<what>",
      choices: ["barriers", "full"],
      description:
        "Which journal lines must be on the disk before the run continues: only those of irreversible " +
        "actions and of actions on declared files (barriers, default), or all (full)",
    },
    {
      name: "plan",
      kind: "string",
      value: "<hash>",
      description:
        "The hash of an accepted plan (`backstep plan`): if anything differs from the plan, it is " +
        "named, and nothing is done",
    },
    ...DEBUG,
  ],
  examples: [
    "backstep run workflows/calculator.yaml --session isolated",
    "backstep run workflows/editor.yaml --var title=Report --format json",
  ],
  async run(args, io) {
    if (!isDebugged(args)) return await runLoaded(run, args, io, await loadFile(run, args));
    const other = UNDEBUGGED.find((name) => args.given(name));
    if (other !== undefined) throw usage(run, `--debug is not for a run with --${other}`);
    const { steered } = await import("../dev/steered.ts");
    return await steered(run, args, io, false);
  },
};
