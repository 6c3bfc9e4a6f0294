import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const NATIVE = fileURLToPath(new URL("../../native", import.meta.url));
const PROGRAM = "build/plain/peer";

/** A scripted application (`native/tests/peer/`) on an accessibility bus: it does what it is told, at once. */
export class Scripted implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>) {
    this.#child = child;
    this.#lines = lines;
  }

  /**
   * Joins the bus with a tree of so many elements below a window; `straight` is a socket to listen at for connections that
   * go round the bus, as those of GTK 3 and Chromium do.
   */
  static async join(a11yBus: string, name: string, elements: number, straight?: string): Promise<Scripted> {
    const made = spawnSync("make", ["-s", "-C", NATIVE, PROGRAM], { encoding: "utf8" });
    if (made.status !== 0) throw new Error(`Cannot build the scripted application: ${made.stderr}`);
    const child = spawn(`${NATIVE}/${PROGRAM}`, ["--join", a11yBus], { stdio: ["pipe", "pipe", "inherit"] });
    if (!child.stdout) throw new Error("the scripted application has no output");
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const peer = new Scripted(child, lines);
    await peer.say(`app ${name} bench 1`);
    await peer.say(`node win root role=23 name=Window`);
    // Groups of twenty: a tree as applications have it, and no one list of thousands.
    for (let group = 0; group * 21 < elements; group++) {
      await peer.say(`node g${group} win role=39 name="Group ${group}"`);
      await peer.say(`many n${group}x g${group} 20 role=43 name="Button %d" description="Does ${group}"`);
    }
    if (straight !== undefined) await peer.say(`straight ${straight}`);
    await peer.say("start");
    return peer;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** A directive, and its answer. */
  async say(directive: string): Promise<void> {
    this.tell(directive);
    const { value } = await this.#lines.next();
    if (typeof value !== "string" || !value.startsWith("ok")) throw new Error(`${directive}: ${value}`);
  }

  /** A directive whose answer nobody waits for now: `heard` does. */
  tell(directive: string): void {
    this.#child.stdin?.write(`${directive}\n`);
  }

  async heard(): Promise<void> {
    await this.#lines.next();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }
}
