import process from "node:process";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Recovered, RecoveryVerdict } from "../../engine/recovery/recovery.ts";
import { count, oneLine } from "../../report/style.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";
import { recoveredLines } from "../recovered-lines.ts";
import { interrupts } from "../signals.ts";

/** `backstep recover [run]`. */
export const recover: Command = {
  name: "recover",
  summary: "Roll back or resume runs whose process was killed",
  details: [
    "Without a run, all killed runs are recovered. Each run is locked and its desktop is found again. " +
    "Then held keys and buttons are released, and it is checked whether the interrupted step happened.",
    "Exit codes: 0 everything was recovered; 1 a desktop no longer exists; 3 something differs and is " +
    "named; 4 it is not known whether something happened, or something could not be undone.",
  ],
  positionals: [{
    name: "run",
    description: "The id of a run, as in `runs list`; default: all killed runs",
    required: false,
  }],
  options: [
    { name: "rollback", kind: "boolean", description: "Roll it back to its beginning (default)" },
    {
      name: "resume",
      kind: "boolean",
      description:
        "Continue after the last finished step; refused when the workflow or the desktop has changed",
    },
    {
      name: "to-savepoint",
      kind: "string",
      value: "<name>",
      description:
        "Roll it back only to its last savepoint of this name (`last`: the last one of any name); " +
        "earlier steps stay",
    },
    { name: "dry-run", kind: "boolean", description: "Change nothing; only say what would be rolled back" },
    {
      name: "on-conflict",
      kind: "string",
      value: "<what>",
      choices: ["stop", "ask", "force"],
      description: "What to do with later changes by somebody else; default: as the run was started",
    },
  ],
  examples: [
    "backstep recover --dry-run",
    "backstep recover --rollback --format json",
    "backstep recover --resume",
  ],
  run: recoverRuns,
};

/** From no reason for concern to the gravest. */
const GRAVITY: readonly number[] = [0, 130, 1, 3, 4];

async function recoverRuns(args: Arguments, io: Io): Promise<number> {
  const [run] = args.positionals;
  if (args.boolean("resume") && args.boolean("rollback")) {
    throw usage(recover, "--resume and --rollback are two things");
  }
  const savepoint = args.string("to-savepoint");
  if (args.boolean("resume") && savepoint !== undefined) {
    throw usage(recover, "--to-savepoint undoes, and --resume goes on");
  }
  const { findRun, openRuns } = await import("../../engine/journal/runs.ts");
  const { recoverRun } = await import("../../engine/recovery/recover.ts");
  const { stateFolder } = await import("../../session/lease.ts");
  const { catalogue: operations } = await import("../../catalogue.ts");
  const { loadWorkflow } = await import("../../workflow/load.ts");
  const { askConflict } = await import("../ask-conflict.ts");
  const state = stateFolder();
  const runs = run === undefined ? openRuns(state) : [findRun(state, run).run];
  const environment = (name: string) => process.env[name];
  const ask = askConflict();
  const onConflict = (["stop", "ask", "force"] as const).find((word) => word === args.string("on-conflict"));
  const asked = interrupts((which) => {
    io.note(
      which === "first" ? "Interrupted: once more leaves what is not rolled back yet." : "Interrupted again.",
    );
  });
  const found: (Recovered | Refused)[] = [];
  try {
    for (const each of runs) {
      if (asked.stop.aborted) break;
      try {
        found.push(
          await recoverRun({
            run: each,
            state,
            operations,
            way: args.boolean("resume") ? "resume" : "rollback",
            dryRun: args.boolean("dry-run"),
            ...defined({ savepoint }),
            surroundings: { env: environment, secret: environment },
            load: (file, { folder }) => loadWorkflow(file, { operations, root: folder }),
            hardStop: asked.hardStop,
            ...defined({ askConflict: ask, onConflict }),
          }),
        );
      } catch (thrown) {
        if (run !== undefined) throw thrown;
        // One that cannot be recovered keeps no other from it.
        found.push(refusal(each, toBackstepError(thrown)));
      }
    }
  } finally {
    asked.release();
  }
  io.json({ runs: found });
  if (found.length === 0) io.text("There is no killed run to recover.\n");
  for (const one of found) io.text(`${recoveredLines(one, io.style).join("\n")}\n`);
  if (found.length > 1) io.text(`${count(found.length, "run")}\n`);
  return found.reduce((worst, { exit }) => GRAVITY.indexOf(exit) > GRAVITY.indexOf(worst) ? exit : worst, 0);
}

/** A run that could not be recovered at all. */
interface Refused extends Pick<Recovered, "run" | "steps" | "drift" | "exit" | "reason"> {
  readonly verdict: RecoveryVerdict;
}

function refusal(run: string, error: BackstepError): Refused {
  return { run, verdict: "refused", exit: 4, steps: [], drift: [], reason: oneLine(error.message) };
}
