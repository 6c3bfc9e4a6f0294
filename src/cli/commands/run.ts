import { resolve } from "node:path";
import { toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Arguments, Command } from "../command.ts";
import { usage } from "../arguments.ts";
import { DESKTOP_OPTIONS } from "../desktop-options.ts";
import type { Io } from "../io.ts";
import { interrupts } from "../signals.ts";
import { withSession } from "../with-session.ts";
import {
  CASE,
  EVIDENCE,
  evidenceOf,
  isOwn,
  loadFile,
  ON_A_WORKFLOW,
  UPDATE_BASELINES,
  updateModeOf,
} from "../workflow-file.ts";

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
    ...ON_A_WORKFLOW,
    ...DESKTOP_OPTIONS,
    {
      name: "keep",
      kind: "boolean",
      description: "Keep the private desktop afterwards (`backstep session list`)",
    },
    {
      name: "on-conflict",
      kind: "string",
      value: "<what>",
      choices: ["stop", "ask", "force"],
      description:
        "What the rollback does with changes by somebody else: stop keeps them (default), ask asks on " +
        "a terminal, force overwrites them",
    },
    {
      name: "on-interference",
      kind: "string",
      value: "<what>",
      choices: ["pause", "abort", "ignore"],
      description:
        "What happens when somebody else uses the keyboard or mouse: pause waits for 2 s of quiet " +
        "(default on your own desktop), abort ends the run and rolls back, ignore notes it (default on " +
        "private desktops)",
    },
    UPDATE_BASELINES,
    EVIDENCE,
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
  ],
  examples: [
    "backstep run workflows/calculator.yaml --session isolated",
    "backstep run workflows/editor.yaml --var title=Report --format json",
  ],
  run: runFile,
};

async function runFile(args: Arguments, io: Io): Promise<number> {
  const { session: kind, mode, settings, workflow, program, ...given } = await loadFile(run, args);
  const accepted = acceptedHash(args.string("plan"));
  const onConflict = (["stop", "ask", "force"] as const).find((word) => word === args.string("on-conflict"));
  const onInterference = (["pause", "abort", "ignore"] as const)
    .find((word) => word === args.string("on-interference"));
  const durability = (["barriers", "full"] as const).find((word) => word === args.string("durability"));
  const updateBaselines = updateModeOf(args);
  const reportFile = args.string("report");
  const evidence = evidenceOf(args) ?? (reportFile === undefined ? "off" as const : "on" as const);
  const html = reportFile === undefined
    ? undefined
    : (await import("../../report/html/reporter.ts")).runReport({
      path: resolve(reportFile),
      output: ".",
      state: (await import("../../session/lease.ts")).stateFolder(),
    });
  const { askConflict } = await import("../ask-conflict.ts");
  const ask = askConflict();
  const admission = (await import("../consent.ts")).consent();
  const { runProgram } = await import("../../engine/run/run.ts");
  const { newRunId } = await import("../../engine/run/run-id.ts");
  const { isOpenJournal, runFolder } = await import("../../engine/journal/journal.ts");
  const { stateFolder } = await import("../../session/lease.ts");
  const { keptPlan } = await import("../../engine/plan/plan-store.ts");
  const { listReport } = await import("../../report/list.ts");
  const id = newRunId();
  const folder = runFolder(stateFolder(), id);
  const report = listReport(
    {
      write: (text) => io.text(text),
      terminal: io.terminal,
      live: io.live,
      get columns() {
        return io.columns;
      },
    },
    io.style,
  );
  if (args.boolean("keep") && kind !== "isolated") {
    throw usage(run, `--keep is for a new private desktop, and this run has the session ${kind}`);
  }
  const asked = interrupts((which) => {
    const message = which === "first"
      ? "Interrupted: stopping and rolling back. Once more stops that too."
      : "Interrupted again: the rollback stops here, and its journal stays open.";
    // On a terminal the line of the running step has to give way.
    if (io.format === "text") report({ event: "note", level: "warning", message });
    else io.note(message);
  });
  const planOf = (hash: string, session: string) => {
    const kept = keptPlan(stateFolder(), hash);
    return { hash, ...defined({ plan: kept }), prepared: isOwn(session) };
  };
  try {
    const result = await withSession(
      {
        session: kind,
        ...defined({ mode }),
        settings,
        keep: args.boolean("keep"),
        journal: folder,
        signal: asked.stop,
        announced: false,
        leave: () => asked.hardStop.aborted && isOpenJournal(folder),
      },
      io,
      (session) =>
        runProgram(workflow, {
          ...given,
          session,
          admission,
          run: id,
          ...(accepted === undefined ? {} : { plan: planOf(accepted, kind) }),
          listener(event) {
            report(event);
            html?.listener(event);
          },
          evidence,
          signal: asked.stop,
          hardStop: asked.hardStop,
          ...defined({ onConflict, onInterference, durability, updateBaselines, askConflict: ask }),
        }, program),
    );
    await html?.finish(result);
    io.json(result);
    return result.exit;
  } catch (thrown) {
    if (!asked.hardStop.aborted) throw thrown;
    // The rollback was cut off in the middle: what it left is in doubt, whatever the error says.
    io.error(toBackstepError(thrown).toJSON());
    return 4;
  } finally {
    asked.release();
  }
}

/** `--plan`, in full: a beginning could stand for two. */
function acceptedHash(hash: string | undefined): string | undefined {
  if (hash === undefined || /^[0-9a-f]{32}$/.test(hash)) return hash;
  throw usage(run, `--plan takes the 32 digits that \`backstep plan\` prints, not "${hash}"`);
}
