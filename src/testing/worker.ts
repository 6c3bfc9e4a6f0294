/**
 * A worker of a test run: a process of its own, so that what a file's code or the native core does to it is done to nobody else. It
 * is told what to do on its standard input, and answers on a pipe of its own.
 *
 * @module
 */
import { writeSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { toBackstepError } from "../base/error.ts";
import type { PolicyPort } from "../contract/gate.ts";
import { BUDGETS } from "../engine/model/budgets.ts";
import type { DeskPage } from "../inspect/desk-page.ts";
import { isProgram, loadScript } from "../script/load-script.ts";
import { loadYaml } from "../script/load-file.ts";
import type { Session } from "../session/session.ts";
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
  const shows = job.inspect === undefined ? undefined : await shownDesk();
  let result: Awaited<ReturnType<typeof runFile>> | undefined;
  try {
    result = await runFile(job, {
      take: (choice) => desk.take(choice, { signal }),
      ...(shows && job.inspect !== undefined
        ? { admission: (session: Session) => showRun(shows, session, job, signal) }
        : {}),
      listener: (event) => say({ say: "told", event }),
      note: (message) => say({ say: "note", message }),
      ...(job.claims ? { claims } : {}),
      signal,
      hardStop: hardStop.signal,
    });
  } finally {
    await shows?.hide();
    await desk.giveBack(result);
  }
  return { say: "ended", result };
}

let shown: Promise<DeskPage> | undefined;

/** The page of this worker's desktop, whose address stays. */
async function shownDesk(): Promise<DeskPage> {
  shown ??= import("../inspect/desk-page.ts").then(({ DeskPage }) => DeskPage.open());
  const page = await shown;
  say({ say: "shown", url: page.url });
  return page;
}

/** Shows the desktop of a run, which waits where a person takes over. */
async function showRun(
  page: DeskPage,
  session: Session,
  job: Job,
  signal: AbortSignal,
): Promise<readonly PolicyPort[]> {
  const { catalogue } = await import("../catalogue.ts");
  const { Hold } = await import("../inspect/hold.ts");
  const tell = (event: string, data: unknown) => page.tell(event, data);
  const hold = new Hold(tell, job.inspect === "hold", signal);
  page.show({
    session,
    operations: catalogue,
    folder: dirname(job.file),
    admission: [],
    state: job.state,
  }, () => [hold]);
  return [hold];
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
  await (await shown)?.close();
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
