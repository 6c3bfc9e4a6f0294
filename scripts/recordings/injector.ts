import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Session } from "../../src/session/session.ts";

const source = fileURLToPath(new URL("inject.c", import.meta.url));
/** Milliseconds for one command. */
const PATIENCE = 10_000;

/** A second X client that does what a person does. */
export class Injector implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #waiting: (() => void)[] = [];

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    if (child.stdout === null) throw new Error("the injector has no output");
    createInterface({ input: child.stdout }).on("line", () => this.#waiting.shift()?.());
  }

  /** Compiles it and connects it to the display of a private desktop. */
  static async start(session: Session): Promise<Injector> {
    const folder = mkdtempSync(join(tmpdir(), "bs-inject-"));
    const program = join(folder, "inject");
    const made = spawnSync("cc", ["-O1", "-Wall", "-o", program, source, "-lxcb", "-lxcb-xtest"]);
    if (made.status !== 0) throw new Error(`cannot compile the injector: ${made.stderr}`);
    const [display = ""] = session.label.split(" ");
    const authority = join(dirname(session.home ?? ""), "Xauthority");
    const child = spawn(program, [], {
      env: { ...process.env, DISPLAY: display, XAUTHORITY: authority },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const injector = new Injector(child, folder);
    await injector.#answer();
    return injector;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const finished = this.#child.exitCode === null ? once(this.#child, "exit") : undefined;
    this.#child.stdin?.end();
    await finished;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  move(x: number, y: number): Promise<void> {
    return this.#send(`move ${Math.round(x)} ${Math.round(y)}`);
  }
  down(button = 1): Promise<void> {
    return this.#send(`down ${button}`);
  }
  up(button = 1): Promise<void> {
    return this.#send(`up ${button}`);
  }
  key(keysym: number, down: boolean): Promise<void> {
    return this.#send(`key ${keysym} ${down ? 1 : 0}`);
  }

  async #send(command: string): Promise<void> {
    this.#child.stdin?.write(`${command}\n`);
    await this.#answer();
  }

  #answer(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("the injector does not answer")), PATIENCE);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
