import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client, StdioClientTransport } from "../../src/mcp/sdk/_client.ts";
import { streamable } from "../../src/mcp/sdk/http/_http.ts";
import { CallToolResultSchema } from "../../src/mcp/sdk/sdk.ts";
import { ROOT, serverCommand } from "../../tests/mcp/_stdio.ts";
import { median, round } from "./row.ts";

/** Starts of the server, calls of each kind, and those before them that are not counted. */
const STARTS = 20;
const CALLS = 400;
const WARM = 40;

/** Calls of each kind in applications that nobody made for this. */
const FINDS = 40;

/** Milliseconds that are promised; `http`: that `ax_find` takes more than over stdio. */
const PROMISED = { initialize: 250, find: { p50: 3, p95: 10 }, http: 2, hit: 5, miss: 20 };

/** Applications that are asked for what they have, and for what they lack. */
const APPLICATIONS = [
  { program: "gedit", query: 'role:AXButton title:"Save"' },
  { program: "gtk4-widget-factory", query: 'role:AXButton title:"togglebutton"' },
];
const MISSING = 'role:AXButton title:"Submit order"';

/** Buttons, a grid, what it scrolls in and the window: about a thousand elements. */
const WIDGETS = join(ROOT, "scripts/bench/widgets.py");

/** Their desktop entry. */
const ENTRY = "bench-widgets";

/** One line of the table. */
export interface McpRow {
  readonly what: string;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly samples: number;
  readonly note: string;
}

function rowOf(what: string, times: readonly number[], note: string): McpRow {
  const sorted = [...times].sort((a, b) => a - b);
  const p95 = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)] ?? NaN;
  return { what, p50_ms: round(median(times)), p95_ms: round(p95), samples: times.length, note };
}

/** How a client starts the server, with limits that do not end a measurement. */
function server(state: string, ...args: readonly string[]) {
  const { env, ...how } = serverCommand(
    state,
    ...args,
    "--rate-limit-rps",
    "1000000",
    "--rate-limit-rpm",
    "1000000",
  );
  return { ...how, env: { ...env, XDG_DATA_DIRS: `${catalogueIn(state)}:/usr/local/share:/usr/share` } };
}

/** Clients launch what the catalogue has. */
function catalogueIn(state: string): string {
  const folder = join(state, "share");
  mkdirSync(join(folder, "applications"), { recursive: true });
  writeFileSync(
    join(folder, "applications", `${ENTRY}.desktop`),
    `[Desktop Entry]\nType=Application\nName=Bench widgets\nExec=/usr/bin/python3 ${WIDGETS}\n`,
  );
  return folder;
}

/** From starting the process to the answer to `initialize`. */
async function start(state: string): Promise<number> {
  const { command, args, env } = server(state, "--session", "simulated");
  const began = performance.now();
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  const finished = once(child, "exit");
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await once(createInterface({ input: child.stdout }), "line");
  const took = performance.now() - began;
  child.stdin.end();
  await finished;
  return took;
}

/** A client of a server of its own, on a private desktop of its own with the application. */
interface Reached {
  readonly client: Client;
  close(): Promise<void>;
}

async function overStdio(state: string): Promise<Reached> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StdioClientTransport({ ...server(state, "--session", "isolated"), stderr: "inherit" }),
  );
  return { client, close: () => client.close() };
}

async function overHttp(state: string): Promise<Reached> {
  const { command, args, env } = server(state, "--http", "0", "--session", "isolated");
  const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const finished = once(child, "exit");
  const close = async () => {
    child.kill("SIGINT");
    await finished;
  };
  try {
    const url = await Promise.race([
      new Promise<string>((resolve) =>
        createInterface(child.stderr).on("line", (line) => {
          const found = /serving at (\S+)/.exec(line)?.[1];
          if (found !== undefined) resolve(found);
        })
      ),
      finished.then(() => undefined),
    ]);
    if (url === undefined) throw new Error("the server over HTTP did not start");
    const { client } = await streamable(url);
    return { client, close: () => client.close().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One request that is made again and again. */
interface Action {
  readonly what: string;
  run(): Promise<unknown>;
}

type Call = (
  name: string,
  params?: { readonly [name: string]: unknown },
) => Promise<{ readonly [name: string]: unknown }>;

/** Calls tools; what they answer. An error is thrown. */
function callerOf({ client }: Reached): Call {
  return async (name, params = {}) => {
    const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: { ...params } }));
    if (result.isError) throw new Error(JSON.stringify(result.content));
    return result.structuredContent ?? {};
  };
}

/** `ax_find` of something that is there and of something that is not, in applications that are installed. */
async function finds(state: string): Promise<McpRow[]> {
  const reached = await overStdio(state);
  try {
    const call = callerOf(reached);
    const actions: Action[] = [];
    for (const { program, query } of APPLICATIONS) {
      if (!existsSync(`/usr/bin/${program}`)) {
        console.error(`Skipped ax_find in ${program}: it is not installed (tools/setup.sh --apps)`);
        continue;
      }
      const app = String((await call("launch_application", { bundleId: program }))["processId"]);
      await call("ax_connect", { app });
      for (const [what, asked, wanted] of [["hit", query, true], ["miss", MISSING, false]] as const) {
        const run = async () => {
          const { found } = await call("ax_find", { app, query: asked });
          if (found !== wanted) throw new Error(`${program}: ${asked}: found is ${found}`);
        };
        actions.push({ what: `ax_find, a ${what} in ${program}`, run });
      }
    }
    return await byTurns([{ name: "stdio", actions }], FINDS);
  } finally {
    await reached.close();
  }
}

/** `ax_find` on an application, the trivial tool and ping, of one client. */
async function actionsOf(reached: Reached): Promise<Action[]> {
  const program = existsSync("/usr/lib/python3/dist-packages/gi")
    ? { app: ENTRY, query: 'role:AXButton title:"Button 700"' }
    : { app: "gtk4-widget-factory", query: 'role:AXButton title:"Page 2"' };
  const call = callerOf(reached);
  const launched = await call("launch_application", { bundleId: program.app });
  const app = String(launched["processId"]);
  await call("ax_connect", { app });
  const found = await call("ax_find", { app, query: program.query });
  if (found["found"] !== true) throw new Error(`${program.query} is not there`);
  return [
    { what: "ax_find", run: () => call("ax_find", { app, query: program.query }) },
    { what: "ax_session_info", run: () => call("ax_session_info") },
    { what: "ping", run: () => reached.client.ping() },
  ];
}

const NOTES = new Map([
  ["ax_find", "about 1,000 elements of GTK 3, on a private desktop"],
  ["ax_session_info", "the trivial tool, by turns with it"],
  ["ping", "the way there and back"],
]);

/** Actions of one or several clients by turns, so that all see the same machine. */
async function byTurns(
  clients: readonly { readonly name: string; readonly actions: readonly Action[] }[],
  calls = CALLS,
) {
  const all = clients.flatMap(({ name, actions }) =>
    actions.map((action) => ({ ...action, name, times: new Array<number>() }))
  );
  for (let k = -Math.min(WARM, calls / 10); k < calls; k++) {
    for (const { run, times } of all) {
      const began = performance.now();
      await run();
      if (k >= 0) times.push(performance.now() - began);
    }
  }
  return all.map(({ name, what, times }) => rowOf(`${name}: ${what}`, times, NOTES.get(what) ?? ""));
}

/** A client on stdio alone, then beside one over HTTP with a server, a desktop and an application of its own. */
async function calls(state: string): Promise<McpRow[]> {
  const reached: Reached[] = [];
  try {
    const open = async (one: Reached) => {
      reached.push(one);
      return await actionsOf(one);
    };
    const stdio = await open(await overStdio(state));
    const alone = await byTurns([{ name: "stdio", actions: stdio }]);
    const http = await open(await overHttp(state));
    const beside = await byTurns([{ name: "stdio beside http", actions: stdio }, {
      name: "http",
      actions: http,
    }]);
    return [...alone, ...beside];
  } finally {
    for (const { close } of reached) await close();
  }
}

/** What can be measured alone. */
const PARTS = {
  initialize: async (state: string) => {
    await start(state);
    const starts: number[] = [];
    for (let k = 0; k < STARTS; k++) starts.push(await start(state));
    return [rowOf("initialize", starts, "from starting deno run to the answer")];
  },
  calls,
  finds,
};

/** What a client of the MCP server waits for: all of it, or the parts that are asked for. */
export async function mcp(only?: readonly string[]): Promise<{ rows: McpRow[]; failed: string[] }> {
  const state = mkdtempSync(join(tmpdir(), "bs-bench-"));
  try {
    const rows: McpRow[] = [];
    for (const [name, part] of Object.entries(PARTS)) {
      if (only === undefined || only.includes(name)) rows.push(...await part(state));
    }
    return { rows, failed: failuresOf(rows) };
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

function failuresOf(rows: readonly McpRow[]): string[] {
  const row = (what: string) => rows.find((one) => one.what === what);
  const initialize = row("initialize"), find = row("stdio: ax_find"), http = row("http: ax_find");
  const beside = row("stdio beside http: ax_find");
  const over = (row: McpRow | undefined, which: "p50_ms" | "p95_ms", most: number) =>
    row && row[which] > most ? [`${row.what} within ${most} ms (${which}): it takes ${row[which]}`] : [];
  return [
    ...over(initialize, "p50_ms", PROMISED.initialize),
    ...over(find, "p50_ms", PROMISED.find.p50),
    ...over(find, "p95_ms", PROMISED.find.p95),
    ...rows.filter(({ what }) => what.includes("a hit in")).flatMap((row) =>
      over(row, "p50_ms", PROMISED.hit)
    ),
    ...rows.filter(({ what }) => what.includes("a miss in")).flatMap((row) =>
      over(row, "p50_ms", PROMISED.miss)
    ),
    ...over(http, "p50_ms", (beside?.p50_ms ?? 0) + PROMISED.http),
  ];
}

/** The rows for people. */
export function mcpTable(rows: readonly McpRow[]): string {
  const lines = [
    ["what", "p50 ms", "p95 ms", "samples", ""],
    ...rows.map((
      row,
    ) => [row.what, row.p50_ms.toFixed(2), row.p95_ms.toFixed(2), String(row.samples), row.note]),
  ];
  const widths = [0, 1, 2, 3].map((k) => Math.max(...lines.map((line) => line[k]?.length ?? 0)));
  return lines.map((line) => line.map((cell, k) => cell.padEnd(widths[k] ?? 0)).join("  ").trimEnd()).join(
    "\n",
  );
}
