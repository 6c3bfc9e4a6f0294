/** Running the programs that make and try the npm package. @module */
import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import process from "node:process";

/** What came of a program. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a program is run. */
export interface RunOptions {
  readonly cwd: string;
  /** Folders that are searched for programs before the others. */
  readonly path?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which it is ended, and the promise rejects. */
  readonly timeout?: number;
}

/** Milliseconds for one program, which takes twenty seconds on a quiet machine: a limit for what hangs, not for what is slow. */
const DEADLINE = 300_000;

/** Runs a program to its end. Rejects where it cannot be started or takes too long, not for its exit code. */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const { cwd, path = [], env = {}, timeout = DEADLINE } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        NO_COLOR: "1",
        ...env,
        PATH: [...path, env["PATH"] ?? process.env["PATH"] ?? ""].join(delimiter),
      },
    });
    let stdout = "", stderr = "", late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, timeout);
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => stdout += chunk);
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => stderr += chunk);
    child.on("error", (cause) => {
      clearTimeout(timer);
      reject(cause);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      if (!late) return resolve({ code: code ?? 1, stdout, stderr });
      reject(new Error(`${program} ${args.join(" ")} took longer than ${timeout} ms:\n${stdout}${stderr}`));
    });
  });
}

/** Runs a program that must end with 0; returns what it wrote to standard output. */
export async function must(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code === 0) return stdout;
  throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
}
