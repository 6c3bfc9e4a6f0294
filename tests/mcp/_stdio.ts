import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Json } from "../../src/base/error.ts";
import { commandUnderTest } from "../_under-test.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** How a client starts the server, as `mcp install` writes it. */
export function serverCommand(state: string, ...args: readonly string[]) {
  const sources = ["run", "--quiet", "--cached-only", "-P=mcp", join(ROOT, "bin.ts")];
  const [command, ...before] = commandUnderTest(sources);
  return {
    command,
    args: [...before, "mcp", "serve", ...args],
    env: { ...definedEnvironment(), BACKSTEP_STATE: state, BACKSTEP_AUDIT_LOG: join(state, "audit.jsonl") },
  };
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]),
  );
}

/** A folder for the server's state, removed after the test. */
export async function withState(test: (state: string) => Promise<void>): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "bs-mcp-"));
  try {
    await test(state);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** A server that is spoken to line by line. */
export interface RawServer {
  readonly child: ChildProcess;
  /** What it wrote to standard error. */
  readonly log: () => string;
  send(line: string | Json): void;
  /** The next message; within half a minute. */
  next(): Promise<{ readonly [key: string]: Json }>;
  /** Asks, and answers what comes with the same id. */
  ask(method: string, params?: Json): Promise<{ readonly [key: string]: Json }>;
  /** Its exit code, once it has ended; within ten seconds. */
  finished(): Promise<number | string | null>;
}

/** Starts a server, and kills it if the test leaves it running. */
export async function withRawServer(
  state: string,
  args: readonly string[],
  test: (server: RawServer) => Promise<void>,
): Promise<void> {
  const { command, args: words, env } = serverCommand(state, ...args);
  const child = spawn(command, words, { env, cwd: "/", stdio: ["pipe", "pipe", "pipe"] });
  const exit = new Promise<number | string | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal))
  );
  let log = "";
  child.stderr.on("data", (chunk) => log += chunk);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const next = async () => {
    const { value, done } = await within(30_000, "a message", lines.next());
    if (done) throw new Error(`the server has ended: ${log}`);
    const message: { readonly [key: string]: Json } = JSON.parse(value);
    return message;
  };
  const send = (line: string | Json) => {
    child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  };
  try {
    await test({
      child,
      log: () => log,
      send,
      next,
      async ask(method, params = {}) {
        send({ jsonrpc: "2.0", id: ++id, method, params });
        for (;;) {
          const message = await next();
          if (message["id"] === id && !("method" in message)) return message;
        }
      },
      finished: () => within(10_000, "the end of the server", exit),
    });
  } finally {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await exit;
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** The first message of every client. */
export const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

/** What a promise comes to; rejects where that takes longer. */
export async function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no ${what} within ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
