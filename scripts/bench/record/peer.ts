import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Session } from "../../../src/session/session.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../../native/build/peer_xi2", import.meta.url));
/** Milliseconds for one command. */
const PATIENCE = 30_000;

/** `peer_xi2` on the display of a private desktop. */
export class Peer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>) {
    this.#child = child;
    this.#lines = lines;
  }

  static async start(session: Session, what: "listen" | "send"): Promise<Peer> {
    const made = spawnSync("make", ["-s", "-C", FOLDER], { encoding: "utf8" });
    if (made.status !== 0) throw new Error(`cannot build peer_xi2: ${made.stderr}`);
    const [display = ""] = session.label.split(" ");
    const child = spawn(PROGRAM, [what], {
      env: { ...process.env, DISPLAY: display, XAUTHORITY: join(dirname(session.home ?? ""), "Xauthority") },
      stdio: ["pipe", "pipe", "inherit"],
    });
    if (child.stdout === null) throw new Error("peer_xi2 has no output");
    const peer = new Peer(child, createInterface({ input: child.stdout })[Symbol.asyncIterator]());
    await peer.#answer();
    return peer;
  }

  /** Sends a command, and answers its stamps in microseconds. */
  async tell(command: string): Promise<number[]> {
    this.#child.stdin?.write(`${command}\n`);
    const line = await this.#answer();
    return line.split(" ").filter((word) => /^\d+$/.test(word)).map(Number);
  }

  async #answer(): Promise<string> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error("peer_xi2 does not answer")), PATIENCE);
    try {
      const { value, done } = await Promise.race([this.#lines.next(), late.promise]);
      if (done) throw new Error("peer_xi2 has ended");
      return value;
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const finished = this.#child.exitCode === null ? once(this.#child, "exit") : undefined;
    this.#child.stdin?.end();
    await finished;
  }
}
