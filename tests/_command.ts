import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { commandUnderTest } from "./_under-test.ts";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The result of a command. */
interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Lets the command line run in the project's folder, with a state folder of its own; after a minute it is killed. */
export async function command(args: readonly string[], state: string): Promise<CommandResult> {
  return await commandIn({ BACKSTEP_STATE: state }, args);
}

/** The same in an environment, which is added to that of the tests. */
export async function commandIn(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<CommandResult> {
  const [program, ...before] = commandUnderTest(["run", "-A", join(ROOT, "bin.ts")]);
  const child = spawn(program, [...before, ...args], {
    env: { ...process.env, ...environment, NO_COLOR: "1" },
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => out += chunk);
  child.stderr.on("data", (chunk) => err += chunk);
  const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  return { code, out, err };
}
