import { defined } from "../../base/defined.ts";
import type { Arguments, Command } from "../command.ts";
import { DESKTOP_OPTIONS } from "../desktop-options.ts";
import type { Io } from "../io.ts";
import { interrupts } from "../signals.ts";
import { withSession } from "../with-session.ts";
import { CASE, ENV_FILE, isOwn, loadFile, ON_A_WORKFLOW } from "../workflow-file.ts";

/** `backstep plan <file>`. */
export const plan: Command = {
  name: "plan",
  summary: "Show what a workflow would do and what could be undone, without doing it",
  details: [
    "For each step, the target is searched on the desktop as it is now. The plan shows the effect of " +
    "the step, its undo, and whether it is irreversible. It also shows how much can be undone, and a " +
    "hash for `run --plan`.",
    "On a new private desktop, `before:` of the file runs first, and the desktop is closed afterwards. " +
    "On your own desktop, and on a kept one, nothing is launched.",
    "The exit code is 1 when a step would fail now.",
  ],
  positionals: [{ name: "file", description: "A workflow file (.yaml or .ts)", required: true }],
  options: [CASE, ENV_FILE, ...ON_A_WORKFLOW, ...DESKTOP_OPTIONS],
  examples: [
    "backstep plan workflows/editor.yaml --session isolated",
    "backstep plan workflows/editor.yaml --var title=Report --format json",
  ],
  run: planFile,
};

async function planFile(args: Arguments, io: Io): Promise<number> {
  const { session: kind, mode, settings, workflow, program, ...given } = await loadFile(plan, args);
  const { newRunId } = await import("../../engine/run/run-id.ts");
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
