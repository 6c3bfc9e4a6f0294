/**
 * Trying the installed package on a runtime: what `deno task npm --verify` and the tests do.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { z } from "zod";
import { runSuite, SUITES, withServer } from "../conformance.ts";
import { ROOT, type Runtime } from "./place.ts";
import { run } from "./run.ts";

/** Where a project's package has its command. */
export function commandOf(project: string): string {
  return join(project, "node_modules/backstep/bin.js");
}

/** Gives a state folder of its own to what runs, and removes it. */
async function withState<R>(action: (state: string) => Promise<R>): Promise<R> {
  const state = mkdtempSync(join(tmpdir(), "backstep-npm-"));
  try {
    return await action(state);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

const Finished = z.object({
  run: z.string(),
  status: z.string(),
  steps: z.array(z.unknown()),
  rollback: z.object({ verdict: z.string() }),
});

/**
 * Runs a workflow that rolls back on a private desktop. Rejects where the rollback did not restore everything, or nothing of
 * what was seen is on the disk. `more` are options of `run`.
 */
export async function rollBack(
  runtime: Runtime,
  project: string,
  workflow: string,
  more: readonly string[] = [],
): Promise<string> {
  const began = performance.now();
  const args = [
    "run",
    join(ROOT, workflow),
    "--session",
    "isolated",
    "--evidence",
    "on",
    "--format",
    "json",
    ...more,
  ];
  const label = [runtime.name, workflow, ...more].join(" ");
  await withState(async (state) => {
    const { code, stdout, stderr } = await run(runtime.program, [commandOf(project), ...args], {
      cwd: project,
      env: { BACKSTEP_STATE: state },
    });
    if (code !== 1) throw new Error(`${label}: exit ${code}:\n${stdout}${stderr}`.slice(0, 8_000));
    const { run: id, status, rollback } = Finished.parse(JSON.parse(stdout));
    if (status !== "failed" || rollback.verdict !== "restored") {
      throw new Error(`${label}: ${status}, ${rollback.verdict}`);
    }
    const artefacts = join(state, "runs", id, "artefacts");
    if (!existsSync(artefacts) || readdirSync(artefacts).length === 0) {
      throw new Error(`${label}: nothing of what was seen is kept`);
    }
  });
  return `${label}: restored, ${((performance.now() - began) / 1_000).toFixed(1)} s`;
}

/** Runs the protocol's suites against the package's server. Rejects where a check fails or is left out. */
export function conform(runtime: Runtime, project: string, suites: typeof SUITES = SUITES): Promise<string> {
  return withServer(async (url, signal) => {
    const lines: string[] = [];
    for (const suite of suites) {
      const { passed, failed, output } = await runSuite(suite, url, signal);
      if (failed !== 0 || passed < suite.checks) {
        throw new Error(`${runtime.name} ${suite.name}: ${passed}/${failed}\n${output.slice(-4_000)}`);
      }
      lines.push(`${passed}/${failed}`);
    }
    return `${runtime.name} MCP conformance over HTTP: ${lines.join(", ")}`;
  }, [runtime.program, commandOf(project)]);
}

/** How a server over stdio is started. */
export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
}

/** A client of the protocol's own SDK, which checks each answer, has the server change a simulated form and undo it. */
export async function overStdio({ command, args }: StdioServer): Promise<string> {
  const transport = new StdioClientTransport({
    command,
    args: [...args, "mcp", "serve", "--session", "simulated", "--app", "sim.settings"],
    stderr: "ignore",
  });
  const client = new Client({ name: "backstep-npm", version: "1" });
  await client.connect(transport, { timeout: 60_000 });
  try {
    const { tools } = await client.listTools();
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args });
      if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
      return JSON.stringify(result.structuredContent ?? result.content);
    };
    await call("ax_connect", { app: "sim.settings" });
    await call("ax_set_value", { app: "sim.settings", query: 'textfield[name="Name"]', value: "Grace" });
    const changed = await call("ax_get_value", { app: "sim.settings", query: 'textfield[name="Name"]' });
    if (!changed.includes("Grace")) throw new Error(`the field has ${changed}`);
    const undone = await call("ax_undo", { count: 1 });
    if (!undone.includes("undone")) throw new Error(`the undo says ${undone}`);
    return `${tools.length} tools, a value set, read and undone`;
  } finally {
    await client.close();
  }
}

/** Milliseconds from the start of a server until it has answered `initialize`. */
export function startOf({ command, args }: StdioServer): Promise<number> {
  const began = performance.now();
  const child = spawn(command, [...args, "mcp", "serve", "--session", "simulated"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "start", version: "1" },
  };
  return new Promise<number>((resolve, reject) => {
    const late = setTimeout(() => child.kill("SIGKILL"), 60_000);
    let took: number | undefined;
    child.on("error", reject);
    child.stdout.once("data", () => {
      took = performance.now() - began;
      child.stdin.end();
    });
    child.on("close", (code) => {
      clearTimeout(late);
      if (took === undefined) reject(new Error(`${command} ended with ${code} and said nothing`));
      else resolve(took);
    });
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  });
}
