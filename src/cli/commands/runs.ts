import { resolve } from "node:path";
import { closest } from "../../base/closest.ts";
import { table } from "../../report/layout.ts";
import { duration, oneLine } from "../../report/style.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";

const VERBS = ["list", "show", "prune", "export"];

/** `backstep runs list|show|prune|export`. */
export const runs: Command = {
  name: "runs",
  summary: "List, show, remove and export the journals of runs",
  details: [
    "list:   all stored runs, and whether each passed, failed, is running, or was killed.",
    "show:   the lines of a run's journal; the content of the desktop stays encrypted.",
    "prune:  removes finished runs and their keys, except the newest --keep (50).",
    "export: copies a run's journal and artefacts into a new folder, without its key, so the encrypted " +
    "parts cannot be read there.",
  ],
  positionals: [
    { name: "verb", description: "list, show, prune or export", required: true, choices: VERBS },
    { name: "run", description: "show, export: the run", required: false },
    { name: "folder", description: "export: a new folder", required: false },
  ],
  options: [
    {
      name: "keep",
      kind: "number",
      value: "<n>",
      description: "prune: how many of the newest runs stay; default 50",
    },
    {
      name: "html",
      kind: "string",
      value: "<file>",
      description: "show: write it as one HTML file, with the stored screenshots and trees decrypted",
    },
  ],
  examples: [
    "backstep runs list",
    "backstep runs show 20261120-233000-c3f9a1",
    "backstep runs show 20261120-233000-c3f9a1 --html run.html",
    "backstep runs prune --keep 10",
  ],
  async run(args, io) {
    const [verb = "", run, folder] = args.positionals;
    const takes = verb === "export" ? 3 : verb === "show" ? 2 : 1;
    if (!VERBS.includes(verb)) {
      const [near] = closest(verb, VERBS);
      throw usage(
        runs,
        `"${verb}" is no verb of it`,
        `${near === undefined ? "It is" : "Did you mean"} ${near ?? VERBS.join(", ")}${
          near === undefined ? "." : "?"
        }`,
      );
    }
    if (verb !== "show" && args.given("html")) throw usage(runs, "--html is for show");
    if (verb !== "prune" && args.given("keep")) throw usage(runs, "--keep is for prune");
    if (args.positionals.length > takes) {
      throw usage(runs, `"${args.positionals[takes]}" is one argument too many`);
    }
    const { stateFolder } = await import("../../session/lease.ts");
    const state = stateFolder();
    if (verb === "list") return await list(state, io);
    if (verb === "prune") return await prune(state, args, io);
    if (run === undefined) throw usage(runs, `${verb} takes a run`);
    const html = args.string("html");
    if (verb === "show" && html !== undefined) return await showHtml(state, run, resolve(html), io);
    if (verb === "show") return await show(state, run, io);
    if (folder === undefined) throw usage(runs, "export takes a run and a new folder");
    const { exportRun } = await import("../../engine/journal/runs.ts");
    exportRun(state, run, resolve(folder));
    io.json({ exported: run, folder: resolve(folder) });
    io.text(`exported ${run} to ${folder}, without its key\n`);
    return 0;
  },
};

async function list(state: string, io: Io): Promise<number> {
  const { listRuns } = await import("../../engine/journal/runs.ts");
  const found = listRuns(state);
  io.json({ runs: found });
  const now = Date.now();
  const rows = found.map((one) => [
    one.run,
    one.undone ? `${one.status}, undone` : one.status,
    one.began === "" ? "" : `${duration(Math.max(0, now - Date.parse(one.began)))} ago`,
    oneLine(one.workflow),
    one.status === "cut off" ? `backstep recover ${one.run}` : "",
  ]);
  io.text(rows.length === 0 ? "No runs.\n" : table(rows).map((line) => `${line}\n`).join(""));
  return 0;
}

/** Prints the lines of a run's journal. */
export async function show(state: string, run: string, io: Io): Promise<number> {
  const { findRun, linesOf } = await import("../../engine/journal/runs.ts");
  const record = findRun(state, run);
  const lines = linesOf(state, run);
  io.json({ ...record, lines });
  const [first] = lines;
  const began = first?.at ?? 0;
  const rows = lines.map((line) => {
    const said = ["operation", "what", "name", "outcome", "status", "verdict", "value"]
      .flatMap((field) => line[field] === undefined ? [] : [oneLine(String(line[field]))]);
    return [String(line.n), `+${line.at - began} ms`, line.kind, String(line["path"] ?? ""), said.join(" ")];
  });
  io.text(table(rows).map((line) => `${line}\n`).join(""));
  return 0;
}

async function showHtml(state: string, run: string, path: string, io: Io): Promise<number> {
  const { reportStoredRun } = await import("../../report/html/stored-run.ts");
  await reportStoredRun(state, run, { path, output: "." });
  io.json({ run, report: path });
  io.text(`wrote ${path}\n`);
  return 0;
}

async function prune(state: string, args: Arguments, io: Io): Promise<number> {
  const keep = args.number("keep");
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 0)) {
    throw usage(runs, `--keep is a whole number from 0, not ${keep}`);
  }
  const { KEPT_RUNS, pruneRuns } = await import("../../engine/journal/prune.ts");
  const removed = pruneRuns(state, keep ?? KEPT_RUNS);
  io.json({ removed });
  io.text(removed.length === 0 ? "Nothing to remove.\n" : removed.map((run) => `removed ${run}\n`).join(""));
  return 0;
}
