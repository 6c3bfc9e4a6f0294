/**
 * A worker of a test run: a process of its own, so that what a file's code or the native core does to it is done to nobody else. It
 * is told what to do on its standard input, and answers on a pipe of its own.
 *
 * @module
 */
import { writeSync } from "node:fs";
import process from "node:process";
import { toBackstepError } from "../base/error.ts";
import { BUDGETS } from "../engine/model/budgets.ts";
import { isProgram, loadScript } from "../script/load-script.ts";
import { loadYaml } from "../script/load-file.ts";
import { describe } from "./description.ts";
import { Desk } from "./desk.ts";
import { ClaimsByWire } from "./claims-by-wire.ts";
import { endWithParent } from "./orphan.ts";
import { runFile } from "./run-file.ts";
import { type Job, Lines, Order, PIPE, type Report } from "./wire.ts";

let stop = new AbortController();
let hardStop = new AbortController();
const claims = new ClaimsByWire((report) => say(report), () => stop.signal);
const desk = new Desk((message) => say({ say: "note", message }));

function say(report: Report): void {
  const bytes = new TextEncoder().encode(`${JSON.stringify(report)}\n`);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(PIPE, bytes, at);
  } catch {
    // The runner is gone: what runs is rolled back, and nobody is told.
    stop.abort(new Error("the test runner is gone"));
  }
}

async function tell(action: () => Promise<Report>): Promise<void> {
  try {
    say(await action());
  } catch (thrown) {
    say({ say: "failed", error: toBackstepError(thrown).toJSON() });
  }
}

async function runJob(job: Job): Promise<Report> {
  const { signal } = stop;
  if (job.cwd !== undefined) process.chdir(job.cwd);
  let result: Awaited<ReturnType<typeof runFile>> | undefined;
  try {
    result = await runFile(job, {
      take: (choice) => desk.take(choice, { signal }),
      listener: (event) => say({ say: "told", event }),
      note: (message) => say({ say: "note", message }),
      ...(job.claims ? { claims } : {}),
      signal,
      hardStop: hardStop.signal,
    });
  } finally {
    await desk.giveBack(result);
  }
  return { say: "ended", result };
}

async function obey(order: Order): Promise<void> {
  switch (order.do) {
    case "describe":
      return await tell(async () => {
        const { workflow } = isProgram(order.file)
          ? await loadScript(order.file)
          : { workflow: loadYaml(order.file) };
        return { say: "described", description: describe(workflow) };
      });
    case "run":
      [stop, hardStop] = [new AbortController(), new AbortController()];
      return await tell(() => runJob(order.job));
    case "stop":
      return stop.abort(new Error("the test run was interrupted"));
    case "hard-stop":
      return hardStop.abort(new Error("the test run was interrupted again"));
    case "claimed":
      return claims.answered(order.id, order.error);
    case "ping":
      return say({ say: "pong" });
    case "end":
      return await end();
  }
}

/** Milliseconds in which an orphan undoes what runs and closes its desktop. */
const ORPHAN = BUDGETS.rollback + BUDGETS.after + 30_000;

async function end(): Promise<void> {
  stop.abort(new Error("the test run is over"));
  await working;
  await desk.close();
  process.exit(0);
}

let working: Promise<void> = Promise.resolve();
const lines = new Lines();
process.stdin.on("data", (bytes: Uint8Array) => {
  for (const line of lines.push(bytes)) {
    const order = Order.parse(JSON.parse(line));
    const obeyed = obey(order);
    if (order.do === "describe" || order.do === "run") working = obeyed;
  }
});
// The runner is gone, or done with us.
process.stdin.on("end", () => void end());
say({ say: "ready" });
endWithParent(ORPHAN);
