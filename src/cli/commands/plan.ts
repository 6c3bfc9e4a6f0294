import { defined } from "../../base/defined.ts";
import type { Arguments, Command } from "../command.ts";
import { DESKTOP_OPTIONS } from "../desktop-options.ts";
import type { Io } from "../io.ts";
import { interrupts } from "../signals.ts";
import { withSession } from "../with-session.ts";
import { isOwn, loadFile, ON_A_WORKFLOW } from "../workflow-file.ts";

/** `backstep plan <file>`. */
export const plan: Command = {
  name: "plan",
  summary: "Show what a workflow would do, and how far it could be undone, without doing anything",
  details: [
    "Each step's target is looked for as things are now; its effect, its undo and whether it is a barrier are shown, " +
    "with the coverage of the rollback and a hash that `run --plan` takes.",
    "On a new private desktop the file's `before:` is done first, and the desktop is closed afterwards. On yours, and on one " +
    "that was kept, nothing is launched.",
    "It ends with 1 when a step would fail as things are now.",
  ],
  positionals: [{ name: "file", description: "A workflow file (.yaml or .ts)", required: true }],
  options: [...ON_A_WORKFLOW, ...DESKTOP_OPTIONS],
  examples: [
    "backstep plan workflows/editor.yaml --session isolated",
    "backstep plan workflows/editor.yaml --var title=Report --format json",
  ],
  run: planFile,
};

async function planFile(args: Arguments, io: Io): Promise<number> {
  const { session: kind, mode, settings, workflow, program, ...given } = await loadFile(plan, args);
  const { newRunId } = await import("../../engine/run/run-id.ts");
  const { runFolder } = await import("../../engine/journal/journal.ts");
  const { planProgram } = await import("../../engine/plan/plan.ts");
  const { keepPlan } = await import("../../engine/plan/plan-store.ts");
  const { prepareFor } = await import("../../engine/run/prepare.ts");
  const { stateFolder } = await import("../../session/lease.ts");
  const { planLines } = await import("../../report/plan.ts");
  const state = stateFolder();
  const run = newRunId();
  const asked = interrupts(() => {});
  const prepared = isOwn(kind);
  try {
    const found = await withSession(
      {
        session: kind,
        ...defined({ mode }),
        settings,
        journal: runFolder(state, run),
        signal: asked.stop,
        announced: false,
      },
      io,
      async (session) => {
        const options = { ...given, session, signal: asked.stop };
        if (prepared) {
          await prepareFor(workflow, { ...options, state, run, hardStop: asked.hardStop }, program);
        }
        return await planProgram(workflow, { ...options, prepared }, program);
      },
    );
    keepPlan(state, found);
    io.json(found);
    io.text(`${planLines(found, io.style, io.terminal ? io.columns : 120).join("\n")}\n`);
    return found.steps.some(({ status }) => status === "fails") ? 1 : 0;
  } finally {
    asked.release();
  }
}
