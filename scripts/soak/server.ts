// The server of `deno task soak`: MCP over HTTP on a simulated desktop, with limits raised, idle sessions ending soon. Says
// where it is as one line of JSON, and what it holds, collected, as one more for each line on standard input; ends with it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { simulate } from "../../src/desktop/simulated/simulate.ts";
import { sessionsOf } from "../../src/cli/commands/mcp/serve-http.ts";
import { makeHost } from "../../src/mcp/make-host.ts";
import { serveHttp } from "../../src/mcp/sdk/http/http.ts";
import { openSession } from "../../src/session/open-session.ts";

const collect: unknown = Reflect.get(globalThis, "gc");
if (typeof collect !== "function") throw new Error("run it with --v8-flags=--expose-gc");

const state = mkdtempSync(join(tmpdir(), "backstep-soak-"));
const desktop = await openSession({
  kind: "simulated",
  simulate: () => simulate({ applications: ["sim.settings"] }),
});
const host = makeHost({ desktop, state, version: "soak" });
const faults: string[] = [];
const reported = (thrown: unknown) => void faults.push(String(thrown));
const http = await serveHttp({
  ...sessionsOf(host, { onError: reported }),
  failed: reported,
  port: 0,
  limits: { sessions: 1_000, idleMs: Number(process.argv[2] ?? 2_000) },
});
console.log(JSON.stringify({ url: http.url }));
try {
  for await (const _line of createInterface(process.stdin)) {
    // What was let go of in one round is found in the next.
    for (let round = 0; round < 4; round++) {
      collect({ type: "major", execution: "sync", flavor: "last-resort" });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { rss, heapUsed } = process.memoryUsage();
    const sessions = [http.sessions, host.sessions.size];
    console.log(JSON.stringify({ rss, heapUsed, sessions, connections: http.connections, faults }));
  }
} finally {
  await http.close();
  await host.close();
  await desktop.close();
  rmSync(state, { recursive: true });
}
