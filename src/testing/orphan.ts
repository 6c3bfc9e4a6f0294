import process from "node:process";
import { Worker } from "node:worker_threads";

/** Looks every second whether the process's parent is still the one it began with, and ends the process if not. */
const WATCH = `
const { workerData: { parent, grace } } = require("node:worker_threads");
const process = require("node:process");
const timer = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(timer);
  setTimeout(() => process.kill(process.pid, "SIGKILL"), grace);
}, 1_000);
`;

/**
 * Ends this process a while after its parent has died, whatever its own thread does: code that never comes back hears of no
 * closed pipe. Its desktop is then an abandoned one, which the next program ends.
 *
 * @param grace Milliseconds for going by itself.
 */
export function endWithParent(grace: number): void {
  // Without this process's own options: Node would read the code as what `--input-type` or `--import` make of it.
  new Worker(WATCH, { eval: true, execArgv: [], workerData: { parent: process.ppid, grace } }).unref();
}
