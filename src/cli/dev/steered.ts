import { realpathSync } from "node:fs";
import { defined } from "../../base/defined.ts";
import { openChosen } from "../../session/open-chosen.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";
import { interrupts } from "../signals.ts";
import { withSession } from "../with-session.ts";
import { isOwn, type LoadedFile, loadFile, updateModeOf } from "../workflow-file.ts";
import { debuggerOf } from "./debugger.ts";
import { fileOf } from "./file-of.ts";
import { hearLines, type Order } from "./orders.ts";
import { Steering } from "./steer.ts";
import { type Save, WatchedFiles } from "./watch-files.ts";

/** Runs a file that a person steers: `dev` watches its files and never ends by itself, `run --debug` does neither. */
export async function steered(
  command: Command,
  args: Arguments,
  io: Io,
  watches: boolean,
): Promise<number> {
  const read = new Set<string>();
  let reading = 0;
  const load = async (file?: string): Promise<LoadedFile> => {
    if (file === undefined) read.clear();
    const reads = (path: string) => void read.add(path);
    const loaded = await loadFile(command, args, { ...defined({ file }), reads, reading: reading++ });
    if (file === undefined) read.add(realpathSync(loaded.workflow.file));
    return loaded;
  };
  const asked = interrupts(() => {});
  let now: Steering | undefined;
  // What is typed while the desktop is opened is heard when there is a run.
  const early: Order[] = [];
  const hear = (order: Order) => now ? now.heard(order) : void early.push(order);
  const files = watches ? new WatchedFiles((save: Save) => now?.saved(save)) : undefined;
  const release = hearLines(hear, !watches);
  try {
    let loaded = await load();
    for (;;) {
      files?.set(read);
      const finished = await once(command, args, io, loaded, {
        stop: asked.stop,
        load,
        begun(steering) {
          now = steering;
          for (const order of early.splice(0)) steering.heard(order);
        },
        ...(files
          ? {
            reload: async () => {
              try {
                return await load();
              } finally {
                files.set(read);
              }
            },
          }
          : {}),
      });
      if (typeof finished === "number") return finished;
      loaded = finished;
    }
  } finally {
    release();
    files?.close();
    asked.release();
  }
}

/** One run, on one session. Answers the exit code, or the file that a new run is needed for. */
async function once(
  command: Command,
  args: Arguments,
  io: Io,
  loaded: LoadedFile,
  more: {
    readonly stop: AbortSignal;
    load(file: string): Promise<LoadedFile>;
    reload?(): Promise<LoadedFile>;
    begun(steering: Steering): void;
  },
): Promise<number | LoadedFile> {
  const { session: kind, mode, settings, operations, surroundings, folder } = loaded;
  const { InteractiveRun } = await import("../../engine/interactive/interactive-run.ts");
  const { listReport } = await import("../../report/list.ts");
  const { askConflict } = await import("../ask-conflict.ts");
  const steps = debuggerOf(command, args, loaded, "continue");
  const consent = (await import("../consent.ts")).consent();
  const { terminal } = io;
  const output = { write: (text: string) => io.text(text), terminal, live: false, columns: io.columns };
  const report = listReport(output, io.style);
  const wanted = { session: kind, settings, ...defined({ mode }) };
  return await withSession({ ...wanted, signal: more.stop, announced: false }, io, async (session) => {
    const hearing: { steering?: Steering } = {};
    const run = await InteractiveRun.begin({
      file: fileOf(loaded),
      operations,
      session,
      surroundings,
      folder,
      admission: [...consent],
      listener: (event) => hearing.steering ? hearing.steering.event(event) : report(event),
      ...defined({ askConflict: askConflict(), updateBaselines: updateModeOf(args) }),
    });
    const steering = new Steering({
      run,
      session,
      loaded,
      debugger: steps,
      io,
      load: more.load,
      ...(more.reload ? { reload: more.reload } : {}),
      open: () => openChosen({ ...wanted, session: isOwn(kind) ? kind : "isolated" }, {}),
      report,
      endsAtTheEnd: more.reload === undefined,
    });
    hearing.steering = steering;
    steering.begin();
    more.begun(steering);
    await steering.until(more.stop);
    const { stop } = run;
    const debugs = more.reload === undefined;
    // A private desktop goes with the run; on another one nothing is left that nobody asked for.
    const undone = debugs ? stop?.why !== "end" && loaded.workflow.onFailure === "rollback" : !isOwn(kind);
    const result = await steering.end(undone);
    if (steering.anew) return steering.anew;
    if (debugs) {
      io.json(result);
      return result.exit;
    }
    const left = result.rollback.verdict === "drift" || result.rollback.verdict === "failed";
    return left ? result.exit : stop?.why === "failed" ? 1 : 0;
  });
}
