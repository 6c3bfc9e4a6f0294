/** The MCP server over HTTP under load: see USAGE. */
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { streamable } from "../src/mcp/sdk/http/_http.ts";
import { optionsOf } from "./options.ts";

const USAGE = `deno task soak [--sessions N] [--calls N] [--concurrency N] [--format json|text]

Opens sessions over HTTP and drops them without an end, makes many calls at once on a simulated desktop, waits until idle
sessions have ended, and looks at what the server holds then. Ends with 1 where a call failed, a session is left, or memory is
not back within 20 % of what it was once the server had served a first client.

  --calls         default 10000
  --concurrency   calls at once; default 10
  --format        text (the default) or json
  --sessions      default 200`;

/** Milliseconds for all of it. */
const DEADLINE = 300_000;
/** How much more than at the start may be held in the end. */
const SLACK = 1.2;

/** What the server holds. */
interface Held {
  readonly rss: number;
  readonly heapUsed: number;
  /** Of the HTTP server, and of the host behind it. */
  readonly sessions: readonly [number, number];
  readonly connections: number;
  readonly faults: readonly string[];
}

/** How much of it. */
export interface SoakOptions {
  readonly sessions: number;
  readonly calls: number;
  readonly concurrency: number;
  /** Milliseconds after which an idle session ends. */
  readonly idleMs: number;
}

/** What a soak came to. */
export interface Soaked {
  readonly sessions: number;
  readonly calls: number;
  readonly failed: readonly string[];
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly start: Held;
  readonly busy: Held;
  readonly end: Held;
}

/** Runs one. */
export async function soak(options: SoakOptions): Promise<Soaked> {
  const script = fileURLToPath(new URL("soak/server.ts", import.meta.url));
  const args = ["run", "-A", "--quiet", "--v8-flags=--expose-gc", script, String(options.idleMs)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const finished = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const deadline = setTimeout(() => child.kill("SIGKILL"), DEADLINE);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the server has ended");
    return value;
  };
  const held = async (): Promise<Held> => {
    child.stdin.write("\n");
    return JSON.parse(await line());
  };
  try {
    const { url }: { url: string } = JSON.parse(await line());
    const failed: string[] = [];
    const times: number[] = [];
    const work = async (calls: number) => {
      const { client, transport } = await streamable(url);
      const connected = await client.callTool({ name: "ax_connect", arguments: { app: "sim.settings" } });
      if (connected["isError"]) throw new Error(JSON.stringify(connected["content"]));
      const names = new Set((await client.listTools()).tools.map((tool) => tool.name));
      const all: readonly { name: string; arguments: Record<string, string> }[] = [
        { name: "ax_find", arguments: { app: "sim.settings", query: "Save" } },
        { name: "ax_get_tree", arguments: { app: "sim.settings" } },
        { name: "ax_session_info", arguments: {} },
        { name: "ax_is_accessible", arguments: {} },
      ];
      const mix = all.filter(({ name }) => names.has(name));
      for (let at = 0; at < calls; at++) {
        const began = performance.now();
        const what = mix[at % mix.length];
        if (what === undefined) throw new Error("the server has none of the tools");
        const result = await client.callTool(what);
        times.push(performance.now() - began);
        if (result["isError"]) {
          failed.push(`${what.name}: ${JSON.stringify(result["content"]).slice(0, 300)}`);
        }
      }
      await transport.terminateSession();
      await client.close();
    };
    const emptied = async (): Promise<Held> => {
      for (let round = 0; round < 20; round++) {
        const now = await held();
        if (now.sessions.every((count) => count === 0)) return now;
        await new Promise((resolve) => setTimeout(resolve, options.idleMs / 4));
      }
      return await held();
    };
    // A first client, so that everything is loaded that will be.
    await work(Math.min(500, options.calls));
    const start = await emptied();
    times.length = 0;
    for (let at = 0; at < options.sessions; at++) {
      const { fetcher, hangUp } = countedFetch();
      const { client } = await streamable(url, {}, fetcher);
      await client.callTool({ name: "ax_session_info", arguments: {} });
      // Closes its connections and says nothing, as most clients do.
      await client.close();
      await hangUp();
    }
    const busy = await held();
    times.length = 0;
    const began = performance.now();
    const share = Math.ceil(options.calls / options.concurrency);
    await Promise.all(Array.from({ length: options.concurrency }, () => work(share)));
    const took = (performance.now() - began) / 1_000;
    const end = await emptied();
    times.sort((a, b) => a - b);
    const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
    return {
      sessions: options.sessions,
      calls: times.length,
      failed: [...failed, ...end.faults],
      callsPerSecond: times.length / took,
      p50: at(0.5),
      p95: at(0.95),
      start,
      busy,
      end,
    };
  } finally {
    clearTimeout(deadline);
    child.stdin.end();
    await finished;
  }
}

/** A fetch whose connections can be closed: the SDK's client keeps a stream that came while it was closing. */
function countedFetch() {
  const responses: Promise<Response>[] = [];
  return {
    fetcher: (url: string | URL, init?: RequestInit) => {
      const response = fetch(url, init);
      responses.push(response);
      return response;
    },
    hangUp: async () => {
      for (const response of await Promise.allSettled(responses)) {
        if (response.status === "fulfilled" && !response.value.bodyUsed) await response.value.body?.cancel();
      }
    },
  };
}

/** What is wrong with the outcome of a soak. */
export function faultsOf({ failed, start, end }: Soaked): string[] {
  const faults = failed.length === 0 ? [] : [`${failed.length} failures, as: ${failed[0]}`];
  if (end.sessions.some((count) => count > 0)) {
    faults.push(`sessions are left: ${end.sessions.join(" and ")}`);
  }
  for (const what of ["rss", "heapUsed"] as const) {
    if (end[what] > start[what] * SLACK) {
      faults.push(`${what} grew from ${megabytes(start[what])} to ${megabytes(end[what])}`);
    }
  }
  return faults;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

if (import.meta.main) {
  const { values } = optionsOf(USAGE, {
    options: {
      sessions: { type: "string", default: "200" },
      calls: { type: "string", default: "10000" },
      concurrency: { type: "string", default: "10" },
      format: { type: "string", default: "text" },
    },
  });
  const soaked = await soak({
    sessions: Number(values.sessions),
    calls: Number(values.calls),
    concurrency: Number(values.concurrency),
    idleMs: 6_000,
  });
  const faults = faultsOf(soaked);
  if (values.format === "json") console.log(JSON.stringify({ ...soaked, faults }));
  else {
    const row = (name: string, { rss, heapUsed, sessions, connections }: Held) =>
      `${name.padEnd(28)} ${megabytes(rss).padStart(9)} ${megabytes(heapUsed).padStart(9)} ${
        String(sessions[0]).padStart(9)
      } ${String(connections).padStart(12)}`;
    console.log(`${"".padEnd(28)} ${"resident".padStart(9)} ${"heap".padStart(9)}  sessions  connections`);
    console.log(row("after a first client", soaked.start));
    console.log(row(`${soaked.sessions} sessions dropped`, soaked.busy));
    console.log(row(`${soaked.calls} calls, all expired`, soaked.end));
    const { callsPerSecond, p50, p95 } = soaked;
    console.log(
      `${callsPerSecond.toFixed(0)} calls a second at ${values.concurrency} at once; p50 ${
        p50.toFixed(1)
      } ms, p95 ${p95.toFixed(1)} ms; ${soaked.failed.length} failed`,
    );
  }
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
