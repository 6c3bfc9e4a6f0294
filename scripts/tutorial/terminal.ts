import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { Buffer } from "node:buffer";

/** Milliseconds that a program gets to say something. */
const PATIENCE = 30_000;

/** A shell in a real terminal (`script`), as a person has one. */
export class Terminal implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown[]>;
  /** All that it wrote, with its control bytes. */
  written = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exit = once(child, "close");
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      this.written = Buffer.concat(chunks).toString("utf8");
    });
  }

  /** Opens it in a folder; `environment` beside that of this process. */
  static async open(
    folder: string,
    environment: Readonly<Record<string, string>>,
    size: { readonly columns: number; readonly rows: number },
  ): Promise<Terminal> {
    const shell =
      `stty cols ${size.columns} rows ${size.rows}; exec env PS1='$ ' bash --noprofile --norc --noediting -i`;
    const child = spawn("script", ["--quiet", "--return", "--command", shell, "/dev/null"], {
      cwd: folder,
      env: {
        ...process.env,
        ...environment,
        TERM: "xterm-256color",
        // A machine of CI wants none.
        NO_COLOR: "",
        PS1: "$ ",
        SHELL: "/bin/bash",
        PWD: folder,
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const terminal = new Terminal(child);
    await terminal.until("$ ", 0);
    return terminal;
  }

  /** Types, as on a keyboard. */
  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Types a command and Return. */
  command(text: string): void {
    this.type(`${text}\n`);
  }

  /** Resolves once it has written a text beyond a place of what it wrote; answers the place behind it. */
  async until(text: string | RegExp, from: number): Promise<number> {
    const limit = performance.now() + PATIENCE;
    for (;;) {
      const found = typeof text === "string"
        ? this.written.indexOf(text, from)
        : this.written.slice(from).search(text) + (this.written.slice(from).search(text) < 0 ? 0 : from);
      if (found >= 0) return found + (typeof text === "string" ? text.length : 1);
      const left = limit - performance.now();
      if (left <= 0) throw new Error(`the terminal did not say ${text}:\n${this.written.slice(from)}`);
      await this.#more(left);
    }
  }

  async #more(limit: number): Promise<void> {
    const { stdout } = this.#child;
    if (stdout === null) throw new Error("the terminal has no output");
    const timer = Promise.withResolvers<void>();
    const ends = setTimeout(() => timer.resolve(), limit);
    try {
      const finished = this.#exit.then(() => {
        throw new Error(`the terminal ended:\n${this.written}`);
      });
      await Promise.race([once(stdout, "data"), timer.promise, finished]);
    } finally {
      clearTimeout(ends);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end("exit\n");
    const ends = setTimeout(() => this.#child.kill("SIGKILL"), 5_000);
    await this.#exit;
    clearTimeout(ends);
  }
}
