import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const NATIVE = fileURLToPath(new URL("../../native/", import.meta.url));
const PROGRAM = `${NATIVE}build/plain/peer`;

/** A scripted application (`native/tests/peer/`): it says what it is told, and its tree is as large as wanted. */
export class Scripted implements AsyncDisposable {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    if (!child.stdout) throw new Error("the scripted application has no output");
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** On an accessibility bus; the script's lines are said before it joins. */
  static async join(a11yBus: string, script: readonly string[]): Promise<Scripted> {
    if (!existsSync(PROGRAM)) {
      const made = spawnSync("make", ["-C", NATIVE, "-s", "build/plain/peer"], { encoding: "utf8" });
      if (made.status !== 0) throw new Error(`cannot build the scripted application: ${made.stderr}`);
    }
    const child = spawn(PROGRAM, ["--join", a11yBus], { stdio: ["pipe", "pipe", "inherit"] });
    await once(child, "spawn");
    const peer = new Scripted(child);
    for (const line of [...script, "start"]) await peer.say(line);
    return peer;
  }

  /** One directive; what it answers behind "ok". */
  async say(line: string): Promise<string> {
    this.#child.stdin?.write(`${line}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true || !value.startsWith("ok")) {
      throw new Error(`${line}: ${done === true ? "it ended" : value}`);
    }
    return value.slice(3);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }
}
