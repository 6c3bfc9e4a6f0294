import process from "node:process";
import { defined } from "../../base/defined.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";
import { recoveredLines } from "../recovered-lines.ts";
import { interrupts } from "../signals.ts";

const RUN = { name: "run", description: "The id of a finished run, as in `runs list`", required: true };
const CONFLICT = {
  name: "on-conflict",
  kind: "string" as const,
  value: "<what>",
  choices: ["stop", "ask", "force"],
  description: "What to do with later changes by somebody else: stop keeps them (default)",
};

/** `backstep undo <run>`. */
export const undo: Command = {
  name: "undo",
  summary: "Undo a finished run, on the desktop where it ran",
  details: [
    "This works on a desktop that still runs: your own, one of `session start`, or one of `run " +
    "--keep`. Later changes by somebody else are kept and named. The rollback ends at the last " +
    "irreversible step. A second undo says `already`.",
  ],
  positionals: [RUN],
  options: [
    {
      name: "last",
      kind: "number",
      value: "<n>",
      description: "Only the last n actions that are not undone yet",
    },
    CONFLICT,
  ],
  examples: ["backstep undo 20261120-233000-c3f9a1", "backstep undo 20261120-233000-c3f9a1 --last 1"],
  run: (args, io) => afterwards("undo", args, io),
};

/** `backstep redo <run>`. */
export const redo: Command = {
  name: "redo",
  summary: "Redo what `undo` has undone",
  details: [
    "The recorded states are written again where nobody has changed them since. Actions without a " +
    "recorded state are only named.",
  ],
  positionals: [RUN],
  options: [CONFLICT],
  examples: ["backstep redo 20261120-233000-c3f9a1"],
  run: (args, io) => afterwards("redo", args, io),
};

async function afterwards(kind: "undo" | "redo", args: Arguments, io: Io): Promise<number> {
  const run = args.positionals[0] ?? "";
  const last = args.number("last");
  if (last !== undefined && !(Number.isInteger(last) && last > 0)) {
    throw usage(undo, `--last is a whole number from 1, not ${last}`);
  }
  const { undoRun, redoRun } = await import("../../engine/recovery/undo-run.ts");
  const { stateFolder } = await import("../../session/lease.ts");
  const { catalogue: operations } = await import("../../catalogue.ts");
  const { askConflict } = await import("../ask-conflict.ts");
  const { findRun } = await import("../../engine/journal/runs.ts");
  const state = stateFolder();
  findRun(state, run);
  const environment = (name: string) => process.env[name];
  const ask = askConflict();
  const onConflict = (["stop", "ask", "force"] as const).find((word) => word === args.string("on-conflict"));
  const asked = interrupts(() => io.note("Interrupted: once more leaves what is not done yet."));
  try {
    const options = {
      run,
      state,
      operations,
      surroundings: { env: environment, secret: environment },
      onConflict: onConflict ?? "stop",
      hardStop: asked.hardStop,
      ...defined({ askConflict: ask }),
    };
    const found = kind === "undo"
      ? await undoRun({ ...options, ...defined({ last }) })
      : await redoRun(options);
    io.json(found);
    io.text(`${recoveredLines(found, io.style).join("\n")}\n`);
    return found.exit;
  } finally {
    asked.release();
  }
}
