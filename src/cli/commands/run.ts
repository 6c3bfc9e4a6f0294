import { statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { type Arguments, type Command, ON_A_DESKTOP } from "../command.ts";
import { usage } from "../arguments.ts";
import type { Io } from "../io.ts";
import { interrupts } from "../signals.ts";
import { withSession } from "../with-session.ts";

/** `backstep run <file>`. */
export const run: Command = {
  name: "run",
  summary: "Run a workflow file; what fails is taken back",
  details: [
    "The desktop is the one of --session, else the file's `session:`, else a private one that is torn down afterwards.",
    "Ctrl-C stops and takes back; a second Ctrl-C stops that too.",
  ],
  positionals: [{ name: "file", description: "A workflow file (.yaml)", required: true }],
  options: [
    ...ON_A_DESKTOP,
    {
      name: "app",
      kind: "string",
      value: "<name>",
      description: "Default application, instead of the file's `app:`",
    },
    {
      name: "var",
      kind: "string",
      value: "<k=v>",
      multiple: true,
      description: "Set a variable; may be repeated",
    },
    { name: "vars-file", kind: "string", value: "<file>", description: "Variables from a YAML or JSON file" },
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
        "What the way back does about what somebody else changed: stop leaves it alone (default), ask asks on a " +
        "terminal, force overwrites it",
    },
    {
      name: "on-interference",
      kind: "string",
      value: "<what>",
      choices: ["pause", "abort", "ignore"],
      description:
        "What is done when somebody else uses keyboard or mouse meanwhile: pause waits for 2 s of quiet (default " +
        "on the user's own desktop), abort ends the run and takes back, ignore notes it (default on private desktops)",
    },
    {
      name: "root",
      kind: "string",
      value: "<folder>",
      description: "Folder that files of the workflow must lie in",
    },
  ],
  examples: [
    "backstep run workflows/calculator.yaml --session isolated",
    "backstep run workflows/editor.yaml --var title=Report --format json",
  ],
  run: runFile,
};

async function runFile(args: Arguments, io: Io): Promise<number> {
  const file = args.positionals[0] ?? "";
  const { catalogue: operations } = await import("../../catalogue.ts");
  const { loadWorkflow, projectRoot, readVariablesFile } = await import("../../workflow/load.ts");
  const { resolveVariables } = await import("../../workflow/values.ts");
  const { readSelector, strategies } = await import("../../desktop/selector/mod.ts");
  const given = args.string("root");
  const root = given === undefined ? projectRoot(resolve(file)) : folderOf("root", given);
  const checkSelector = (text: string, strategy?: string) => {
    readSelector(text, strategies.find((s) => s === strategy));
  };
  const loaded = loadWorkflow(file, { operations, root, checkSelector });
  const app = args.string("app") ?? loaded.app;
  const workflow = app === undefined ? loaded : { ...loaded, app };
  const variables = args.string("vars-file");
  const vars = resolveVariables(workflow, {
    vars: pairs(args.strings("var")),
    ...(variables === undefined ? {} : { file: readVariablesFile(variables) }),
  });
  const environment = (name: string) => process.env[name];
  const { secretsOf } = await import("../../engine/secrets.ts");
  for (const name of secretsOf(workflow)) {
    if (environment(name) === undefined) {
      throw new BackstepError("usage", `Cannot run ${file}: the secret ${name} is not set`, {
        hint: `Set it in the environment: ${name}=… backstep run ${file}`,
      });
    }
  }
  const onConflict = (["stop", "ask", "force"] as const).find((word) => word === args.string("on-conflict"));
  const onInterference = (["pause", "abort", "ignore"] as const)
    .find((word) => word === args.string("on-interference"));
  const { askConflict } = await import("../ask-conflict.ts");
  const ask = askConflict();
  const { newRunId, runWorkflow } = await import("../../engine/run.ts");
  const { isOpenJournal, runFolder } = await import("../../engine/journal.ts");
  const { stateFolder } = await import("../../session/lease.ts");
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
  const kind = args.string("session") ?? workflow.session ?? "isolated";
  const mode = args.string("mode") ?? workflow.mode;
  if (args.boolean("keep") && kind !== "isolated") {
    throw usage(run, `--keep is for a new private desktop, and this run has the session ${kind}`);
  }
  const asked = interrupts((which) => {
    const message = which === "first"
      ? "Interrupted: stopping and taking back. Once more stops that too."
      : "Interrupted again: the way back stops here, and its journal stays open.";
    // On a terminal the line of the running step has to give way.
    if (io.format === "text") report({ event: "note", level: "warning", message });
    else io.note(message);
  });
  try {
    const result = await withSession(
      {
        session: kind,
        ...(mode === undefined ? {} : { mode }),
        keep: args.boolean("keep"),
        journal: folder,
        signal: asked.stop,
        announced: false,
        leave: () => asked.hardStop.aborted && isOpenJournal(folder),
      },
      io,
      (session) =>
        runWorkflow(workflow, {
          operations,
          session,
          vars,
          surroundings: { env: environment, secret: environment },
          folder: root,
          run: id,
          listener: report,
          signal: asked.stop,
          hardStop: asked.hardStop,
          ...(onConflict === undefined ? {} : { onConflict }),
          ...(onInterference === undefined ? {} : { onInterference }),
          ...(ask === undefined ? {} : { askConflict: ask }),
        }),
    );
    io.json(result);
    return result.exit;
  } catch (thrown) {
    if (!asked.hardStop.aborted) throw thrown;
    // The way back was cut off in the middle: what it left is in doubt, whatever the error says.
    io.error(toBackstepError(thrown).toJSON());
    return 4;
  } finally {
    asked.release();
  }
}

function folderOf(option: string, path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return resolve(path);
  throw usage(run, `--${option} names no folder: ${path}`);
}

function pairs(given: readonly string[]): Record<string, string> {
  const vars: Record<string, string> = {};
  for (const pair of given) {
    const at = pair.indexOf("=");
    if (at < 1) throw usage(run, `--var takes name=value, not "${pair}"`);
    vars[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return vars;
}
