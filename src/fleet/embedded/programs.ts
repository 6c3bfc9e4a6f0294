import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { BackstepError } from "../../base/error.ts";
import { findProgram } from "../../session/programs.ts";
import type { Account } from "./account.ts";

/** Where Debian keeps each version of PostgreSQL, which it does not put on the path. */
const DEBIAN = "/usr/lib/postgresql";
/** Characters of what a program said that an error keeps. */
const SAID = 500;

/** The folder of PostgreSQL's programs: the newest of Debian's, else the one on the path. Throws `missing`. */
export function postgresFolder(): string {
  if (existsSync(DEBIAN)) {
    const versions = readdirSync(DEBIAN).map(Number).filter((version) => version >= 13).sort((a, b) => b - a);
    for (const version of versions) {
      const folder = join(DEBIAN, String(version), "bin");
      if (existsSync(join(folder, "initdb"))) return folder;
    }
  }
  const found = findProgram("initdb", process.env["PATH"] ?? "");
  if (found !== undefined) return join(found, "..");
  throw new BackstepError("missing", "Cannot start PostgreSQL: it is not installed", {
    hint: "Install it: apt-get install postgresql. Or give the URL of a database that runs elsewhere.",
  });
}

/** Runs one of PostgreSQL's programs to its end, and answers what it printed. Throws `io` with that when it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { account, timeout }: { readonly account: Account | undefined; readonly timeout: number },
): Promise<string> {
  const child: ChildProcess = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" },
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => said = (said + text).slice(-10_000));
  }
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.on("error", (error) => resolve(error.message));
  // Not "close": what a server that it started inherits stays open.
  child.on("exit", (code, signal) => resolve(code === 0 ? undefined : `it ended with ${signal ?? code}`));
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    resolve(`it took longer than ${timeout / 1_000} s`);
  }, timeout);
  const failed = await promise;
  clearTimeout(timer);
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  if (failed === undefined) return said;
  throw new BackstepError("io", `Cannot run ${program}: ${failed}: ${said.trim().slice(-SAID)}`);
}
