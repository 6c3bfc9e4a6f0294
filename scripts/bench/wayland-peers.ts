import { spawn } from "node:child_process";
import { once } from "node:events";
import { findProgram } from "../../src/session/programs.ts";

/** Milliseconds after which a program is ended. */
const MOST = 10_000;

/** A program that is installed, and the desktop that it runs on. */
export interface Program {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A program by its name; undefined: it is not installed. */
export function programOf(name: string, environment: Readonly<Record<string, string>>): Program | undefined {
  const path = findProgram(name, environment["PATH"] ?? "");
  return path === undefined ? undefined : { path, environment };
}

/** Runs a program to its end; answers with how long it took and what it printed. */
export async function timedRun(
  { path, environment }: Program,
  args: readonly string[],
): Promise<{ readonly ms: number; readonly out: string }> {
  const began = performance.now();
  const child = spawn(path, [...args], {
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: MOST,
    killSignal: "SIGKILL",
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => out += text);
  // wl-copy leaves a process behind that holds its output open: "exit", where it prints nothing.
  const [code] = await once(child, path.endsWith("wl-copy") ? "exit" : "close");
  const ms = performance.now() - began;
  child.stdout.destroy();
  if (code !== 0) throw new Error(`${path} ended with ${code}`);
  return { ms, out };
}
