/**
 * Holds a session with all applications of an accessibility bus mirrored, and prints what that adds to a process that has
 * everything loaded: megabytes, and the share of a core while nobody waits. Run by `moments.ts` in a process of its own.
 */
import process from "node:process";
import { Deadline, pause } from "../../src/base/call.ts";
import { connectNative } from "../../src/desktop/native/connect.ts";

/** Milliseconds of idleness that are measured. */
const IDLE = 2_000;
const [a11yBus = "", sessionBus = "", count = "1"] = process.argv.slice(2);

function used(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const open = () => connectNative({ kind: "isolated", label: "held", a11yBus, sessionBus });
// Once without effect: what the engine compiles and the library loads is there before anything is counted.
const warm = await open();
await warm.applications();
await warm.close();
const before = process.memoryUsage().rss;

const desk = await open();
let applications = (await desk.applications()).filter((a) => a.toolkit === "bench");
for (const deadline = Deadline.after(10_000); applications.length < Number(count) && !deadline.passed;) {
  await pause(20);
  applications = (await desk.applications()).filter((a) => a.toolkit === "bench");
}
let nodes = 0, source = "";
for (const application of applications) {
  // The first is read, and kept by the core from here on; the second says where it came from.
  const asked = { fields: [], source: "held" } as const;
  await desk.snapshot(application, asked);
  const tree = await desk.snapshot(application, asked);
  nodes += tree.size;
  ({ source } = tree.origin);
}
await pause(500);
const began = performance.now(), spent = used();
await pause(IDLE);
const share = (used() - spent) / (performance.now() - began);
const megabytes = (process.memoryUsage().rss - before) / (1 << 20);
await desk.close();
console.log(JSON.stringify({ nodes, share, megabytes, source }));
