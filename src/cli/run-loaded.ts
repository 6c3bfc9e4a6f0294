import { resolve } from "node:path";
import { defined } from "../base/defined.ts";
import { toBackstepError } from "../base/error.ts";
import type { RunListener, RunResult } from "../contract/events.ts";
import type { AuditPort, PolicyPort } from "../contract/gate.ts";
import { usage } from "./arguments.ts";
import type { Arguments, Command, OptionSpec } from "./command.ts";
import type { Io } from "./io.ts";
import { interrupts } from "./signals.ts";
import { withSession } from "./with-session.ts";
import { evidenceOf, HEAL, isOwn, type LoadedFile, updateModeOf } from "./workflow-file.ts";

/** What a run does about somebody else. */
export const ON_OTHERS: readonly OptionSpec[] = [
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
    description: "What happens when somebody else uses the keyboard or mouse: pause waits for 2 s of quiet " +
      "(default on your own desktop), abort ends the run and rolls back, ignore notes it (default on " +
      "private desktops)",
  },
];

/** What looks on while a file runs. */
export interface Watch {
  /** Hears every event. */
  readonly listener: RunListener;
  /** Sees every act before it is done. */
  readonly admission: PolicyPort;
  /** Hears of every act afterwards. */
  readonly audit: AuditPort;
  /** What is printed as JSON of it, in the place of the result; it may print lines by itself. */
  finish(result: RunResult): unknown;
}

/** Runs a file that was read, as the command line says, and returns the exit code. */
export async function runLoaded(
  command: Command,
  args: Arguments,
  io: Io,
  loaded: LoadedFile,
  watch?: Watch,
): Promise<number> {
  const { session: kind, mode, settings, workflow, program, ...given } = loaded;
  const accepted = acceptedHash(command, args.string("plan"));
  const onConflict = (["stop", "ask", "force"] as const).find((word) => word === args.string("on-conflict"));
  const onInterference = (["pause", "abort", "ignore"] as const)
    .find((word) => word === args.string("on-interference"));
  const durability = (["barriers", "full"] as const).find((word) => word === args.string("durability"));
  const updateBaselines = updateModeOf(args);
  const reportFile = args.string("report");
  const evidence = evidenceOf(args) ?? (reportFile === undefined ? "off" as const : "on" as const);
  const html = reportFile === undefined ? undefined : (await import("../report/html/reporter.ts")).runReport({
    path: resolve(reportFile),
    output: ".",
    state: (await import("../session/lease.ts")).stateFolder(),
  });
  const { askConflict } = await import("./ask-conflict.ts");
  const ask = askConflict();
  const consent = (await import("./consent.ts")).consent();
  const { runProgram } = await import("../engine/run/run.ts");
  const { newRunId } = await import("../engine/run/run-id.ts");
  const { isOpenJournal, runFolder } = await import("../engine/journal/journal.ts");
  const { stateFolder } = await import("../session/lease.ts");
  const { keptPlan } = await import("../engine/plan/plan-store.ts");
  const { listReport } = await import("../report/list.ts");
  const { Healer } = await import("../heal/healer.ts");
  const id = newRunId();
  const folder = runFolder(stateFolder(), id);
  const proves = args.boolean(HEAL.name);
  const healing = new Healer({ state: stateFolder(), run: id, proves, note: (text) => io.note(text) });
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
    throw usage(command, `--keep is for a new private desktop, and this run has the session ${kind}`);
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
        signal: asked.stop,
        announced: false,
        leave: () => asked.hardStop.aborted && isOpenJournal(folder),
      },
      io,
      (session) =>
        runProgram(workflow, {
          ...given,
          session,
          admission: [...consent, ...(watch === undefined ? [] : [watch.admission])],
          ...defined({ audit: watch?.audit }),
          run: id,
          ...(accepted === undefined ? {} : { plan: planOf(accepted, kind) }),
          listener(event) {
            report(event);
            watch?.listener(event);
            html?.listener(event);
          },
          evidence,
          healing,
          signal: asked.stop,
          hardStop: asked.hardStop,
          ...defined({ onConflict, onInterference, durability, updateBaselines, askConflict: ask }),
        }, program),
    );
    await html?.finish(result);
    io.json(watch === undefined ? result : watch.finish(result));
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
function acceptedHash(command: Command, hash: string | undefined): string | undefined {
  if (hash === undefined || /^[0-9a-f]{32}$/.test(hash)) return hash;
  throw usage(command, `--plan takes the 32 digits that \`backstep plan\` prints, not "${hash}"`);
}
