/**
 * Runs the protocol's own conformance suites against a freshly started server, on a port that is free:
 * `deno task conformance`. One line a suite, `<suite>: N passed, N failed`; what failed is shown before it. Exits 1 where
 * anything failed, or fewer checks were made than there are.
 *
 * The suites crash on Node 20, so that they run under Deno. They are in tools/references.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Milliseconds that all of it may take. */
const DEADLINE = 120_000;

/** A suite, and how many checks it makes. */
export interface Suite {
  readonly name: string;
  readonly entry: string;
  readonly args: readonly string[];
  readonly checks: number;
}

/** What a suite came to. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Everything that it said. */
  readonly output: string;
}

const root = new URL("..", import.meta.url);
const modules = (path: string) => fileURLToPath(new URL(`tools/references/node_modules/${path}`, root));

export const SUITES: readonly Suite[] = [
  {
    name: "conformance 0.1.16",
    entry: modules("@modelcontextprotocol/conformance/dist/index.js"),
    args: [],
    checks: 40,
  },
  {
    name: "conformance 0.2.0-alpha.12, 2025-11-25",
    entry: modules("conformance-alpha/dist/index.js"),
    args: ["--requirements", "2025-11-25"],
    checks: 84,
  },
];

/** Why the suites cannot run; undefined: they can. */
export const suitesMissing = SUITES.every(({ entry }) => existsSync(entry))
  ? undefined
  : "tools/setup.sh --references was not run";

/** The counts of a suite's output: its line "Total: N passed, N failed". */
export function countsOf(output: string): { readonly passed: number; readonly failed: number } | undefined {
  const [, passed, failed] = /^Total: (\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  return passed === undefined || failed === undefined
    ? undefined
    : { passed: Number(passed), failed: Number(failed) };
}

/** The command line from its sources. */
const BACKSTEP = [process.execPath, "run", "-A", "--quiet", "bin.ts"];

/** Starts a server on a simulated desktop, runs `action` with its address, and ends it. `backstep`: the command line to start. */
export async function withServer<R>(
  action: (url: string, signal: AbortSignal) => Promise<R>,
  backstep: readonly string[] = BACKSTEP,
): Promise<R> {
  const [program = "", ...before] = backstep;
  const child = spawn(
    program,
    [
      ...before,
      ...["mcp", "serve", "--http", "0", "--session", "simulated", "--app", "sim.settings", "--conformance"],
    ],
    { cwd: fileURLToPath(root), stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, NO_COLOR: "1" } },
  );
  const over = new AbortController();
  const deadline = setTimeout(() => over.abort(new Error("the suites take too long")), DEADLINE);
  const finished = new Promise<void>((resolve) => child.on("close", () => resolve()));
  try {
    const url = await addressOf(child, over.signal);
    return await action(url, over.signal);
  } finally {
    clearTimeout(deadline);
    child.kill("SIGINT");
    const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await finished;
    clearTimeout(late);
  }
}

function addressOf(child: ChildProcess, over: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    over.addEventListener("abort", () => reject(new Error(`the server did not start:\n${said.join("\n")}`)));
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}:\n${said.join("\n")}`)));
    if (child.stderr === null) return reject(new Error("the server cannot be heard"));
    createInterface(child.stderr).on("line", (line) => {
      said.push(line);
      const url = /serving at (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

/** Runs a suite against a server. Rejects where it says nothing that can be counted. */
export async function runSuite(suite: Suite, url: string, signal: AbortSignal): Promise<Outcome> {
  const args = ["run", "-A", "--quiet", "--no-config", "--node-modules-dir=manual", suite.entry];
  const child = spawn(process.execPath, [...args, "server", "--url", url, ...suite.args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
    signal,
  });
  let output = "";
  child.stdout.on("data", (chunk) => output += chunk);
  child.stderr.on("data", (chunk) => output += chunk);
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve());
  });
  const counts = countsOf(output);
  if (counts === undefined) throw new Error(`${suite.name} ended without a count:\n${output.slice(-2_000)}`);
  return { ...counts, output };
}

if (import.meta.main) {
  if (suitesMissing !== undefined) {
    console.error(`Cannot run the conformance suites: ${suitesMissing}`);
    process.exit(1);
  }
  await withServer(async (url, signal) => {
    for (const suite of SUITES) {
      const { passed, failed, output } = await runSuite(suite, url, signal);
      const good = failed === 0 && passed >= suite.checks;
      if (!good) {
        console.error(output.slice(output.indexOf("=== SUMMARY ===")));
        if (passed < suite.checks) console.error(`${suite.name}: there are ${suite.checks} checks`);
        process.exitCode = 1;
      }
      console.log(`${suite.name}: ${passed} passed, ${failed} failed`);
    }
  });
}
